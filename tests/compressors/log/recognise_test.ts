import assert from "node:assert/strict";
import { isRepeated, readLog } from "../../../src/compressors/log/recognise.ts";
import { NO_LOGS } from "./no_logs.ts";
import { inputOf } from "../goldens.ts";
import { serviceLines } from "./samples.ts";
import { logWith, STARTS } from "./start_samples.ts";
import { TOOL_OUTPUTS } from "./tool_samples.ts";

const LOGS: Record<string, string> = {
  service: serviceLines(100).join("\n"),
  syslog: inputOf("log/fold_syslog"),
  python:
    "2026-02-02 10:00:00,123 INFO app started\n2026-02-02 10:00:01,123 ERROR app boom\nTraceback (most recent call last):\n" +
    '  File "a.py", line 1, in f\nValueError: x\n2026-02-02 10:00:02,123 INFO app going on\n',
  nginx: '10.0.0.1 - - [02/Feb/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12\n'
    .repeat(9),
  deno:
    "running 2 tests from ./a_test.ts\nsplice copies ... \x1b[32mok\x1b[0m (1ms)\nsplice refuses ... \x1b[31mFAILED\x1b[0m (2ms)\n\nFAILED | 1 passed | 1 failed (3ms)\n",
  vitest:
    " ✓ src/a.test.ts (3 tests) 5ms\n FAIL  src/b.test.ts > adds\nAssertionError: expected 1 to be 2\n\n Test Files  1 failed | 1 passed (2)\n",
  unittest:
    "test_add (tests.T) ... ok\ntest_sub (tests.T) ... FAIL\n\n======\nFAIL: test_sub (tests.T)\nRan 2 tests in 0.001s\n",
  mypy:
    "app/a.py:3: error: Missing return\napp/b.py:9: error: Bad type\nFound 2 errors in 2 files\n",
  levels: "INFO starting\nDEBUG x=1\nWARN slow\nINFO done\n",
  javac:
    "src/A.java:55: error: incompatible types\n        return queue.peek();\n               ^\nsrc/A.java:70: error: cannot find symbol\n  symbol: class B\n2 errors\n",
  tsc:
    "src/a.ts(21,3): error TS7008: Member 'x' implicitly has an 'any' type.\nsrc/a.ts(23,3): error TS7006: Parameter 'y'\nsrc/b.ts(1,1): error TS2554: Expected 2\n",
  eslint:
    "/home/dev/a.js\n   3:7   error    'x' is never used  no-unused-vars\n  12:1   warning  Unexpected console  no-console\n\n✖ 2 problems (1 error, 1 warning)\n",
  coverage:
    "....F...F     [100%]\n=========== FAILURES ===========\nE   assert 1 == 2\n=========== short test summary info ===========\nFAILED tests/a.py::b - assert 1\n2 failed, 9 passed in 0.59s\nName   Stmts\nTOTAL  251\n",
  nginxErrors:
    '2026/03/02 10:00:00 [error] 31#31: *7 open() "/srv/x" failed (2: No such file or directory)\n'
      .repeat(5),
  redis:
    "12:M 02 Mar 2026 10:00:00.123 * Ready to accept connections\n12:M 02 Mar 2026 10:00:01.123 # Warning: x\n"
      .repeat(3),
  apt:
    "Reading package lists...\nBuilding dependency tree...\n0 upgraded, 2 newly installed, 0 to remove and 3 not upgraded.\nGet:1 http://deb.debian.org/debian bookworm/main amd64 tree amd64 2.1.0-1 [52.5 kB]\nUnpacking tree (2.1.0-1) ...\nSetting up tree (2.1.0-1) ...\n",
  kernel:
    "[    1.123456] usb 1-1: new device\n[    2.123456] usb 1-1: gone\n[    3.100000] x\n",
};
for (
  const name of [
    "cargo_test",
    "ci_ansi",
    "docker_build",
    "go_test",
    "jest",
    "logfmt",
    "make_gcc",
    "npm_install",
    "pytest_verbose",
    "slog",
  ]
) {
  LOGS[name] = inputOf(`log/${name}`);
}

