/** The work on JSON grows with its length: texts are counted and parts are looked at a bounded number of times. */
import assert from "node:assert/strict";
import { CONTENT } from "../../src/compressors/registry.ts";
import {
  csvRows,
  jsonRows,
  numberedCode,
  randomSource,
  serviceLog,
} from "../bench/corpus.ts";

const WORDS = "alpha beta gamma delta epsilon zeta eta theta".split(" ");

type Row = (i: number, below: (n: number) => number) => unknown;

/** An array of rows of about `length` characters. */
function rows(length: number, row: Row): string {
  const random = randomSource(7);
  const below = (n: number) => Math.floor(random() * n);
  const out: string[] = [];
  let size = 0;
  while (size < length) {
    out.push(JSON.stringify(row(out.length, below)));
    size += out.at(-1)!.length + 1;
  }
  return `[${out.join(",")}]`;
}

const text = (below: (n: number) => number, words: number) =>
  Array.from({ length: words }, () => WORDS[below(8)]).join(" ");

const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  "wide rows": (n) =>
    rows(n, (_, below) =>
      Object.fromEntries(
        Array.from({ length: 500 }, (_, c) => [`column_${c}`, below(1000)]),
      )),
  "keys that differ": (n) =>
    rows(n, (i, below) => ({ [`k${i}`]: below(9), [`m${below(1e6)}`]: i })),
  "sparse columns": (n) =>
    rows(n, (_, below) =>
      Object.fromEntries(
        Array.from({ length: 20 }, () => [`c${below(3000)}`, below(9)]),
      )),
  "nested arrays of objects": (n) =>
    rows(n, (i, below) => ({
      i,
      items: Array.from({ length: 40 }, (_, j) => ({
        j,
        tags: [text(below, 2)],
        sub: { x: below(9), y: { z: text(below, 1) } },
      })),
    })),
  "arrays in arrays": (n) =>
    rows(n, (_, below) => [[below(9), [below(9), [text(below, 1)]]], below(9)]),
  "long texts": (n) => rows(n, (i, below) => ({ i, text: text(below, 2000) })),
  "one row": (n) =>
    JSON.stringify(Object.fromEntries(
      Array.from({ length: n / 30 }, (_, i) => [`key_${i}`, `value of ${i}`]),
    )),
  "one long string": (n) => JSON.stringify({ a: "abcdefgh".repeat(n / 8) }),
  "JSON in strings": (n) =>
    rows(n, (i, below) => ({
      i,
      payload: JSON.stringify({ a: JSON.stringify({ t: text(below, 30) }) }),
    })),
  "tables in strings": (n) =>
    rows(n, (i) => ({ i, content: csvRows(300, i + 1) })),
  "code in strings": (n) =>
    rows(n, (i) => ({ i, content: numberedCode(300, i + 1) })),
  "a log in a wrapper": (n) =>
    JSON.stringify([{ type: "text", text: serviceLog(n) }]),
  "rows in a wrapper": (n) =>
    JSON.stringify([{ type: "text", text: jsonRows(n) }]),
  "precise numbers": (n) =>
    rows(n, (i) => ({ i, v: 0 })).replaceAll(
      '"v":0',
      `"v":0.${"123456789".repeat(6)}`,
    ),
};

/** Characters that are counted or looked at for each one of the text. */
function workOn(json: string, mayElide: boolean): number {
  let work = 0;
  CONTENT.json.compressor.compress(json, {
    query: "why did the job fail",
    mayElide,
    countTokens(counted) {
      work += counted.length;
      return Math.ceil(counted.length / 4);
    },
    compressPart(part) {
      work += part.length;
      return { type: "unchanged", reason: "not_asked" };
    },
  });
  return work / json.length;
}

const LENGTHS = [50_000, 100_000, 400_000];
/** Times that each character may be counted or looked at. */
const MAX_WORK = 12;

for (const [name, make] of Object.entries(SHAPES)) {
  Deno.test(`JSON is looked at a bounded number of times: ${name}`, () => {
    const texts = LENGTHS.map((length) => make(length));
    for (const mayElide of [true, false]) {
      const work = texts.map((text) => workOn(text, mayElide));
      assert.ok(Math.max(...work) <= MAX_WORK, work.join(", "));
      // Four times the text, and not twice the work for each character of it.
      assert.ok(work[2]! <= 2 * work[1]! + 1, work.join(", "));
    }
  });
}
