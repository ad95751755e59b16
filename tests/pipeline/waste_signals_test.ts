import assert from "node:assert/strict";
import fc from "fast-check";
import { WASTE_SIGNALS } from "../../src/pipeline/waste_search.ts";
import { wasteSignals } from "../../src/pipeline/waste_signals.ts";

const length = (text: string) => text.length;

Deno.test("wasteSignals names every kind, with zeros where there is none", () => {
  const none = Object.fromEntries(WASTE_SIGNALS.map((name) => [name, 0]));
  assert.deepEqual(wasteSignals([], length), none);
  assert.deepEqual(wasteSignals(["fine", "words"], length), none);
});

Deno.test("wasteSignals counts what it found in all texts", () => {
  const signals = wasteSignals(
    ["at 2026-03-02", "on 2026-03-03", { text: "name     size" }],
    length,
  );
  assert.equal(signals.dynamic_date, 20);
  assert.equal(signals.whitespace, 4);
});

Deno.test("wasteSignals counts equal pieces once, and takes the rest of many for alike", () => {
  const counted: string[] = [];
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id }));
  const { json_bloat } = wasteSignals([JSON.stringify(rows)], (text) => {
    counted.push(text);
    return 2;
  });
  assert.deepEqual(counted, ['"id":']);
  assert.equal(json_bloat, 2 * 2999);
});

Deno.test("wasteSignals never counts more than there is, whatever the texts", () => {
  fc.assert(fc.property(fc.array(fc.string({ maxLength: 400 })), (texts) => {
    const total = texts.join("").length;
    for (const tokens of Object.values(wasteSignals(texts, length))) {
      assert(tokens >= 0 && tokens <= total);
    }
  }));
});
