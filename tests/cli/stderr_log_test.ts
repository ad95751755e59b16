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

Deno.test("stderrLog writes a record that the user can act on as a sentence on one line", () => {
  const lines = linesOf((log) =>
    log("warn", "ccr_store_unavailable", { path: "/a/b.db", reason: "no\nway" })
  );
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^Warning: Cannot use the database \/a\/b\.db \(no way\)\. .+ \[ccr_store_unavailable\]\n$/,
  );
});

Deno.test("stderrLog writes no sign that turns the direction of writing", () => {
  const lines = linesOf((log) =>
    log("warn", "request_log_unavailable", { path: "/a", reason: "\u202eevil" })
  );
  assert.match(lines[0]!, / evil/);
  assert.doesNotMatch(lines[0]!, /\u202e/);
});
