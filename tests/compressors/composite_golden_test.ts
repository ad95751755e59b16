/** Texts in wrappers and texts of several kinds, through all compressors. */
import assert from "node:assert/strict";
import { CONTENT } from "../../src/compressors/registry.ts";
import { makeDetector } from "../../src/compressors/detector.ts";
import type { CompressOutcome } from "../../src/core/compressor.ts";
import { compressByKind } from "../../src/pipeline/compress_by_kind.ts";
import { jobOf } from "../pipeline/jobs.ts";
import { goldensIn } from "./goldens.ts";

const parts = {
  detector: makeDetector(CONTENT),
  content: CONTENT,
  counter: {
    encodingOf: () => "quarter",
    count: (text: string) => Math.ceil(text.length / 4),
  },
};

function outcomeOf(input: string): CompressOutcome {
  return compressByKind(parts, {
    job: jobOf(input),
    original: "",
    tokens: Math.ceil(input.length / 4),
    mayElide: true,
    log: [],
  }).outcome;
}

for (
  const { name, input, expected } of ["mixed", "wrapped"].flatMap(goldensIn)
) {
  Deno.test(`compressByKind writes the golden text of ${name}`, () => {
    const outcome = outcomeOf(input);
    const text = outcome.type === "unchanged"
      ? `unchanged: ${outcome.reason}\n`
      : outcome.text;
    assert.equal(text, expected);
    if (outcome.type === "reformatted") {
      assert.equal(outcome.restore?.(outcome.text), input);
    }
  });
}
