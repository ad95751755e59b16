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

Deno.test("weigh keeps the failures in a tree of tests, and none that passed", () => {
  const lines = [
    "├─ JUnit Jupiter ✔",
    "│  ├─ GateTest ✔",
    "│  │  ├─ chargesACar() ✔",
    "│  │  ├─ passesInOrder() ✔",
    "│  │  └─ acceptsPlates(String) ✔",
    "│  │     └─ [3] M-ÄB 7 ✘ not a plate: M-ÄB 7",
    "│  └─ TariffTest ✔",
    ...Array.from({ length: 20 }, (_, i) => `│     ├─ price at ${i}:00 ✔`),
    "",
    "Test run finished after 214 ms",
  ];
  const weights = weigh(viewLog(lines.join("\n")), "");
  assert.equal(weights[5], STAYS);
  assert.deepEqual(
    lines.filter((line, i) => line.endsWith("✔") && weights[i] === STAYS),
    ["│  │  └─ acceptsPlates(String) ✔"].slice(1),
  );
});

Deno.test("weigh keeps the ends of packages that passed, and each total that did not", () => {
  const lines = [
    ...serviceLines(60),
    ...Array.from(
      { length: 9 },
      (_, i) => `ok  \texample.com/fleetd/p${i}\t0.${i + 1}3s`,
    ),
    "FAIL\texample.com/fleetd/lease\t2.114s",
  ];
  const weights = weigh(viewLog(lines.join("\n")), "");
  const passed = [...weights.subarray(60, 69)];
  // The last one is the neighbour of the failure.
  assert.ok(passed.slice(0, -1).every((weight) => weight !== STAYS));
  assert.equal(passed.filter((weight) => weight >= 200).length, 4);
  assert.equal(weights[69], STAYS);
});
