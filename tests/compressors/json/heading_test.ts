import assert from "node:assert/strict";
import {
  readHeadings,
  writeObject,
} from "../../../src/compressors/json/heading.ts";

Deno.test("readHeadings reads names, groups, constants and affixes", () => {
  const line =
    'id,user{name,kind=User},"a,b",tags=[1,2],p[{x},{y=null}],url="/u/"{user.name}"/x",f="/f/"*\n';
  const { headings, cells, end } = readHeadings(line, 0);
  assert.equal(end, line.length - 1);
  assert.equal(cells, 5);
  assert.deepEqual(headings.map(({ key, type }) => [key, type]), [
    ['"id"', "cell"],
    ['"user"', "members"],
    ['"a,b"', "cell"],
    ['"tags"', "constant"],
    ['"p"', "tuple"],
    ['"url"', "affix"],
    ['"f"', "affix"],
  ]);
  assert.equal(
    writeObject(headings, ["7", '"ann"', "", "1.0", "12"]),
    '{"id":7,"user":{"name":"ann","kind":"User"},"tags":[1,2],"p":[{"x":1.0},{"y":null}],"url":"/u/ann/x","f":"/f/12"}',
  );
});

Deno.test("writeObject leaves out an optional object without cells and a link without a middle", () => {
  const { headings } = readHeadings('id,s?{a,k=1,n?{b}},u="/u/"*\n', 0);
  assert.equal(
    writeObject(headings, ["1", "2", "3", '"x"']),
    '{"id":1,"s":{"a":2,"k":1,"n":{"b":3}},"u":"/u/x"}',
  );
  assert.equal(
    writeObject(headings, ["1", "2", "", ""]),
    '{"id":1,"s":{"a":2,"k":1}}',
  );
  assert.equal(writeObject(headings, ["1", "", "", ""]), '{"id":1}');
});

Deno.test("readHeadings refuses an open group and an unknown source", () => {
  assert.throws(() => readHeadings("a,b]\n", 0), SyntaxError);
  assert.throws(() => readHeadings("a,u={c}\n", 0), SyntaxError);
});

Deno.test("writeObject leaves out missing members and writes an object without any", () => {
  const { headings } = readHeadings("a,b{c}\n", 0);
  assert.equal(writeObject(headings, ["", ""]), '{"b":{}}');
  assert.equal(writeObject(readHeadings("a\n", 0).headings, [""]), "{}");
});
