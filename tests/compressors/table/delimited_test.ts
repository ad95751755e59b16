import assert from "node:assert/strict";
import {
  delimiterOf,
  parseDelimited,
} from "../../../src/compressors/table/delimited.ts";
import { cellText } from "../../../src/compressors/table/table.ts";
import { codesOf, indexLines } from "../../../src/text/lines.ts";
import { orderLines } from "./samples.ts";

function parse(text: string) {
  return parseDelimited(indexLines(text));
}

Deno.test("parseDelimited keeps separators, quotes and newlines within quotes in their cell", () => {
  const table = parse('a,b\n1,"x, ""y""\nz"\n2,\n3,"t"\n')!;
  assert.equal(cellText(table, 1, 1), '"x, ""y""\nz"');
  assert.equal(cellText(table, 2, 1), "");
  assert.equal(cellText(table, 3, 1), '"t"');
  assert.deepEqual([...table.rowLine], [0, 1, 3, 4]);
  assert.deepEqual([...table.rowTo], [1, 3, 4, 5]);
});

Deno.test("parseDelimited marks ragged and malformed rows and leaves other text at the ends out", () => {
  const rows = orderLines(60);
  rows[20] = "ragged,row";
  rows[30] = '1,"a"b,3,4,5,6';
  const table = parse(["$ cat orders.csv", ...rows, "60 rows"].join("\n"))!;
  assert.equal(table.from, 1);
  assert.equal(table.to, 62);
  assert.equal(table.plain[20], 1);
  assert.equal(table.plain[30], 1);
  assert.equal(table.plain.reduce((sum, byte) => sum + byte, 0), 2);
  assert.equal(table.hasHeader, true);
});

Deno.test("parseDelimited takes carriage returns out of the cells when every record has one", () => {
  const table = parse('a,b\r\n1,"x\ny"\r\n2,z\r\n3,w\r\n')!;
  assert.ok(table.layout.isCrlf);
  assert.equal(cellText(table, 1, 1), '"x\ny"');
  assert.equal(cellText(table, 3, 1), "w");
  assert.equal(cellText(parse("a,b\r\n1,x\n2,y\n3,z\n")!, 0, 1), "b\r");
});

Deno.test("parseDelimited has no names when the first row holds numbers or a name twice", () => {
  assert.equal(parse("1,2\n3,4\n5,6\n")!.names, undefined);
  assert.equal(parse("a,a\n3,4\n5,6\n")!.names, undefined);
  assert.equal(parse("no table here\nat all\n"), undefined);
});

Deno.test("delimiterOf takes the separator that splits the records alike", () => {
  const of = (text: string) => delimiterOf(codesOf(text))?.delimiter;
  assert.equal(of("a;b\n1,5;2\n3;4\n"), 59);
  assert.equal(of("a\tb\n1\t2,5\n3\t4\n"), 9);
  assert.equal(of("a|b|c\n1|2|3\n4|5|6\n"), 124);
  assert.equal(of("a\nb\nc\n"), undefined);
});
