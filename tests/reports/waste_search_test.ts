import assert from "node:assert/strict";
import {
  WASTE_SIGNALS,
  WasteSearch,
  type WasteSignal,
  type WasteText,
} from "../../src/reports/waste_search.ts";

function searched(...texts: readonly WasteText[]) {
  const search = new WasteSearch();
  let slices = 0;
  for (const text of texts) for (const _ of search.look(text)) slices++;
  const found = WASTE_SIGNALS.filter((signal) =>
    search.sample(signal).units > 0
  );
  return {
    found,
    slices,
    sample: (signal: WasteSignal) => search.sample(signal),
  };
}

Deno.test("WasteSearch finds nothing in prose", () => {
  assert.deepEqual(
    searched({ text: "Why does it fail?\n\n  Please look." })
      .found,
    [],
  );
});

Deno.test("WasteSearch counts the blanks of JSON as its form, and no repeated lines in it", () => {
  const rows = Array.from({ length: 9 }, () => ({ state: "a long word here" }));
  const text = JSON.stringify(rows, null, 2);
  assert.deepEqual(searched({ text }).found, ["json_bloat"]);
  assert.deepEqual(searched({ text: `${text}\nnot JSON` }).found, [
    "repetition",
  ]);
});

Deno.test("WasteSearch takes a text for markup by its closing tags", () => {
  const text = "<ul><li>a</li><li>b</li></ul>";
  assert.deepEqual(searched({ text }).found, ["html_noise"]);
  assert.deepEqual(searched({ text: "a <li>b</li> c" }).found, []);
});

Deno.test("WasteSearch finds lines that came before in the same text, and only there", () => {
  const line = "the same line of some length";
  const { found, sample } = searched({ text: `${line}\nx\n${line}\n${line}` });
  assert.deepEqual(found, ["repetition"]);
  assert.deepEqual(sample("repetition").pieces, [line, line]);
  assert.deepEqual(searched({ text: line }, { text: `${line}!` }).found, []);
});

Deno.test("WasteSearch finds a text that is read again, unless it is asked for at once or short", () => {
  const text = Array.from({ length: 20 }, (_, i) => `line number ${i}`).join(
    "\n",
  );
  const again = (at: number, isCompressed = false) =>
    searched({ text, at: 0, isCompressed }, { text, at }).found;
  assert.deepEqual(again(3), []);
  assert.deepEqual(again(4), ["reread"]);
  assert.deepEqual(again(4, true), ["reread_compressed"]);
  assert.deepEqual(searched({ text: "ok" }, { text: "ok", at: 9 }).found, []);
});

Deno.test("WasteSearch yields after each slice, and looks at 4 Mi units of text at most", () => {
  const text = "some words\n".repeat(6000);
  assert.equal(searched({ text }).slices, Math.ceil(text.length / 16_000));
  const huge = { text: `${"x".repeat(4 * 1024 * 1024)} 2026-03-02` };
  assert.deepEqual(searched(huge, { text: "2026-03-02" }).found, [
    "dynamic_date",
  ]);
});

Deno.test("WasteSearch keeps at most 512 pieces of a kind, spread evenly, and the size of all", () => {
  const text = Array.from({ length: 5000 }, (_, i) => `${1_700_000_000 + i}`)
    .join(" ");
  const { units, pieces } = searched({ text }).sample("dynamic_date");
  assert.equal(units, 50_000);
  assert(pieces.length > 256 && pieces.length <= 512);
  const steps = pieces.slice(1).map((piece, i) =>
    Number(piece) - Number(pieces[i])
  );
  assert.deepEqual([...new Set(steps)], [steps[0]]);
});
