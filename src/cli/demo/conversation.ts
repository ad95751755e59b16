/** The conversation that `svc demo` plays: an agent looks for the cause of a failing worker. @module */

/** One tool call of the scripted model and what the tool printed. */
export interface DemoStep {
  /** Tool that is called. */
  readonly tool: string;
  /** Its arguments. */
  readonly input: Readonly<Record<string, string>>;
  /** What it printed. */
  readonly output: string;
  /** What the call is for, in a few words. */
  readonly title: string;
}

/** What the user asks. */
export const QUESTION =
  "Jobs of the billing queue fail since this morning. Find out why.";

/** What the model says at last. */
export const CONCLUSION =
  "The pool holds 10 connections, and the new retry loop never gives them back.";

/** The steps, in order. The same text on every call. */
export function demoSteps(): readonly DemoStep[] {
  return [
    {
      title: "service log",
      tool: "Bash",
      input: { command: "journalctl -u billing --since today" },
      output: serviceLog(),
    },
    {
      title: "grep",
      tool: "Grep",
      input: { pattern: "acquire\\(", path: "src" },
      output: grepResult(),
    },
    {
      title: "API answer (JSON)",
      tool: "Bash",
      input: { command: "curl -s localhost:9000/jobs?queue=billing" },
      output: jobsJson(),
    },
    {
      title: "file read (kept exact)",
      tool: "Read",
      input: { file_path: "/srv/billing/src/db/pool.ts" },
      output: poolSource(),
    },
    {
      title: "diff",
      tool: "Bash",
      input: { command: "git diff v2.3.0 v2.3.1" },
      output: gitDiff(),
    },
    {
      title: "test run",
      tool: "Bash",
      input: { command: "pytest tests" },
      output: testRun(),
    },
  ];
}

/** `n` items by index. */
function list<T>(n: number, item: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => item(i));
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

function serviceLog(): string {
  return list(420, (i) => {
    const time = `2026-03-02T08:${two(Math.floor(i / 60) % 60)}:${
      two(i % 60)
    }Z`;
    const worker = `worker-${i % 8}`;
    if (i === 301) {
      return `${time} ERROR ${worker} job 18301 failed: TimeoutError: no free connection after 5000 ms (pool size 10, in use 10)`;
    }
    if (i > 301 && i % 17 === 0) {
      return `${time} WARN  ${worker} job ${
        18000 + i
      } will be retried, attempt ${i % 3 + 1} of 3`;
    }
    return `${time} INFO  ${worker} job ${18000 + i} done in ${
      20 + i * 37 % 180
    } ms`;
  }).join("\n");
}

function grepResult(): string {
  const files = list(
    12,
    (i) => `src/${["db", "jobs", "http"][i % 3]}/unit_${i}.ts`,
  );
  return files.flatMap((file, f) =>
    list(
      9,
      (i) =>
        `${file}:${14 + 23 * i + f}:  const connection = await pool.acquire(${
          i % 2 ? "timeout" : ""
        });`,
    )
  ).join("\n");
}

function jobsJson(): string {
  const jobs = list(90, (i) => ({
    id: 18250 + i,
    queue: "billing",
    state: i === 51 ? "failed" : "done",
    attempts: i === 51 ? 3 : 1,
    worker: `worker-${i % 8}`,
    duration_ms: i === 51 ? 5000 : 20 + i * 37 % 180,
    error: i === 51 ? "TimeoutError: no free connection" : null,
  }));
  return JSON.stringify({ queue: "billing", total: 90, jobs }, null, 2);
}

function poolSource(): string {
  return [
    'import { connect } from "./driver.ts";',
    "",
    "/** Connections that are open at most. */",
    "const POOL_SIZE = 10;",
    "",
    "export class Pool {",
    "  #free = [];",
    ...list(
      24,
      (i) =>
        `  step${i}(connection) {\n    return this.#run(connection, ${i});\n  }`,
    ),
    "  async acquire(timeout = 5000) {",
    "    return this.#free.pop() ?? await connect({ timeout });",
    "  }",
    "}",
  ].join("\n");
}

function gitDiff(): string {
  return list(6, (f) => {
    const file = `src/jobs/step_${f}.ts`;
    const context = (from: number) =>
      list(9, (i) => `   const value${from + i} = row.field${from + i};`);
    return [
      `diff --git a/${file} b/${file}`,
      `index 3f1c2a${f}..9b0d4e${f} 100644`,
      `--- a/${file}`,
      `+++ b/${file}`,
      "@@ -10,19 +10,21 @@ export async function run(job) {",
      ...context(0),
      "-  const connection = await pool.acquire();",
      "+  for (let attempt = 0; attempt < 3; attempt++) {",
      "+    const connection = await pool.acquire();",
      "+  }",
      ...context(9),
    ].join("\n");
  }).join("\n") + "\n";
}

function testRun(): string {
  const dots = list(
    60,
    (i) =>
      `tests/test_unit_${two(i)}.py::test_case_${i} PASSED [${
        String(Math.floor(100 * (i + 1) / 62)).padStart(3)
      }%]`,
  );
  return [
    "============================= test session starts =============================",
    "platform linux -- Python 3.12.2, pytest-8.1.1, pluggy-1.4.0",
    "collected 62 items",
    "",
    ...dots,
    "tests/test_pool.py::test_returns_connections FAILED [ 98%]",
    "tests/test_pool.py::test_limit PASSED [100%]",
    "",
    "=================================== FAILURES ===================================",
    "___________________________ test_returns_connections ___________________________",
    "    def test_returns_connections(pool):",
    ">       assert pool.free == 10",
    "E       assert 7 == 10",
    "",
    "tests/test_pool.py:31: AssertionError",
    "=========================== short test summary info ============================",
    "FAILED tests/test_pool.py::test_returns_connections - assert 7 == 10",
    "========================= 1 failed, 61 passed in 4.12s =========================",
  ].join("\n");
}
