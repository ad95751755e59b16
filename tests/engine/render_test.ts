import assert from "node:assert/strict";
import { type Rendering, renderUnits } from "../../src/engine/render.ts";
import { indexLines } from "../../src/text/lines.ts";

const TEXT = Array.from({ length: 9 }, (_, i) => `line ${i} of some length\n`)
  .join("");

function render(given: Partial<Rendering>): ReturnType<typeof renderUnits> {
  const text = given.text ?? TEXT;
  const { starts } = indexLines(text);
  starts[starts.length - 1] = text.length;
  return renderUnits({
    text,
    units: { starts, weights: new Uint8Array(starts.length - 1) },
    gaps: [],
    unit: "sentences",
    firstLine: 1,
    label: () => "",
    ...given,
  });
}

Deno.test("renderUnits writes a note for a gap of whole lines and counts lines", () => {
  const { text, omitted } = render({
    gaps: [{ from: 2, to: 8 }],
    firstLine: 41,
    label: () => "3 warnings",
  });
  assert.equal(
    text,
    "line 0 of some length\nline 1 of some length\n" +
      "… lines 43-48 omitted (3 warnings)\nline 8 of some length\n",
  );
  assert.deepEqual(omitted, { count: 6, total: 9, unit: "lines" });
});

Deno.test("renderUnits leaves a label out when it is longer than what it stands for", () => {
  const { text } = render({
    gaps: [{ from: 2, to: 4 }],
    label: () => "x".repeat(60),
  });
  assert.ok(text.includes("\n… lines 3-4 omitted\n"));
});

Deno.test("renderUnits ends the text as the original ends, when the last lines are left out", () => {
  const gaps = [{ from: 1, to: 9 }];
  assert.ok(render({ gaps }).text.endsWith("… lines 2-9 omitted\n"));
  const text = TEXT.slice(0, -1);
  assert.ok(render({ gaps, text }).text.endsWith("… lines 2-9 omitted"));
  const crlf = TEXT.replaceAll("\n", "\r\n");
  assert.ok(
    render({ gaps, text: crlf }).text.endsWith("… lines 2-9 omitted\r\n"),
  );
});

Deno.test("renderUnits notes sentences within a line and counts units", () => {
  const text = "One is here. Two is there. Three is gone. Four stays.\n";
  const starts = Uint32Array.of(0, 13, 27, 42, text.length);
  const units = { starts, weights: new Uint8Array(4) };
  const { text: form, omitted } = render({
    text,
    units,
    gaps: [{ from: 1, to: 3 }],
  });
  assert.equal(form, "One is here. … [2 sentences omitted] … Four stays.\n");
  assert.deepEqual(omitted, { count: 2, total: 4, unit: "sentences" });
});

Deno.test("renderUnits writes kept units as their kind writes them, with its signs before notes", () => {
  const { starts } = indexLines(TEXT);
  const units = {
    starts,
    weights: new Uint8Array(9),
    write: (unit: number) => `${unit};`,
    lead: () => "  // ",
  };
  const { text } = render({ units, gaps: [{ from: 1, to: 8 }] });
  assert.equal(text, "0;  // … lines 2-8 omitted\n8;");
});

Deno.test("renderUnits says what a gap lacks in the words of the kind", () => {
  const gaps = [{ from: 2, to: 8 }];
  const { text } = render({
    gaps,
    label: () => "3 matches",
    missing: () => "lines 40-310",
  });
  assert.ok(text.includes("\n… lines 40-310 omitted (3 matches)\n"));
});

Deno.test("renderUnits writes units of no length where they are", () => {
  const text = "a.ts:1:one\na.ts:2:two\n";
  const written = ["a.ts\n", "1:one\n", "2:two\n"];
  const starts = Uint32Array.of(0, 0, 11, text.length);
  const units = {
    starts,
    weights: new Uint8Array(3),
    write: (unit: number) => written[unit] ?? "",
  };
  assert.equal(render({ text, units }).text, written.join(""));
  const { text: form, omitted } = render({
    text,
    units,
    gaps: [{ from: 2, to: 3 }],
  });
  assert.equal(form, "a.ts\n1:one\n… line 2 omitted\n");
  assert.deepEqual(omitted, { count: 1, total: 2, unit: "lines" });
});

Deno.test("renderUnits writes no note for a gap of which a kept unit tells, and counts its lines", () => {
  const text = TEXT.slice(0, 66);
  const starts = Uint32Array.of(0, 22, 44, 66);
  const units = {
    starts,
    weights: new Uint8Array(3),
    told: Uint8Array.of(0, 1, 0),
    write: (unit: number, kept?: Uint8Array) =>
      unit === 0 && kept?.[1] === 0 ? "line 0 and another\n" : `line ${unit}\n`,
  };
  const { text: form, omitted } = render({
    text,
    units,
    gaps: [{ from: 1, to: 2 }],
    kept: Uint8Array.of(1, 0, 1),
  });
  assert.equal(form, "line 0 and another\nline 2\n");
  assert.deepEqual(omitted, { count: 1, total: 3, unit: "lines" });
});
