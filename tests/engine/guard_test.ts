import assert from "node:assert/strict";
import { STAYS } from "../../src/engine/choose.ts";
import { withNotesKept } from "../../src/engine/guard.ts";
import { indexLines } from "../../src/text/lines.ts";

Deno.test("withNotesKept makes notes and the lines beside them stay, and no others", () => {
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`);
  lines[3] = "… lines 3-9 omitted";
  lines[9] = "[9 lines compressed to 1. Retrieve more: hash=0123456789ab]";
  const text = lines.join("\n") + "\n";
  const { starts } = indexLines(text);
  const units = { starts, weights: new Uint8Array(12) };
  const { weights } = withNotesKept(text, units);
  const kept = [...weights].flatMap((weight, i) => weight === STAYS ? i : []);
  assert.deepEqual(kept, [2, 3, 4, 8, 9, 10]);
  assert.ok(units.weights.every((weight) => weight === 0));
});

Deno.test("withNotesKept returns the same units when there are no notes", () => {
  const units = { starts: Uint32Array.of(0, 2), weights: new Uint8Array(1) };
  assert.equal(withNotesKept("a\n", units), units);
});