for (const [name, text] of Object.entries(LOGS)) {
  Deno.test(`readLog claims ${name}`, () => {
    assert.ok(readLog(text).confidence >= 0.8, `${readLog(text).confidence}`);
  });
}

const code = `import { a } from "./a.ts";

export function load(path: string): string {
  const text = read(path);
  if (text === "") throw new Error("empty");
  return text;
}
`;
const OTHERS: Record<string, string> = {
  code: code.repeat(6),
  python:
    'import logging\n\ndef main():\n    log.info("start")\n    try:\n        run()\n    except Error as error:\n        log.error("failed")\n'
      .repeat(8),
  prose:
    "The error was found in the second run. It failed because the disk was full.\nNothing else is known about it.\n\n"
      .repeat(9),
  markdown:
    "# Build\n\nRun the tests:\n\n```\n=== 3 failed, 2 passed in 1.2s ===\n```\n\n- one error\n- two warnings\n\n"
      .repeat(5),
  changelog:
    "## 2026-02-02\n\n- Fixed an error in the parser\n- ERROR messages are shorter\n\n"
      .repeat(8),
  numbered: Array.from(
    { length: 60 },
    (_, i) => `${String(i + 1).padStart(6)}\tINFO starting ${i}`,
  ).join("\n"),
  arrows: Array.from(
    { length: 60 },
    (_, i) => `${String(i + 1).padStart(6)}→2026-02-02 10:00:00 INFO x`,
  ).join("\n"),
  listing: "total 12\n" +
    "-rw-r--r-- 1 root root 4096 May 12 10:00 error.log\ndrwxr-xr-x 2 root root 4096 May 12 10:00 src\n"
      .repeat(20),
  jsonLines: '{"time":"2026-02-02T10:00:00Z","level":"error","msg":"boom"}\n'
    .repeat(30),
  json: JSON.stringify(
    Array.from({ length: 20 }, (_, i) => ({ i, level: "ERROR" })),
    null,
    2,
  ),
  csv: "2026-02-02,12,3\n".repeat(40),
  csvTimes: "2026-02-02 10:00:00,error,3,4\n".repeat(40),
  grep: 'src/a.ts:12:  throw new Error("x");\nsrc/b.ts:7:  log.error("y");\n'
    .repeat(20),
  paths: "src/error.ts\nsrc/fail/test.ts\nREADME.md\n".repeat(15),
  yaml:
    "name: build\non: push\njobs:\n  test:\n    runs-on: ubuntu\n    steps:\n      - run: make test\n"
      .repeat(6),
  diff:
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-error\n+warning\n"
      .repeat(8),
  gitLog:
    "commit 1234567\nAuthor: A <a@x>\nDate:   Mon Feb 2 10:00:00 2026\n\n    Fix error in parser\n\n"
      .repeat(10),
  empty: "",
  blank: "\n\n\n",
  line: "error",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`readLog leaves ${name} to others`, () => {
    assert.ok(readLog(text).confidence < 0.8, `${readLog(text).confidence}`);
  });
}

for (const logger of Object.keys(STARTS)) {
  Deno.test(`readLog claims lines that start as ${logger} writes them`, () => {
    assert.ok(readLog(logWith(logger, 40)).confidence >= 0.8);
    assert.ok(readLog(logWith(logger, 600)).confidence >= 0.8);
  });
}

for (const [tool, text] of Object.entries(TOOL_OUTPUTS)) {
  Deno.test(`readLog claims the output of ${tool}, also below an exit code`, () => {
    assert.ok(readLog(text).confidence >= 0.8, `${readLog(text).confidence}`);
    assert.ok(readLog(`Exit code 1\n${text}`).confidence >= 0.8);
  });
}

for (const [name, text] of Object.entries(NO_LOGS)) {
  Deno.test(`readLog leaves ${name} to others whatever it holds`, () => {
    assert.ok(readLog(text).confidence < 0.8, `${readLog(text).confidence}`);
  });
}

Deno.test("readLog takes sources for sources when few of them stand before many messages", () => {
  const lines = (names: number) =>
    Array.from(
      { length: 40 },
      (_, i) => `${"abcdefghijklmnopqrst"[i % names]}pi | item ${i} is done`,
    ).join("\n");
  assert.ok(readLog(lines(3)).confidence >= 0.8);
  assert.ok(readLog(lines(20)).confidence < 0.8);
});

