import assert from "node:assert/strict";
import { numberedCompressor } from "../../../src/compressors/numbered/compressor.ts";
import type { CompressOutcome } from "../../../src/core/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { GOLDENS } from "./samples.ts";

testCompressor(numberedCompressor, GOLDENS.map(({ input }) => input));

const context = {
  query: "",
  mayElide: true,
  countTokens: (text: string) => Math.ceil(text.length / 4),
};

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`numberedCompressor writes the golden text of ${name}`, () => {
    const outcome = numberedCompressor.compress(input, context);
    assert(outcome.type === "reformatted");
    assert.equal(outcome.text, expected);
  });
}

const { input } = GOLDENS.find(({ name }) => name === "readArrow")!;
const lines = input.trimEnd().split("\n");

function within(part: CompressOutcome) {
  return numberedCompressor.compress(input, {
    ...context,
    path: "/a/b.log",
    compressPart: (text, hint) => {
      assert.deepEqual(hint, { firstLine: 1, isWhole: true, path: "/a/b.log" });
      assert.equal(text.split("\n").length, lines.length);
      return part;
    },
  });
}

Deno.test("numberedCompressor uses the form of the lines' own kind where it is clearly smaller", () => {
  const omitted = { count: 3, total: 9, unit: "lines" };
  const outcome = within({ type: "elided", text: "short", omitted });
  assert(outcome.type === "elided");
  assert.equal(
    outcome.text,
    `[lines 1-${lines.length} without numbers]\nshort\n`,
  );
  assert.deepEqual(outcome.omitted, omitted);
  const long = within({
    type: "elided",
    text: "x".repeat(input.length - 99),
    omitted,
  });
  assert.equal(long.type, "reformatted");
});

Deno.test("numberedCompressor turns a reformatted form of the lines back, numbers included", () => {
  const inner = input.trimEnd().split("\n").map((line) => line.slice(7)).join(
    "\n",
  );
  const outcome = within({
    type: "reformatted",
    text: "form",
    restore: (form) => form === "form" ? inner : "wrong",
  });
  assert(outcome.type === "reformatted");
  assert.equal(
    outcome.text,
    `[lines 1-${lines.length} without numbers]\nform\n`,
  );
  assert.equal(outcome.restore?.(outcome.text), input);
});
