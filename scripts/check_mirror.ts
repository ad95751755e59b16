/** Fails when tests do not mirror the modules of `src/`. Usage: `deno task check:mirror`. @module */
import { filesBelow, reportAndExit } from "./walk.ts";

/** Folders of `tests/` for the program as a whole, and for what is not in `src/`. */
const NO_MODULES = new Set([
  "acceptance",
  "bench",
  "built",
  "conformance",
  "consumers",
  "dashboard",
  "e2e",
  "quality",
  "regression",
  "scripts",
]);

/** Tests of one property of a whole module, named after the property. */
const PROPERTIES = new Set([
  "ccr/eviction",
  "ccr/load",
  "compressors/composite_golden",
  "compressors/growth",
  "cost/costs_doc",
  "ledger/agreement",
  "ledger/resets",
  "ledger/stats_docs",
  "main",
  "mcp/conformance",
  "mcp/stdio",
  "pipeline/declaration_rules",
  "pipeline/interleaving",
  "sdk/growing",
]);

/** Folders of tables, which no test reads for themselves. */
const TABLES = new Set(["tokens/ranks"]);

/**
 * One sentence for each test file that is not named after a module, and for each folder without a test.
 *
 * A test of the folder `a/b` is in `tests/a/b/` or is `tests/a/b_test.ts`. A file
 * in `tests/a/b/` is named after `b`, or after a file or a folder in `src/a/b/`.
 *
 * @param sources Paths of the files below `src/`, with slashes.
 * @param tests Paths of the files below `tests/`, with slashes.
 */
export function mirrorFindings(
  sources: readonly string[],
  tests: readonly string[],
): string[] {
  const names = tests.filter((path) => path.endsWith("_test.ts"))
    .map((path) => path.slice(0, -"_test.ts".length))
    .filter((name) => !NO_MODULES.has(name.split("/")[0]!));
  const folders = new Set(sources.flatMap(foldersOf));
  const modules = new Set([
    ...sources.map((path) => path.replace(/\.\w+$/, "")),
    ...folders,
    ...[...folders].map((path) => `${path}/${path.split("/").at(-1)}`),
    ...PROPERTIES,
  ]);
  const tested = new Set(names.flatMap((name) => [name, ...foldersOf(name)]));
  return [
    ...names.filter((name) => !modules.has(name)).map((name) =>
      `tests/${name}_test.ts is not named after a file or a folder of src/${
        foldersOf(name).at(-1) ?? ""
      }`
    ),
    ...[...folders].filter((path) => !tested.has(path) && !TABLES.has(path))
      .map((path) => `src/${path}/ has no test in tests/${path}/`),
  ];
}

/** Folders that a path is in, the outermost first. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

if (import.meta.main) {
  const below = (folder: string) =>
    filesBelow(new URL(`../${folder}/`, import.meta.url));
  reportAndExit(mirrorFindings(await below("src"), await below("tests")));
}
