import assert from "node:assert/strict";
import { codesOf } from "../../src/text/lines.ts";
import { isDigit, wordHash, WordTable } from "../../src/text/words.ts";

const table = new WordTable([["error", 1], ["ok", 2], ["io", 3], ["88213", 4]]);

function found(text: string): (number | string)[] {
  const hits: (number | string)[] = [];
  table.find(
    codesOf(text),
    (value, start, end) => hits.push(value, text.slice(start, end)),
  );
  return hits;
}

Deno.test("WordTable finds whole words in any spelling, parts of identifiers too", () => {
  assert.deepEqual(found("error Errors ERROR"), [
    1,
    "error",
    1,
    "Errors",
    1,
    "ERROR",
  ]);
  assert.deepEqual(found("IOError my_error x"), [
    3,
    "IO",
    1,
    "Error",
    1,
    "error",
  ]);
  assert.deepEqual(found("order=88213,"), [4, "88213"]);
});

Deno.test("WordTable does not find words inside longer ones", () => {
  assert.deepEqual(found("terrors okay book 188213 882130"), []);
});

Deno.test("WordTable finds a word at either end of the text", () => {
  assert.deepEqual(found("ok"), [2, "ok"]);
  assert.deepEqual(found("ok, not ok"), [2, "ok", 2, "ok"]);
  assert.deepEqual(found(""), []);
  assert.deepEqual(found("o"), []);
});

Deno.test("WordTable keeps the first value of a word", () => {
  const hits: number[] = [];
  new WordTable([["aa", 5], ["aa", 6]])
    .find(codesOf("aa"), (value) => hits.push(value));
  assert.deepEqual(hits, [5]);
});

Deno.test("wordHash is equal for all spellings in capitals", () => {
  assert.equal(wordHash("Error"), wordHash("eRROR"));
  assert.notEqual(wordHash("error"), wordHash("errors"));
});

Deno.test("isDigit holds for 0 to 9 only", () => {
  const digits = [..."/0123456789:"].filter((sign) =>
    isDigit(sign.charCodeAt(0))
  );
  assert.equal(digits.join(""), "0123456789");
});
