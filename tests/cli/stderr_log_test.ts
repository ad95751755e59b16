import assert from "node:assert/strict";
import { stderrLog } from "../../src/cli/stderr_log.ts";
import { makeStyle } from "../../src/cli/style.ts";

function linesOf(use: (log: ReturnType<typeof stderrLog>) => void): string[] {
  const lines: string[] = [];
  use(stderrLog((line) => lines.push(line), makeStyle(false, {})));
  return lines;
}

Deno.test("stderrLog writes warnings and errors as one line each", () => {
  const lines = linesOf((log) => {
    log("warn", "store_unavailable", { path: "/a/b.db", tries: 2 });
    log("error", "worker_failed");
  });
  assert.deepEqual(lines, [
    "warn store_unavailable path=/a/b.db tries=2\n",
    "error worker_failed\n",
  ]);
});

Deno.test("stderrLog drops info", () => {
  assert.deepEqual(linesOf((log) => log("info", "request")), []);
});

Deno.test("stderrLog keeps a value with spaces, quotes or line breaks on one line", () => {
  const lines = linesOf((log) => log("warn", "x", { text: 'a "b"\nc=d' }));
  assert.deepEqual(lines, ['warn x text="a \\"b\\"\\nc=d"\n']);
});
