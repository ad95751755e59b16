import assert from "node:assert/strict";
import fc from "fast-check";
import {
  hashRange,
  lineIds,
} from "../../../src/compressors/config/line_ids.ts";
import { indexLines } from "../../../src/text/lines.ts";

Deno.test("lineIds gives equal numbers to equal lines only", () => {
  const line = fc.constantFrom("", "a", "b", "ab", "é", "ũ", "é ", "a\r");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const text = lines.join("\n");
      const { ids, times } = lineIds(indexLines(text));
      const seen = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      for (const [i, a] of seen.entries()) {
        for (const [j, b] of seen.entries()) {
          assert.equal(ids[i] === ids[j], a === b, `${a} ${b}`);
        }
        assert.equal(times[ids[i]!], seen.filter((b) => b === a).length);
      }
    }),
  );
});

Deno.test("hashRange depends on the characters in the range alone", () => {
  const { codes } = indexLines("abcXabc");
  assert.equal(hashRange(codes, 0, 3), hashRange(codes, 4, 7));
  assert.notEqual(hashRange(codes, 0, 3), hashRange(codes, 0, 4));
});
