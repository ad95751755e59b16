import assert from "node:assert/strict";
import {
  closingLines,
  sumCounts,
  type TestOutput,
  testReport,
} from "../../scripts/test_summary.ts";
import { tempDir } from "../temp_dir.ts";

function reportOf(out: string, more: Partial<TestOutput> = {}) {
  const code = /^FAILED/m.test(out) ? 1 : 0;
  return testReport({ name: "parts", out, err: "", code, ...more });
}

function counts(passed: number, failed: number, skipped: number) {
  return { passed, failed, skipped };
}

Deno.test("testReport reads the summary of a run, with and without steps and ignored tests", () => {
  assert.deepEqual(
    reportOf("a ... ok\n\nok | 3 passed | 0 failed (12ms)\n"),
    { counts: counts(3, 0, 0), failures: [] },
  );
  const { counts: mixed } = reportOf(
    "FAILED | 3 passed (4 steps) | 2 failed (1 step) | 5 ignored (1s)",
  );
  assert.deepEqual(mixed, counts(3, 2, 5));
});

Deno.test("testReport takes the last summary: a test may print one itself", () => {
  const output =
    "ok | 9 passed | 9 failed (1s)\n FAILURES \nno => ./x.ts:1:1\nok | 1 passed | 0 failed (1s)\n";
  assert.deepEqual(reportOf(output), {
    counts: counts(1, 0, 0),
    failures: [],
  });
});

Deno.test("testReport names each failed test with its file and line", () => {
  const output = ` ERRORS 
a => b => ./tests/a_test.ts:3:6
error: Error: x
 FAILURES 
a => b => ./tests/a_test.ts:3:6
steps ... inner => ./tests/sub/b_test.ts:12:13
FAILED | 2 passed (1 step) | 2 failed (1 step) (10ms)
`;
  assert.deepEqual(reportOf(output).failures, [
    "tests/a_test.ts:3:6  a => b",
    "tests/sub/b_test.ts:12:13  steps ... inner",
  ]);
});

Deno.test("testReport says why a run broke down", () => {
  const missing = reportOf("", {
    code: 1,
    err: 'error: Module not found "file:///repo/nope.ts".\n    at x',
  });
  assert.deepEqual(missing.failures, [
    'group parts  exit code 1 before the end: error: Module not found "file:///repo/nope.ts".',
  ]);
  const killed = reportOf("a ... ok\nb ...\n", { code: 137 });
  assert.deepEqual(killed.failures, [
    "group parts  exit code 137 before the end: b ...",
  ]);
});

Deno.test("testReport counts an exit code that its summary does not explain as a failure", () => {
  const late = "error: of a test's own\nerror: Error: late\n    at f";
  const cases: [string, string, number][] = [
    ["ok | 1 passed | 0 failed (1s)", "error: Test failed", 1],
    ["FAILED | 2 passed | 1 failed (60ms)", late, 2],
    ["FAILED | 2 passed | 1 failed (60ms)", "error: Test failed\n", 1],
  ];
  for (const [out, err, failed] of cases) {
    assert.equal(reportOf(out, { code: 1, err }).counts?.failed, failed, err);
  }
});

Deno.test("testReport reads what deno test prints of real tests that ran as one", async () => {
  await using temp = await tempDir();
  const folder = temp.path;
  const write = (name: string, code: string) =>
    Deno.writeTextFile(`${folder}/${name}`, code);
  const failing = (name: string) =>
    `Deno.test("${name}", () => {\n  throw new Error("x");\n});\n`;
  await write("a_test.ts", failing("a") + 'Deno.test("b", () => {});\n');
  await write("c_test.ts", failing("c"));
  await write("all_test.ts", 'import "./a_test.ts";\nimport "./c_test.ts";');
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--quiet", "all_test.ts"],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  assert.deepEqual(testReport({ name: "all", out: out!, err: err!, code }), {
    counts: counts(1, 2, 0),
    failures: ["a_test.ts:1:6  a", "c_test.ts:1:6  c"],
  });
});

Deno.test("sumCounts adds up and counts a run without a summary as one failure", () => {
  const run = { counts: counts(2, 1, 3), failures: ["a"] };
  const broken = { failures: ["b"] };
  assert.deepEqual(sumCounts([run, broken, run]), counts(4, 3, 6));
});

Deno.test("closingLines ends in the form that other programs read", () => {
  const lines = (one: ReturnType<typeof counts>) =>
    closingLines([{ counts: one, failures: [] }]);
  assert.deepEqual(lines(counts(12, 0, 0)), ["12 passed, 0 failed"]);
  assert.deepEqual(lines(counts(1, 2, 3)), ["1 passed, 2 failed, 3 skipped"]);
});

Deno.test("closingLines lists what failed right before the last line", () => {
  const failed = ["tests/a_test.ts:3:6  a", "check lint  deno task check:lint"];
  const reports = failed.map((failure) => ({
    counts: counts(5, 1, 0),
    failures: [failure],
  }));
  assert.deepEqual(closingLines(reports), [
    "Failed:",
    ...failed.map((failure) => `  ${failure}`),
    "10 passed, 2 failed",
  ]);
});
