import assert from "node:assert/strict";
import fc from "fast-check";
import {
  cellOf,
  constantOf,
  contentOf,
  isBare,
  nameOf,
  readCell,
} from "../../../src/compressors/json/cell.ts";
import { childrenOf, rawOf } from "../../../src/compressors/json/tape.ts";
import { anyJson, print, STYLES } from "./json_text.ts";
import { tapeOf } from "./tapes.ts";

const isEnd = (code: number) => code === 0x2c || code === 0x0a;

function cellsOf(list: string): string[] {
  const tape = tapeOf(list);
  return [...childrenOf(tape, 1)].map((node) => cellOf(tape, node));
}

Deno.test("cellOf quotes only strings that could be taken for something else", () => {
  assert.deepEqual(
    cellsOf('["abc","2024-01-02","v1.2","1.2.3","a b","x:y"]'),
    ["abc", "2024-01-02", "v1.2", "1.2.3", "a b", "x:y"],
  );
  const quoted =
    '"" "12" "-1" "007" "1." ".5" "+1" "1e5" "true" "false" "null" " a" "a " "a,b" "[1" "{a" "…" "item 1" "a\\nb"'
      .match(/"[^"]*"/g)!;
  assert.deepEqual(cellsOf(`[${quoted.join()}]`), quoted);
});

Deno.test("cellOf writes other values as JSON and a missing one as nothing", () => {
  assert.deepEqual(cellsOf('[null,true,1.0,{"a":"b"},[]]'), [
    "null",
    "true",
    "1.0",
    '{"a":"b"}',
    "[]",
  ]);
  assert.equal(cellOf(tapeOf("[]"), 0), "");
});

Deno.test("readCell reads back what cellOf wrote", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const tape = tapeOf(`[${print(value, STYLES.compact!)}]`);
      const cell = cellOf(tape, 2);
      assert.deepEqual(readCell(`${cell},next`, 0, isEnd), {
        json: rawOf(tape, 2),
        end: cell.length,
      });
    }),
    { numRuns: 500 },
  );
});

Deno.test("readCell reads an empty cell as missing and refuses an open string", () => {
  assert.deepEqual(readCell(",a", 0, isEnd), { json: "", end: 0 });
  assert.throws(() => readCell('"a', 0, isEnd), SyntaxError);
});

Deno.test("isBare is false for content with a comma or the start of a row note", () => {
  assert.ok(isBare("plain text"));
  assert.ok(!isBare("a,b"));
  assert.ok(!isBare("item x"));
  assert.ok(isBare("items"));
});

Deno.test("nameOf quotes names that a heading could not end", () => {
  assert.equal(nameOf("app.kubernetes.io/name"), "app.kubernetes.io/name");
  assert.equal(nameOf("First Name"), "First Name");
  for (const name of ["", "a,b", "a=b", "a{", "a]", "*", " a", "a:b"]) {
    assert.equal(nameOf(name), `"${name}"`);
  }
});

Deno.test("constantOf quotes signs that mean something in a heading", () => {
  const tape = tapeOf('["open","a=b","x*","12",null,{"a":1}]');
  assert.deepEqual(
    [...childrenOf(tape, 1)].map((node) => constantOf(tape, node)),
    ["open", '"a=b"', '"x*"', '"12"', "null", '{"a":1}'],
  );
});

Deno.test("contentOf is the text of strings and scalars, not of escapes or containers", () => {
  const tape = tapeOf('["ab",12,"a\\n",{"a":1}]');
  assert.deepEqual(
    [...childrenOf(tape, 1)].map((node) => contentOf(tape, node)),
    ["ab", "12", undefined, undefined],
  );
});
