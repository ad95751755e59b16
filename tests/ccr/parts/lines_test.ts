import assert from "node:assert/strict";
import fc from "fast-check";
import { cutLines, withNotes } from "../../../src/ccr/parts/lines.ts";
import type { Piece } from "../../../src/ccr/parts/piece.ts";

const FIVE = "one\ntwo\nthree\nfour\nfive\n";

/** Lines of a text, and what is said of them; or the error. */
function cut(text: string, given: string, numbers?: readonly number[]) {
  const piece: Piece = {
    text,
    way: "lines",
    items: 0,
    said: [],
    ...numbers && { numbers: Uint32Array.from(numbers) },
  };
  const found = cutLines({ piece, noun: "lines", hint: "a query" }, given);
  if ("error" in found) return found.error;
  return [withNotes(found), found.items, found.said.join()] as const;
}

Deno.test("cutLines gives exact lines, counted from 1", () => {
  assert.deepEqual(cut(FIVE, "2-3"), ["two\nthree\n", 2, "lines 2-3 of 5"]);
  assert.deepEqual(cut(FIVE, "5"), ["five\n", 1, "line 5 of 5"]);
  assert.deepEqual(cut("a\r\nb", "1-2"), ["a\r\nb", 2, "lines 1-2 of 2"]);
});

Deno.test("cutLines clips a range at the end and says so", () => {
  assert.deepEqual(cut(FIVE, "4-99"), ["four\nfive\n", 2, "lines 4-5 of 5"]);
  assert.deepEqual(cut(FIVE, "4-"), ["four\nfive\n", 2, "lines 4-5 of 5"]);
  assert.deepEqual(cut(FIVE, "1,90-99"), ["one\n", 1, "line 1 of 5"]);
});

Deno.test("cutLines says between two ranges what is missing there", () => {
  assert.deepEqual(cut(FIVE, "1,3,5"), [
    "one\n… line 2 not asked for\nthree\n… line 4 not asked for\nfive\n",
    3,
    "lines 1,3,5 of 5",
  ]);
  assert.match(cut(FIVE, "1,5")[0]!, /… lines 2-4 not asked for/);
});

Deno.test("cutLines says what is there when nothing fits", () => {
  assert.equal(
    cut(FIVE, "9-12"),
    'Cannot cut lines "9-12": there are 5 lines; give lines as 41-80, 41, 41- or 1-5,9-12, or a query',
  );
  assert.match(
    cut(FIVE, "foo") as string,
    /"foo": this is no range, and there are 5 lines;/,
  );
  assert.match(cut("one", "2") as string, /there is 1 line;/);
  assert.match(cut("", "1") as string, /there are 0 lines;/);
});

Deno.test("cutLines goes by the numbers of the lines where they have some", () => {
  const numbers = [0, 40, 41, 42, 0];
  assert.deepEqual(cut(FIVE, "41-99", numbers), [
    "three\nfour\n",
    2,
    "lines 41-42 of 40-42",
  ]);
  assert.match(cut(FIVE, "2", numbers) as string, /there are lines 40-42;/);
  assert.deepEqual(cut(FIVE, "2", [0, 0, 0, 0, 0]), [
    "two\n",
    1,
    "line 2 of 5",
  ]);
});

Deno.test("cutLines cuts a long line by characters", () => {
  assert.deepEqual(cut("abcdef", "characters 2-4"), [
    "bcd",
    1,
    "characters 2-4 of 6",
  ]);
  assert.match(cut("abc", "characters 9") as string, /there are 3 characters;/);
});

Deno.test("cutLines gives slices that make up the text, for any text", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", "\n", "\r", "é", "😀"),
    minLength: 1,
  });
  fc.assert(fc.property(texts, fc.nat(20), (text, at) => {
    const total = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    const middle = 1 + at % total;
    const first = cut(text, `1-${middle}`);
    const rest = middle === total ? [""] : cut(text, `${middle + 1}-`);
    assert.equal(first[0]! + rest[0]!, text);
  }));
});

Deno.test("cutLines cuts no character in two", () => {
  assert.deepEqual(cut("a😀b", "characters 1-2"), [
    "a😀",
    1,
    "characters 1-3 of 4",
  ]);
  assert.deepEqual(cut("a😀b", "characters 3-4"), [
    "😀b",
    1,
    "characters 2-4 of 4",
  ]);
  assert.equal(cut("😀😀", "characters 2-3")[0], "😀😀");
});
