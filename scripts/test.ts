/**
 * Every check and every test, then the failures by file and line, then one line `N passed, N failed`.
 *
 * All steps run, also after one that fails. A check that fails counts as one
 * failure. Usage: `deno task test [NAME ...]`, with names of checks and of groups
 * of tests: only these run.
 *
 * @module
 */
import {
  closingLines,
  sumCounts,
  type TestReport,
  testReport,
} from "./test_summary.ts";
import { linesOf } from "../src/cli/streams.ts";
import { placeInMemory } from "./memory_place.ts";
import { filesBelow } from "./walk.ts";

const ROOT = new URL("../", import.meta.url);

/** Folders of `tests/` whose tests run with no permission at all. */
const PURE = [
  "bytes",
  "compressors",
  "engine",
  "core",
  "pipeline",
  "reports",
  "providers",
  "sse",
  "text",
  "tokens",
];

/** Tests that compare CPU times of long texts: in a process of their own, which has no garbage of others to collect. */
const TIMED = ["compressors/growth_test.ts", "tokens/counter_test.ts"];

/** Tests of processes with some permissions, none of which is for paths below `/dev`; and of paths in lines that are wrapped. */
const ON_DISK = [
  "ccr/clear_test.ts",
  "cli/commands/uninstall_test.ts",
  "cli/doctor/found_test.ts",
  "confined_worker_test.ts",
  "consumers/library_page_test.ts",
  "e2e/confinement_test.ts",
  "e2e/permissions_test.ts",
  "e2e/settings_process_test.ts",
];

/** Arguments of `deno` for each check. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  "format": ["fmt", "--check", "--quiet"],
  "lint": ["lint", "--quiet"],
  "types": [
    ...["check", "--quiet", "main.ts", "mod.ts"],
    ...["src", "tests", "scripts", "dashboard"],
  ],
  "layers": ["run", "--allow-read", "scripts/check_layers.ts"],
  "mirror": ["run", "--allow-read", "scripts/check_mirror.ts"],
  "docs": ["doc", "--lint", "--quiet", "mod.ts", "main.ts"],
};

/** Types have been checked by then. */
const TEST = ["test", "--no-prompt", "--no-check", "--quiet"];

/** What runs at a time: so many cores are there. */
const LANES = 2;

/** Tests end processes, but never the machine: none needs a disk, and waiting for one takes a third of the time. */
const MEMORY = "/dev/shm";

const files = (await filesBelow(new URL("tests/", ROOT)))
  .filter((path) => /^(?!all_).*_test\.ts$/.test(path));
const isNamed = (path: string) =>
  TIMED.includes(path) || ON_DISK.includes(path);
const isIn = (...folders: readonly string[]) => (path: string) =>
  folders.includes(path.split(/\/|_test\.ts$/)[0]!) && !isNamed(path);
/** Folders with a process of their own for each. */
const APART = ["acceptance", "built", "consumers", "dashboard", "e2e"];
const isApart = isIn(...PURE, ...APART);
const isPlace = (path: string) => !isApart(path) && !isNamed(path);
const together = (name: string) => () =>
  joined(name, ["-A"], files.filter(isIn(name)));
const apart = (name: string) => () =>
  tests(name, ["-A"], files.filter(isIn(name)));
/** The first two begin together; of the others, those that take long come first. */
const GROUPS: Readonly<Record<string, () => Promise<TestReport>>> = {
  times: () => tests("times", [], files.filter((path) => TIMED.includes(path))),
  // They read their golden files and nothing else.
  parts: () =>
    joined(
      "parts",
      ["--allow-read=tests/golden"],
      files.filter(isIn(...PURE)),
    ),
  e2e: together("e2e"),
  places: () => joined("places", ["-A"], files.filter(isPlace)),
  disk: () => tests("disk", ["-A"], ON_DISK),
  acceptance: together("acceptance"),
  built: apart("built"),
  consumers: apart("consumers"),
  dashboard: apart("dashboard"),
};

const isAsked = ([name]: readonly [string, unknown]) =>
  Deno.args.length === 0 || Deno.args.includes(name);
const temporary = await placeInMemory(MEMORY);
const reports: TestReport[] = await inLanes(
  LANES,
  Object.entries(CHECKS).filter(isAsked)
    .map(([name, args]) => () => check(name, args)),
);
reports.push(
  ...await inLanes(
    LANES,
    Object.entries(GROUPS).filter(isAsked).map(([, run]) => run),
  ),
);
await temporary?.[Symbol.asyncDispose]();
for (const line of closingLines(reports)) say(line);
Deno.exit(sumCounts(reports).failed > 0 ? 1 : 0);

/** Runs one check; its output is shown if it fails. */
async function check(
  name: string,
  args: readonly string[],
): Promise<TestReport> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    stdin: "null",
  }).output();
  say(`${success ? "ok    " : "FAILED"} ${name}`);
  if (!success) {
    for (const output of [stdout, stderr]) {
      say(new TextDecoder().decode(output));
    }
  }
  return {
    counts: { passed: 0, failed: success ? 0 : 1, skipped: 0 },
    failures: success ? [] : [`check ${name}  deno task check:${name}`],
  };
}

/** Runs groups, so many at a time, in their order. */
async function inLanes<T>(
  lanes: number,
  runs: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const ended: T[] = [];
  const waiting = runs.values();
  const lane = async () => {
    for (const run of waiting) ended.push(await run());
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return ended;
}

/** Runs test files as one: what they have in common is loaded once, not once for each of hundreds. */
async function joined(
  name: string,
  permissions: readonly string[],
  paths: readonly string[],
): Promise<TestReport> {
  const file = new URL(`tests/all_${name}_test.ts`, ROOT);
  const lines = paths.map((path) => `import "./${path}";\n`);
  await Deno.writeTextFile(file, lines.join(""));
  try {
    return await tests(name, permissions, [`all_${name}_test.ts`]);
  } finally {
    await Deno.remove(file);
  }
}

/** Runs test files, each on its own; their output is shown as it comes, each line behind the name of the group. */
async function tests(
  name: string,
  permissions: readonly string[],
  paths: readonly string[],
): Promise<TestReport> {
  const isOnDisk = paths.some((path) => ON_DISK.includes(path));
  const child = new Deno.Command(Deno.execPath(), {
    args: [...TEST, ...permissions, ...paths.map((path) => `tests/${path}`)],
    cwd: ROOT,
    env: {
      NO_COLOR: "1",
      ...temporary && !isOnDisk && { TMPDIR: temporary.path },
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const shown = async (stream: ReadableStream<Uint8Array>) => {
    let text = "";
    for await (const line of linesOf(stream)) {
      text += `${line}\n`;
      say(`${name} | ${line}`);
    }
    return text;
  };
  const [out, err, { code }] = await Promise.all([
    shown(child.stdout),
    shown(child.stderr),
    child.status,
  ]);
  return testReport({ name, out, err, code });
}

function say(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}
