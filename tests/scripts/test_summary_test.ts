import assert from "node:assert/strict";
import {
  closingLines,
  sumCounts,
  type TestOutput,
  testReport,
} from "../../scripts/test_summary.ts";

const ROOT = "file:///repo/";

function reportOf(out: string, more: Partial<TestOutput> = {}) {
  const code = /^FAILED/m.test(out) ? 1 : 0;
  return testReport({ name: "parts", out, err: "", code, root: ROOT, ...more });
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

Deno.test("testReport takes the place of an error outside of tests from its stack", () => {
  const output = (frame: string) =>
    ` ERRORS 
./tests/all_parts_test.ts (uncaught error)
error: Error: late
${frame}
 FAILURES 
./tests/all_parts_test.ts (uncaught error)
FAILED | 1 passed | 1 failed (10ms)
`;
  const frame = "    at f (file:///repo/tests/b_test.ts:1:52)";
  assert.deepEqual(reportOf(output(frame)).failures, [
    "tests/b_test.ts:1:52  error: Error: late",
  ]);
  assert.deepEqual(reportOf(output("no stack")).failures, [
    "tests/all_parts_test.ts  error: Error: late",
  ]);
});

Deno.test("testReport says where a run broke down", () => {
  const missing = reportOf("", {
    code: 1,
    err: `error: Module not found "file:///repo/nope.ts".
    at file:///repo/tests/d_test.ts:1:17`,
  });
  assert.deepEqual(missing, {
    failures: [
      'tests/d_test.ts:1:17  exit code 1 before the end: error: Module not found "file:///repo/nope.ts".',
    ],
  });
  const killed = reportOf("a ... ok\nb ...\n", { code: 137 });
  assert.deepEqual(killed.failures, [
    "group parts  exit code 137 before the end: b ...",
  ]);
});

Deno.test("testReport counts a failed process as a failure, whatever its summary says", () => {
  const { counts, failures } = reportOf("ok | 1 passed | 0 failed (1s)", {
    code: 1,
    err: "error: Test failed",
  });
  assert.equal(counts, undefined);
  assert.equal(failures.length, 1);
});

Deno.test("testReport counts an error by which the run broke off after a failed test", () => {
  const report = reportOf(
    ` FAILURES 
a => ./tests/a_test.ts:1:6
FAILED | 2 passed | 1 failed (60ms)
`,
    {
      err: `error: of a test's own
error: Error: late
    at f (file:///repo/tests/c_test.ts:2:9)`,
    },
  );
  assert.deepEqual(report, {
    counts: counts(2, 2, 0),
    failures: [
      "tests/a_test.ts:1:6  a",
      "tests/c_test.ts:2:9  exit code 1 before the end: error: Error: late",
    ],
  });
  const ended = reportOf("FAILED | 2 passed | 1 failed (60ms)", {
    err: "error: of a test's own\nerror: Test failed\n",
  });
  assert.deepEqual(ended.counts, counts(2, 1, 0));
});

Deno.test("testReport finds the files of real tests that ran as one", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${folder}/tests`);
    const write = (name: string, code: string) =>
      Deno.writeTextFile(`${folder}/tests/${name}`, code);
    await write(
      "a_test.ts",
      'Deno.test("a", () => {\n  throw new Error("x");\n});\nDeno.test("b", () => {});\n',
    );
    await write(
      "c_test.ts",
      'Deno.test("c", () => new Promise(() => setTimeout(() => {\n  throw new Error("late");\n})));\n',
    );
    await write("all_test.ts", 'import "./a_test.ts";\nimport "./c_test.ts";');
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--quiet", "tests/all_test.ts"],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    const { failures, counts } = testReport({
      name: "all",
      out: decoder.decode(stdout),
      err: decoder.decode(stderr),
      code,
      root: `file://${folder}/`,
    });
    assert.equal(failures[0], "tests/a_test.ts:1:6  a");
    // The runtime reports an error outside of tests in one of two ways, by chance.
    assert.match(
      failures.at(-1)!,
      /^tests\/c_test\.ts:2:9 {2}.*error: Error: late$/,
    );
    assert(counts!.failed >= failures.length);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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
