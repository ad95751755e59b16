import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldNumbers,
  unfoldNumbers,
} from "../../../src/compressors/numbered/fold.ts";
import { numberedRun, withNumbers } from "../../../src/text/line_numbers.ts";

Deno.test("foldNumbers keeps every tenth number and says how the others were written", () => {
  const lines = Array.from({ length: 12 }, (_, i) => `  x${i}`);
  const style = { pad: " " as const, width: 6, separator: "→" };
  const text = withNumbers(lines.join("\n"), style, 8);
  const folded = foldNumbers(text, numberedRun(text)!);
  assert.deepEqual(folded.split("\n").slice(0, 4), [
    '[lines 8-19, each began with its number as "     8→"; shown on every 10th]',
    "  x0",
    "  x1",
    "10→  x2",
  ]);
  assert.equal(unfoldNumbers(folded), text);
});

Deno.test("unfoldNumbers turns any fold back, whatever the lines hold", () => {
  const line = fc.oneof(
    fc.string().filter((text) => !text.includes("\n")),
    fc.constantFrom(
      "",
      "10→x",
      "20\t",
      '[lines 1-9, each began with its number as "1:"; shown on every 10th]',
    ),
  );
  fc.assert(fc.property(
    fc.array(line, { minLength: 8, maxLength: 60 }),
    fc.constantFrom("→", "\t", ": ", ":", "| "),
    fc.integer({ min: 1, max: 300 }),
    fc.constantFrom("", "head\n"),
    fc.constantFrom("", "\n", "\n\n<tail>\n"),
    (lines, separator, first, head, tail) => {
      const style = { pad: " " as const, width: 6, separator };
      const text = head + withNumbers(lines.join("\n"), style, first) + tail;
      const run = numberedRun(text);
      fc.pre(run !== undefined);
      assert.equal(unfoldNumbers(foldNumbers(text, run)), text);
    },
  ));
});

Deno.test("unfoldNumbers returns a text without a note as it is", () => {
  assert.equal(unfoldNumbers("a\nb"), "a\nb");
});
