import assert from "node:assert/strict";
import { wordsOfDump } from "../../../src/compressors/dense/dump.ts";
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
