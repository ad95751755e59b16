import assert from "node:assert/strict";
import {
  changedRows,
  wordsOfDump,
} from "../../../src/compressors/dense/dump.ts";
import { indexLines } from "../../../src/text/lines.ts";

/** Rows as `xxd` prints them. */
function xxd(text: string): string {
  const rows: string[] = [];
  for (let at = 0; at < text.length; at += 16) {
    const piece = text.slice(at, at + 16).replace(/\0/g, ".");
    rows.push(
      `${at.toString(16).padStart(8, "0")}: ${"6162 ".repeat(8)} ${piece}`,
    );
  }
  return rows.join("\n");
}

function words(text: string, terms: readonly string[] = []): string[] {
  const lines = indexLines(text);
  return wordsOfDump(lines, { from: 0, to: lines.count }, terms);
}

Deno.test("wordsOfDump joins words over rows and leaves scraps out", () => {
  assert.deepEqual(
    words(xxd("\0\0\0usage: valve FILE [OPTION]\0\0\0x8\0\0Zq\0\0\0")),
    ["usage: valve FILE", "OPTION"],
  );
});

Deno.test("wordsOfDump reads the column between bars", () => {
  assert.deepEqual(
    words(
      "00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |....open the lid|\n" +
        "00000010  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  | now............|",
    ),
    ["open the lid now"],
  );
});

Deno.test("wordsOfDump gives what the query asks for first, then errors, and marks what it cuts", () => {
  const text = [
    "plain words",
    "error: it broke",
    "turn the valve",
    "w".repeat(90),
  ]
    .join("\0\0\0\0");
  assert.deepEqual(words(xxd(text), ["valve"]), [
    "turn the valve",
    "error: it broke",
    "plain words",
    `${"w".repeat(48)}…`,
  ]);
});

/** Rows of one byte, but for some. */
function dumpOf(count: number, others: Readonly<Record<number, string>>) {
  return indexLines(
    Array.from({ length: count }, (_, i) => {
      const bytes = others[i] ?? "ffff ".repeat(8);
      return `${(16 * i).toString(16).padStart(8, "0")}: ${bytes} ........`;
    }).join("\n"),
  );
}

Deno.test("changedRows finds the row that differs and the one behind it", () => {
  const rows = dumpOf(900, { 400: "ffff 00ff " + "ffff ".repeat(6) });
  assert.deepEqual(changedRows(rows, { from: 3, to: 899 }), [400, 401]);
});

Deno.test("changedRows gives some of many changes, and none where the bytes always change", () => {
  const places = Array.from({ length: 20 }, (_, i) => 100 + 40 * i);
  const some = dumpOf(
    2000,
    Object.fromEntries(places.map((i) => [i, "0001 ".repeat(8)])),
  );
  const found = changedRows(some, { from: 3, to: 1999 });
  assert.equal(found.length, 16);
  assert.deepEqual([found[0], found.at(-1)], [100, 861]);
  const all = dumpOf(
    200,
    Object.fromEntries(places.map((_, i) => [i * 9, `${i} `.repeat(8)])),
  );
  assert.deepEqual(changedRows(all, { from: 3, to: 199 }), []);
});

Deno.test("changedRows takes a star for rows that are equal", () => {
  const lines = indexLines(
    ["00 00 00 00", "00 00 00 00"].map((bytes, i) => `000000${i}0  ${bytes}`)
      .concat("*", "00000100  00 00 00 00", "00000110  00 7f 00 00").join("\n"),
  );
  assert.deepEqual(changedRows(lines, { from: 1, to: 5 }), [4]);
});
