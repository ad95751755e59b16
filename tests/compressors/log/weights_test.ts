import assert from "node:assert/strict";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { weigh } from "../../../src/compressors/log/weights.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { serviceLines } from "./samples.ts";

Deno.test("weigh keeps both ends and an example of every kind, the last of alike ones less", () => {
  const lines = serviceLines(300);
  const weights = weigh(viewLog(lines.join("\n")), "");
  assert.ok([...weights.subarray(0, 3)].every((weight) => weight > 100));
  assert.ok([...weights.subarray(-2)].every((weight) => weight === STAYS));
  for (const kind of ["/health", "/v1/users", "hit ratio", "stored"]) {
    const first = lines.findIndex((line) => line.includes(kind));
    assert.ok((weights[first] ?? 0) >= 80, kind);
  }
  assert.ok(weights.filter((weight) => weight > 0).length < 30);
});

Deno.test("weigh keeps first and last of alike warnings, and what answers the question", () => {
  const lines = serviceLines(300);
  for (const i of [40, 80, 120, 160]) lines[i] = `WARN slow query took ${i} ms`;
  lines[200] = "2026-02-02T02:40:00.000Z INFO  [http-3] GET /v1/kiwi 200 9ms";
  const weights = weigh(viewLog(lines.join("\n")), "what about the kiwi?");
  const staying = lines.filter((_, i) => weights[i] === STAYS);
  assert.deepEqual(staying.filter((line) => line.startsWith("WARN")), [
    "WARN slow query took 40 ms",
    "WARN slow query took 160 ms",
  ]);
  assert.ok(staying.some((line) => line.includes("kiwi")));
});
