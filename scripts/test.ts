/**
 * Every check and every test, then one line `N passed, N failed`.
 *
 * All steps run, also after one that fails. A check that fails counts as one
 * failure. Usage: `deno task test`.
 *
 * @module
 */
import {
  closingLine,
  sumCounts,
  type TestCounts,
  testCounts,
} from "./test_summary.ts";
import { linesOf } from "../src/cli/lines.ts";
import { typeScriptFiles } from "./walk.ts";

const ROOT = new URL("../", import.meta.url);

/** Folders of `tests/` whose tests run with no permission at all. */
const PURE = [
  "bytes",
  "compressors",
  "core",
  "pipeline",
  "providers",
  "sse",
  "text",
  "tokens",
];

/** Tests that compare times, and run with nothing beside them. */
const TIMED = ["compressors/growth_test.ts", "tokens/counter_test.ts"];

/** Folders of tests that run the whole program, over real ports. */
const WHOLE = ["acceptance", "e2e"];

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
  "docs": ["doc", "--lint", "--quiet", "mod.ts"],
};

/** Types have been checked by then. */
const TEST = ["test", "--no-prompt", "--no-check", "--quiet"];

const results: (TestCounts | undefined)[] = [];
for (const [name, args] of Object.entries(CHECKS)) {
  results.push(await check(name, args));
}
const files = (await typeScriptFiles(new URL("tests/", ROOT)))
  .filter((path) => path.endsWith("_test.ts"));
const isTimed = (path: string) => TIMED.includes(path);
const isPure = (path: string) =>
  PURE.includes(path.split("/")[0]!) && !isTimed(path);
const isWhole = (path: string) => WHOLE.includes(path.split("/")[0]!);
const isPlace = (path: string) =>
  !isTimed(path) && !isPure(path) && !isWhole(path);
results.push(await tests("times", [], isTimed));
// Two processes at a time: so many cores are there.
const [parts, whole] = await Promise.all([
  (async () => [
    await tests("parts", [], isPure),
    await tests("places", ["-A"], isPlace),
  ])(),
  tests("whole", ["-A"], isWhole),
]);
results.push(...parts, whole);
const counts = sumCounts(results);
say(closingLine(counts));
Deno.exit(counts.failed > 0 ? 1 : 0);

/** Runs one check; its output is shown if it fails. */
async function check(
  name: string,
  args: readonly string[],
): Promise<TestCounts> {
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
  return { passed: 0, failed: success ? 0 : 1, skipped: 0 };
}

/** Runs the chosen test files in one process; their output is shown as it comes, each line behind the name of the group. */
async function tests(
  name: string,
  permissions: readonly string[],
  chosen: (path: string) => boolean,
): Promise<TestCounts | undefined> {
  const paths = files.filter(chosen).map((path) => `tests/${path}`);
  if (paths.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const child = new Deno.Command(Deno.execPath(), {
    args: [...TEST, ...permissions, ...paths],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "";
  for await (const line of linesOf(child.stdout)) {
    output += `${line}\n`;
    say(`${name} | ${line}`);
  }
  const { success } = await child.status;
  const counted = testCounts(output);
  const silentFailure = !success && counted?.failed === 0;
  return silentFailure ? undefined : counted;
}

function say(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}
