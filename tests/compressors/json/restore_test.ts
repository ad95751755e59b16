import assert from "node:assert/strict";
import fc from "fast-check";
import { headerOf } from "../../../src/compressors/json/header.ts";
import { reformat, Tables } from "../../../src/compressors/json/reformat.ts";
import { restoreJson } from "../../../src/compressors/json/restore.ts";
import { scanJson } from "../../../src/compressors/json/scan.ts";
import { tableOf } from "../../../src/compressors/json/table.ts";
import { gridOf } from "../../../src/compressors/json/columns.ts";
import { childrenOf, OBJECT } from "../../../src/compressors/json/tape.ts";
import { anyDocument, anyRows, type Json, print, STYLES } from "./json_text.ts";

const anyStyle = fc.constantFrom(...Object.values(STYLES));
const anyEnd = fc.constantFrom("", "\n", "\n\n", " ");

function reformatted(text: string): string {
  const tape = scanJson(text);
  assert.ok(typeof tape !== "string", `${tape}: ${text}`);
  assert.ok(tape.layout, `no layout: ${text}`);
  return tape.before + headerOf({ layout: tape.layout, mixed: undefined }) +
    reformat(tape, { tables: new Tables(tape) }) + tape.after;
}

Deno.test("restoreJson gives back any document in any layout", () => {
  fc.assert(
    fc.property(anyDocument, anyStyle, anyEnd, (value, style, end) => {
      const text = print(value, style) + end;
      assert.equal(restoreJson(reformatted(text)), text);
    }),
    { numRuns: 300 },
  );
});

Deno.test("restoreJson gives back JSON Lines in any layout", () => {
  const anyLines = anyRows.map((rows) =>
    rows.filter((row: Json) => typeof row !== "string")
  ).filter((rows) => rows.length > 1);
  fc.assert(
    fc.property(anyLines, anyStyle, anyEnd, (rows, style, end) => {
      const text = rows.map((row) => print(row, style)).join("\n") + end;
      assert.equal(restoreJson(reformatted(text)), text);
    }),
    { numRuns: 200 },
  );
});

Deno.test("restoreJson gives back a table however little it saves", () => {
  fc.assert(
    fc.property(anyDocument, (value) => {
      const text = print(value, STYLES.compact!);
      const tape = scanJson(text);
      assert.ok(typeof tape !== "string");
      const grid = gridOf(tape, childrenOf(tape, 1));
      fc.pre(grid !== undefined);
      const table = tableOf(tape, grid, tape.kind[1] === OBJECT);
      assert.equal(restoreJson(table), text);
    }),
    { numRuns: 300 },
  );
});

Deno.test("restoreJson refuses a row with too few cells", () => {
  assert.throws(() => restoreJson("[2 rows: a,b\n1,2\n3\n]"), SyntaxError);
});

Deno.test("restoreJson refuses an open string", () => {
  assert.throws(() => restoreJson('[2 rows: a\n"x\n]'), SyntaxError);
});
