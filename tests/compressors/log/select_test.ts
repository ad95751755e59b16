import assert from "node:assert/strict";
import { selectLines } from "../../../src/compressors/log/select.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { serviceLines } from "./samples.ts";

function kept(lines: readonly string[], query = ""): string[] {
  const keep = selectLines(viewLog(indexLines(lines.join("\n"))), query);
  return lines.filter((_, i) => keep[i]);
}

Deno.test("selectLines keeps both ends", () => {
  const lines = serviceLines(300);
  const stay = kept(lines);
  assert.deepEqual(stay.slice(0, 3), lines.slice(0, 3));
  assert.deepEqual(stay.slice(-6), lines.slice(-6));
  assert.ok(stay.length < 60);
});

Deno.test("selectLines keeps what is indented below an error, over a blank line", () => {
  const lines = serviceLines(300);
  const message = [
    "● cart › applies the discount",
    "",
    "    Expected: 90",
    "    Received: 81",
  ];
  lines.splice(150, 0, ...message);
  const stay = kept(lines);
  for (const line of message.filter((line) => line !== "")) {
    assert.ok(stay.includes(line), line);
  }
});

Deno.test("selectLines keeps first and last of alike warnings", () => {
  const lines = serviceLines(300);
  for (const i of [40, 80, 120, 160]) lines[i] = `WARN slow query took ${i} ms`;
  assert.deepEqual(kept(lines).filter((line) => line.startsWith("WARN")), [
    "WARN slow query took 40 ms",
    "WARN slow query took 160 ms",
  ]);
});

Deno.test("selectLines keeps an example of every kind", () => {
  const lines = serviceLines(300);
  for (const kind of ["/health", "/v1/users", "hit ratio", "stored"]) {
    assert.ok(kept(lines).some((line) => line.includes(kind)), kind);
  }
});
