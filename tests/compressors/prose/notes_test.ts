import assert from "node:assert/strict";
import { renderGaps } from "../../../src/compressors/prose/notes.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

const TEXT = "One is here now. Two is here now. Three is here now.\n\n" +
  "Four is here and goes\non. Five is here and goes\non. Six is here and ends.\n";

function render(from: number, to: number, firstLine = 1) {
  const lines = indexLines(TEXT);
  const gaps = [{ from, to }];
  return renderGaps(lines, { units: unitsOf(lines), gaps, firstLine });
}

Deno.test("renderGaps notes sentences of one line by their number", () => {
  const { text, omitted } = render(1, 2);
  assert.ok(text.startsWith(
    "One is here now. … [1 sentence omitted] … Three is here now.\n",
  ));
  assert.deepEqual(omitted, { count: 1, total: 6, unit: "sentences" });
  assert.ok(
    render(1, 3).text.startsWith(
      "One is here now. … [2 sentences omitted]\n\nFour",
    ),
  );
  assert.ok(
    render(0, 2).text.startsWith(
      "… [2 sentences omitted] … Three is here now.\n",
    ),
  );
});

Deno.test("renderGaps notes sentences of several lines by the lines", () => {
  assert.ok(
    render(4, 5).text.endsWith(
      "Four is here and goes\non. … [lines 4-5 omitted] … Six is here and ends.\n",
    ),
  );
});

Deno.test("renderGaps notes whole lines on a line, counted from the first line", () => {
  const { text, omitted } = render(3, 6, 101);
  assert.ok(text.endsWith("now.\n\n… lines 103-105 omitted\n"));
  assert.deepEqual(omitted, { count: 3, total: 5, unit: "lines" });
  assert.ok(render(0, 3).text.startsWith("… line 1 omitted\n\nFour"));
});

Deno.test("renderGaps names what is in a gap", () => {
  const text = `One.\n\n#### first()\n\n${
    "It says something here. ".repeat(9)
  }\n`;
  const lines = indexLines(text);
  const units = unitsOf(lines);
  const gaps = [{ from: 1, to: units.length }];
  assert.ok(
    renderGaps(lines, { units, gaps, firstLine: 1 }).text
      .endsWith("… lines 3-5 omitted (first())\n"),
  );
});
