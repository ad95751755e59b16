import assert from "node:assert/strict";
import fc from "fast-check";
import {
  closeCutOff,
  splitRest,
  withoutBrackets,
  withRest,
} from "../../../src/compressors/json/cut_off.ts";
import { anyDocument, print, STYLES } from "./json_text.ts";

const rows = Array.from(
  { length: 40 },
  (_, i) => ({ id: i, name: `row ${i}` }),
);

Deno.test("closeCutOff keeps complete elements and what follows them", () => {
  const text = JSON.stringify({ total: 40, rows }).slice(0, 700);
  const cut = closeCutOff(text);
  assert.ok(cut);
  assert.equal(cut.brackets, "]}");
  const closed = JSON.parse(cut.closed);
  assert.deepEqual(closed.rows, rows.slice(0, closed.rows.length));
  assert.equal(cut.closed.slice(0, -2) + cut.rest, text);
  assert.match(cut.rest, /^,\{"id":/);
});

Deno.test("closeCutOff closes indented JSON in its layout", () => {
  const text = JSON.stringify({ a: { rows } }, null, 2).slice(0, 1_500);
  const cut = closeCutOff(text);
  assert.ok(cut);
  assert.ok(cut.closed.endsWith("\n      }\n    ]\n  }\n}"), cut.closed);
  assert.equal(
    withoutBrackets(cut.closed, cut.brackets.length) + cut.rest,
    text,
  );
});

Deno.test("closeCutOff knows where JSON Lines and wide objects break off", () => {
  const lines = rows.map((row) => JSON.stringify(row)).join("\n").slice(0, 600);
  const cut = closeCutOff(lines);
  assert.equal(cut?.brackets, "");
  assert.match(cut.rest, /^\n\{"id":/);
  const wide = JSON.stringify(
    Object.fromEntries(rows.map(({ id, name }) => [name, id])),
  );
  assert.equal(closeCutOff(wide.slice(0, 300))?.brackets, "}");
});

Deno.test("closeCutOff takes the notices of tools for an end", () => {
  const text = JSON.stringify(rows).slice(0, 600);
  for (
    const notice of [
      "...",
      "\n... [truncated]",
      "…",
      "\n[output truncated: 900 lines]",
      "\n<response cut off>",
      "... (12 more rows)",
    ]
  ) {
    const cut = closeCutOff(text + notice);
    assert.ok(cut?.rest.endsWith(notice), notice);
  }
});

Deno.test("closeCutOff leaves everything else alone", () => {
  const whole = JSON.stringify(rows);
  for (
    const text of [
      whole,
      `${whole} done`,
      whole.slice(0, 150),
      whole.slice(0, 400) + "\nTraceback (most recent call last):\n  x\n",
      whole.slice(0, 400) + '"oops":}' + whole.slice(400),
      "[".repeat(500),
      "[INFO] build started\n".repeat(30),
      '{\n  return call("x");\n}\n'.repeat(30),
      `["${"x".repeat(500)}`,
      `["a","${"x".repeat(500)}`,
    ]
  ) assert.equal(closeCutOff(text), undefined, text.slice(0, 60));
});

Deno.test("splitRest and withoutBrackets undo withRest, wherever JSON breaks off", () => {
  let cuts = 0;
  fc.assert(
    fc.property(
      fc.array(anyDocument, { minLength: 4, maxLength: 8 }),
      fc.constantFrom(...Object.values(STYLES)),
      fc.double({ min: 0.3, max: 1, noNaN: true }),
      (values, style, share) => {
        const whole = print(values, style);
        const text = whole.slice(0, Math.floor(whole.length * share));
        const cut = closeCutOff(text);
        if (cut === undefined) return;
        cuts++;
        JSON.parse(cut.closed);
        const split = splitRest(withRest(cut.closed, cut));
        assert.ok(split);
        assert.equal(
          withoutBrackets(split.form, split.brackets) + split.rest,
          text,
        );
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(cuts > 30, `${cuts}`);
});

Deno.test("splitRest finds nothing in a complete form", () => {
  assert.equal(splitRest('{"a":1}'), undefined);
});
