import assert from "node:assert/strict";
import {
  BASE64,
  blockEnd,
  COLONS,
  DUMP,
  LONG,
  PLAIN,
  shapeOf,
} from "../../../src/compressors/dense/shapes.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "../goldens.ts";
import { minified } from "./samples.ts";

function shape(line: string): number {
  return shapeOf(indexLines(line), 0);
}

Deno.test("shapeOf knows rows of dumps", () => {
  for (
    const row of [
      "00000000: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............",
      "00000010  03 00 3e 00 01 00 00 00  e0 10 00 00 00 00 00 00  |..>.............|",
      "0000020 000003 000076 000001 000000 010340 000000 000000 000000",
    ]
  ) assert.equal(shape(row), DUMP, row);
});

Deno.test("shapeOf knows base64, digits with colons and long lines", () => {
  const row = inputOf("dense/pem").split("\n")[1]!;
  assert.equal(shape(row), BASE64);
  assert.equal(shape(`${row}\r`), BASE64);
  assert.equal(shape("0123456789abcdef".repeat(4)), BASE64);
  assert.equal(shape("   00:af:e3:e9:fb:d7:46:ce:db:53:aa:f0:"), COLONS);
  assert.equal(shape(minified(500)), LONG);
});

Deno.test("shapeOf takes what people may read as plain", () => {
  for (
    const line of [
      "",
      "A sentence of a few words, which ends here.",
      "/home/dev/project/src/components/navigation/toolbar/index",
      "thisIsAVeryLongNameOfAFunctionInSomeProgramOfAnEnterprise",
      "the quick brown fox ".repeat(30),
      "门是开着的灯也亮着".repeat(60),
      "4f1c2aa fix the door of the house and the lid",
      "12:30:45 12:31:00 the door was open",
    ]
  ) assert.equal(shape(line), PLAIN, line);
});

Deno.test("blockEnd goes to the last row, which may be shorter", () => {
  const rows = inputOf("dense/base64").trimEnd().split("\n");
  const lines = indexLines([...rows, "the end of it"].join("\n"));
  assert.equal(blockEnd(lines, 0, BASE64), rows.length);
  const star = "00000000: 7f45 4c46 0201 0100 0000 0000  .ELF....\n";
  assert.equal(blockEnd(indexLines(`${star}*\n${star}x`), 0, DUMP), 3);
});
