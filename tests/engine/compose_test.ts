import assert from "node:assert/strict";
import type { CompressOutcome } from "../../src/core/compressor.ts";
import { composeParts } from "../../src/engine/compose.ts";

const UNCHANGED: CompressOutcome = { type: "unchanged", reason: "dull" };
const PARTS = [
  { start: 2, end: 6, line: 1 },
  { start: 8, end: 12, line: 3 },
];
const TEXT = "a\nbbbb\nccccc\nd";

function compose(forms: readonly CompressOutcome[]): CompressOutcome {
  let next = 0;
  return composeParts(TEXT, PARTS, {
    query: "",
    mayElide: true,
    countTokens: (text) => text.length,
    compressPart: () => forms[next++] ?? UNCHANGED,
  });
}

Deno.test("composeParts keeps what is around the parts, and is undone part by part", () => {
  const restore = () => "bbbb";
  const form = compose([{ type: "reformatted", text: "b4", restore }]);
  assert.equal(form.type, "reformatted");
  if (form.type !== "reformatted") return;
  assert.equal(form.text, "a\nb4\nccccc\nd");
  assert.equal(form.restore?.(form.text), TEXT);
});

Deno.test("composeParts adds up what the parts left out", () => {
  const omitted = { count: 3, total: 4, unit: "lines" };
  const both = compose([
    { type: "elided", text: "…", omitted },
    { type: "elided", text: "…", omitted: { ...omitted, unit: "rows" } },
  ]);
  assert.deepEqual(both, {
    type: "elided",
    text: "a\n…\nc…\nd",
    omitted: { count: 6, total: 8, unit: "items" },
  });
});

Deno.test("composeParts is unchanged when no part gains, or the text is too deep inside another", () => {
  assert.deepEqual(compose([]), { type: "unchanged", reason: "no_part_gains" });
  const context = { query: "", mayElide: true, countTokens: () => 1 };
  assert.deepEqual(
    composeParts(TEXT, PARTS, context),
    { type: "unchanged", reason: "too_deep" },
  );
});

Deno.test("composeParts gives the reason of the only part, when that is the whole text", () => {
  const outcome = composeParts(TEXT, [{
    start: 1,
    end: 14,
    line: 0,
    isWhole: true,
  }], {
    query: "",
    mayElide: true,
    countTokens: () => 1,
    compressPart: () => UNCHANGED,
  });
  assert.deepEqual(outcome, UNCHANGED);
});

Deno.test("composeParts folds lines that repeat where no part gains, if that saves enough", () => {
  const header = Array.from({ length: 6 }, (_, i) => `committer ${i} of it\n`);
  const text = Array.from(
    { length: 5 },
    (_, i) => `${i} ${i}\n${header.join("")}\tline ${i}\n`,
  ).join("");
  const context = {
    query: "",
    mayElide: true,
    countTokens: (part: string) => part.length,
    compressPart: () => UNCHANGED,
  };
  const form = composeParts(text, [], context);
  assert.equal(form.type, "reformatted");
  if (form.type !== "reformatted") return;
  assert.ok(
    form.text.includes("\n4 4\n… (lines 2-7 again)\n\tline 4\n"),
  );
  assert.equal(form.restore?.(form.text), text);
  const dear = { ...context, countTokens: () => 100 };
  assert.equal(composeParts(text, [], dear).type, "unchanged");
});
