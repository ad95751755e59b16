import assert from "node:assert/strict";
import { focusOn } from "../../../src/compressors/prose/focus.ts";
import { outlineOf } from "../../../src/compressors/prose/outline.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

const text = ["start", "valve", "pipe", "tank", "pump"].map((word) =>
  `# About the ${word}\n\nThe ${word} is described in this place. It is a good one.\n`
).join("\n");

function focus(query: string) {
  const lines = indexLines(text);
  const units = unitsOf(lines);
  const sections = outlineOf(lines, units);
  const tokens = new Float64Array(units.length).fill(10);
  const found = focusOn(lines, units, { query, sections, tokens });
  const said = (unit: number) =>
    text.slice(units[unit]!.start, units[unit]!.end);
  return {
    best: [...found.best].map(said).sort(),
    asked: [...found.asked].map((s) => said(sections[s]!.from)),
    fit: found.fit,
  };
}

Deno.test("focusOn finds the units that fit and the section that is asked for", () => {
  const { best, asked, fit } = focus("where is the tank?");
  assert.deepEqual(best, [
    "# About the tank",
    "The tank is described in this place.",
  ]);
  assert.deepEqual(asked, ["# About the tank"]);
  assert.equal(Math.max(...fit), 1);
});

Deno.test("focusOn counts the arguments of the call less than the question", () => {
  const { best, asked } = focus('how big is the tank?\n{"topic":"pump"}');
  assert.ok(asked.includes("# About the tank"));
  assert.ok(best.includes("The tank is described in this place."));
});

Deno.test("focusOn finds nothing without a query or a fit", () => {
  for (const query of ["", "zebra", "the of and"]) {
    const { best, asked } = focus(query);
    assert.deepEqual([...best, ...asked], []);
  }
});
