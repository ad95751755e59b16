import assert from "node:assert/strict";
import fc from "fast-check";
import { rangeText, readRanges } from "../../../src/ccr/parts/ranges.ts";

/** Ranges as `41-80,90-`, before them what is counted unless it is lines. */
function read(given: string): string | undefined {
  const found = readRanges(given);
  if (found === undefined) return undefined;
  const ranges = found.ranges.map(rangeText).join(",");
  return found.unit === "lines" ? ranges : `${found.unit} ${ranges}`;
}

Deno.test("readRanges reads what models write", () => {
  const cases: Readonly<Record<string, string>> = {
    "41-80": "41-80",
    " 41 - 80 ": "41-80",
    "41": "41",
    "41-": "41-",
    "41+": "41-",
    "41–80": "41-80",
    "41—80": "41-80",
    "41..80": "41-80",
    "41...80": "41-80",
    "41:80": "41-80",
    "41 to 80": "41-80",
    "41,80p": "41-80",
    "41,$p": "41-",
    "L41-L80": "41-80",
    "l41": "41",
    "lines 41-80": "41-80",
    "Lines: 41-80": "41-80",
    "line 7": "7",
    "[41-80]": "41-80",
    "#41": "41",
    "10-20,40-50": "10-20,40-50",
    "10-20; 40-50": "10-20,40-50",
    "10-20 and 40-50": "10-20,40-50",
    "10-20 40-50": "10-20,40-50",
    "302,304,306": "302,304,306",
    "… lines 4-50 omitted": "4-50",
    "lines 41-80 of 240": "41-80",
    "[lines 3-9 omitted]": "3-9",
    "… items 6-11 of 18 omitted": "items 6-11",
    "new lines 7-79": "new 7-79",
    "old 3": "old 3",
    "characters 201-400": "characters 201-400",
  };
  for (const [given, expected] of Object.entries(cases)) {
    assert.equal(read(given), expected, given);
  }
});

Deno.test("readRanges gives nothing for what is no range", () => {
  for (
    const given of [
      "",
      "-",
      "-80",
      "foo",
      "4x",
      "1-2-3",
      "lines",
      "1,,2",
      "41 -- 80",
      "1".repeat(2000),
    ]
  ) assert.equal(readRanges(given), undefined, given);
});

Deno.test("readRanges puts ends right, 0 to 1, and what overlaps together", () => {
  assert.equal(read("80-41"), "41-80");
  assert.equal(read("0-3"), "1-3");
  assert.equal(read("5-9,1-6,9-12,20"), "1-12,20");
  assert.equal(read("1-3,4-6"), "1-6");
  assert.equal(read("7-,9"), "7-");
});

Deno.test("readRanges gives ranges in order and apart, whatever is given", () => {
  const range = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => `${a}-${b}`);
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 8 }), (all) => {
      const { ranges } = readRanges(all.join(","))!;
      ranges.forEach(({ from, to }, i) => {
        assert.ok(from >= 1 && from <= to);
        if (i > 0) assert.ok(from > ranges[i - 1]!.to + 1);
      });
    }),
  );
});
