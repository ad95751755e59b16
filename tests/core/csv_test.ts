import assert from "node:assert/strict";
import { csvText } from "../../src/core/csv.ts";

Deno.test("csvText quotes what must be quoted, and leaves out what is unknown", () => {
  assert.equal(
    csvText(["name", "count"], [
      { name: 'a "b", c', count: 1 },
      { name: "line\nend", count: null },
      { name: "plain", count: true },
    ]),
    'name,count\r\n"a ""b"", c",1\r\n"line\nend",\r\nplain,true\r\n',
  );
});

Deno.test("csvText writes small sums of money without an exponent", () => {
  assert.equal(
    csvText(["usd"], [{ usd: 1e-9 }, { usd: -0.25 }, { usd: 12 }]),
    "usd\r\n0.000000001\r\n-0.25\r\n12\r\n",
  );
});

Deno.test("csvText keeps spreadsheets from running what a client calls its project", () => {
  const rows = [
    "=cmd|' /C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1",
    "@cf/meta/llama-3",
    "-1",
    "a=b",
  ].map((name) => ({ name }));
  assert.deepEqual(csvText(["name"], rows).split("\r\n").slice(1, -1), [
    "'=cmd|' /C calc'!A0",
    "'+1+cmd|' /C calc'!A0",
    "'-2+3+cmd|' /C calc'!A0",
    "'@SUM(1+1)*cmd|' /C calc'!A0",
    "'\t=1",
    "@cf/meta/llama-3",
    "-1",
    "a=b",
  ]);
});
