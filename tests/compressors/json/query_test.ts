import assert from "node:assert/strict";
import {
  hitsOfQuery,
  matchingRows,
  termsOf,
} from "../../../src/compressors/json/query.ts";
import { childrenOf } from "../../../src/compressors/json/tape.ts";
import { tapeOfValue } from "./tapes.ts";

function matching(rows: readonly object[], query: string): number[] {
  const tape = tapeOfValue(rows);
  return matchingRows(tape, childrenOf(tape, 1), hitsOfQuery(tape, query));
}

const rows = Array.from({ length: 60 }, (_, i) => ({
  id: i,
  host: `worker-${i % 20}`,
  text: i === 33 ? "The Billing job was moved" : `request ${i} was handled`,
}));

Deno.test("matchingRows finds the row with a rare word, whatever its case", () => {
  assert.deepEqual(matching(rows, "where is the BILLING request?"), [33]);
});

Deno.test("matchingRows finds compound names", () => {
  assert.deepEqual(matching(rows, "is worker-17 slow"), [17, 37, 57]);
});

Deno.test("matchingRows keeps nothing for words that many rows have", () => {
  assert.deepEqual(matching(rows, "show me the request that was handled"), []);
  assert.deepEqual(matching(rows, "text host id"), []);
  assert.deepEqual(matching(rows, ""), []);
});

Deno.test("matchingRows keeps at most four rows, best first", () => {
  const many = rows.map((row, i) => ({
    ...row,
    text: i % 11 === 0 ? `alpha ${i === 44 ? "beta" : ""}` : `text ${i}`,
  }));
  const found = matching(many, "alpha beta");
  assert.equal(found[0], 44);
  assert.ok(found.length <= 4);
});

Deno.test("termsOf leaves out stop words and short words", () => {
  assert.equal(termsOf("what is the of to in it").size, 0);
  assert.equal(termsOf("Billing billing BILLING").size, 1);
  assert.equal(termsOf("worker-17").size, 2);
  assert.ok(termsOf("word1 word2 ".repeat(1_000)).size <= 64);
});
