/** Which source files need a test file and have none. @module */
import { codeText } from "./code_text.ts";

/**
 * Source files with code but without a test file of their own: texts and
 * tables, and entries that only start something and are tested through it.
 * An entry that is not needed any more is a finding.
 */
export const UNTESTED: readonly string[] = [
  "compute_worker.ts",
];

/** What is there. */
export interface Trees {
  /** Text of each file of `src/` by its path below it, with slashes. */
  readonly sources: ReadonlyMap<string, string>;
  /** Paths of the files of `tests/` below it, with slashes. */
  readonly tests: readonly string[];
  /** Source files that need no test; {@linkcode UNTESTED}. */
  readonly untested: readonly string[];
}

/** The folders in here are features: any test in `tests/<feature>/` is one of all its files. */
const FEATURES = "cli/";

/** A declaration at the start of a line that leaves something at run time. */
const RUNTIME_CODE =
  /^(?:export\s+)?(?:abstract\s+|async\s+|await\s)?(?:function|class|const|let|enum|if|for)\b/m;

/**
 * One sentence for each source file with code but without its test, and for
 * each needless exemption. A file that only declares types needs no test.
 */
export function mirrorFindings({ sources, tests, untested }: Trees): string[] {
  const tested = new Set(tests);
  const exempt = new Set(untested);
  const bare = [...sources.keys()].filter((path) =>
    !tested.has(testOf(path)) && !isOfFeature(path, tests) &&
    hasCode(sources.get(path)!)
  );
  const missing = bare.filter((path) => !exempt.has(path));
  const needless = untested.filter((path) => !bare.includes(path));
  return [
    ...missing.map((path) => `src/${path} has no tests/${testOf(path)}`),
    ...needless.map((path) =>
      `src/${path} needs no exemption; take it out of scripts/mirror.ts`
    ),
  ];
}

function isOfFeature(path: string, tests: readonly string[]): boolean {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return folder.startsWith(FEATURES) && folder !== FEATURES &&
    tests.some((test) => test.startsWith(folder) && test.endsWith("_test.ts"));
}

function hasCode(text: string): boolean {
  return RUNTIME_CODE.test(codeText(text, { strings: false }));
}

function testOf(path: string): string {
  return path.replace(/\.ts$/, "_test.ts");
}
