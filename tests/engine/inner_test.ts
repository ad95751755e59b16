import assert from "node:assert/strict";
import type { CompressOutcome } from "../../src/core/compressor.ts";
import { compressInner } from "../../src/engine/inner.ts";

const TEXT = `1: a${"-".repeat(200)}\n2: b`;
const INNER = {
  text: "a\nb",
  firstLine: 1,
  head: "[no numbers]\n",
  tail: "\n",
  rendered: (text: string) => `numbered ${text}`,
};
const FOLD = { text: "x".repeat(150), restore: () => TEXT };

function compress(form: CompressOutcome, fold = true): CompressOutcome {
  return compressInner(INNER, { text: TEXT, fold: fold ? FOLD : undefined }, {
    query: "",
    mayElide: true,
    countTokens: (text) => text.length,
    compressPart: () => form,
  });
}

Deno.test("compressInner puts the form of the text inside in its place, when that is smaller than the fold", () => {
  const omitted = { count: 1, total: 2, unit: "lines" };
  assert.deepEqual(compress({ type: "elided", text: "…", omitted }), {
    type: "elided",
    text: "[no numbers]\n…\n",
    omitted,
  });
});

Deno.test("compressInner undoes the form of the text inside and then its rendering", () => {
  const outcome = compress({
    type: "reformatted",
    text: "ab",
    restore: (form) => form + form,
  });
  assert.ok(outcome.type === "reformatted");
  assert.equal(outcome.restore?.(outcome.text), "numbered abab");
});

Deno.test("compressInner uses the fold when nothing inside gains, and nothing when that does not either", () => {
  const dull: CompressOutcome = { type: "unchanged", reason: "dull" };
  assert.equal(compress(dull).type, "reformatted");
  assert.deepEqual(compress(dull, false), {
    type: "unchanged",
    reason: "nothing_to_fold",
  });
});