Deno.test("readLog looks beyond the first lines", () => {
  const text = code.repeat(30) + serviceLines(40).join("\n") + "\n" +
    code.repeat(30);
  assert.ok(readLog(text).confidence < 0.8);
});

Deno.test("readLog looks at the start, the middle and the end of a long text", () => {
  const log = `${serviceLines(300).join("\n")}\n`;
  const other = "key: value\n".repeat(3000);
  assert.ok(readLog(log.repeat(3)).confidence >= 0.8);
  assert.ok(readLog(log + other + log).confidence < 0.8);
  assert.ok(readLog(other + log + other).confidence < 0.8);
  assert.ok(readLog(log + log + other).confidence < 0.8);
});

Deno.test("readLog counts long lines as one line each", () => {
  const long = `2026-02-02T10:00:00Z INFO ${"x".repeat(20_000)}\n`;
  assert.ok(readLog(long.repeat(8)).confidence >= 0.8);
  assert.ok(readLog(long + "key: value\n".repeat(8)).confidence < 0.8);
});

Deno.test("readLog leaves a document that quotes a log to others", () => {
  const log = serviceLines(30).join("\n");
  assert.ok(readLog(log).confidence >= 0.8);
  assert.equal(readLog(`# Report\n\n\`\`\`\n${log}\n\`\`\`\n`).confidence, 0);
  assert.equal(
    readLog(`${log}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n`).confidence,
    0,
  );
});

/** Lines of programs that begin as no others do, and say the same again and again. */
const REPEATED: Record<string, (i: number) => string> = {
  podAndContainer: (i) =>
    `api-7d9f8b6c5d-x2x4z ${i % 3 ? "api" : "proxy"} Loaded record ${i} again`,
  timeOfDay: (i) => `10:${10 + i % 50} Finished request ${i * 7} in ${i} ms`,
  seconds: (i) => `${i / 4}.25 Finished request ${i * 7} in ${i} ms`,
  events: (i) =>
    `CEF:0|Acme|Firewall|10.1|${i % 9}|Session closed|3|src=10.0.0.${i}`,
  requests: (i) =>
    i % 3
      ? `START RequestId: ${i}a-${i} Version: $LATEST`
      : `REPORT RequestId: ${i}a-${i} Billed Duration: ${i * 7} ms`,
};
for (const [name, line] of Object.entries(REPEATED)) {
  Deno.test(`isRepeated knows lines of a program: ${name}`, () => {
    const text = Array.from({ length: 90 }, (_, i) => line(i)).join("\n");
    assert.ok(isRepeated(text));
    assert.ok(!isRepeated(text.split("\n").slice(0, 9).join("\n")));
  });
}

Deno.test("isRepeated leaves data, code, paragraphs and what is merely there twice to others", () => {
  const texts: Record<string, (i: number) => string> = {
    keys: (i) => `host-${i}: value_of_${i}`,
    rows: (i) => `${i},name,${i * 7},some more words`,
    code: (i) => `const row${i} = read the file(${i});`,
    paths: (i) => `src/part${i}/some_file.ts`,
    paragraphs: (i) => i % 2 ? "" : `It was run ${i} that failed then.`,
    sameLines: () => "Waiting for the database to come up",
    names: (i) => `${"abcdefghijkl"[i % 12]}${"xyz"[i % 7]}ork goes there now`,
  };
  for (const [name, line] of Object.entries(texts)) {
    const text = Array.from({ length: 90 }, (_, i) => line(i)).join("\n");
    assert.ok(!isRepeated(text), name);
  }
});

Deno.test("isRepeated knows what a program says of many names, in sentences of a few forms", () => {
  const names = ["alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma"];
  const lines = names.flatMap((name, i) => [
    `Resolving module './${name}' from '/app/${names[6 - i]}.ts'.`,
    `File '/app/${name}.ts' does not exist.`,
    `File '/app/${name}.d.ts' exists - use it as a result.`,
    `Module name './${name}' was successfully resolved.`,
  ]);
  assert.ok(isRepeated(lines.join("\n")));
});
