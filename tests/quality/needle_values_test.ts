import assert from "node:assert/strict";
import { attach } from "./needle_lines.ts";
import { rowNeedles } from "./needle_rows.ts";
import {
  fill,
  randomOf,
  usualText,
  usualValue,
  wordAt,
} from "./needle_values.ts";

const random = randomOf("test");

Deno.test("usualText takes a constant, one of several, or a number of a range", () => {
  assert.equal(usualText("READY", random), "READY");
  assert.match(usualText("a|b", random), /^[ab]$/);
  assert.match(usualText("0.02..0.09", random), /^0\.0\d$/);
  assert.match(usualText("11KB..88KB", random), /^\d\dKB$/);
  assert.equal(typeof usualValue("4..20", random), "number");
});

Deno.test("wordAt gives the word with the value, or the value and its neighbour", () => {
  const word = (pattern: string, value: string, forward = false) =>
    wordAt(fill(pattern, value, random), value, forward);
  assert.equal(word("a status=§ ms=#", "502"), "status=502");
  assert.equal(word('"GET /a HTTP/1.1" § 153', "404"), 'HTTP/1.1" 404');
  assert.equal(word('{"level":§,"a":1}', "50"), '"level":50');
  assert.equal(word("  § rejects", "3)"), "3) rejects");
  assert.equal(word("a § rejects", "E", true), "E rejects");
});

Deno.test("attach puts a field behind a line, before its message or in place of its level", () => {
  const line = "2026-03-01 08:00:01 [INFO] synced";
  const put = (pattern: string, position: "end" | "start" | "level") => {
    const filled = fill(pattern, "X", random);
    const { text, at } = attach(line, filled, { position, isMatch: false });
    assert.equal(text[at], "X");
    return text;
  };
  assert.equal(put("s=§", "end"), `${line} s=X`);
  assert.equal(put("§", "start"), "2026-03-01 08:00:01 X [INFO] synced");
  assert.equal(put("[§]", "level"), "2026-03-01 08:00:01 [X] synced");
  assert.equal(put("level=§", "level"), "2026-03-01 08:00:01 [X] synced");
});

Deno.test("rowNeedles keeps the form of JSON, lines of JSON and tables", () => {
  const texts = (kind: string, text: string) =>
    rowNeedles({
      file: `${kind}/x`,
      kind,
      tool: "",
      args: {},
      query: "",
      heldOut: false,
      facts: [],
      text,
    }).map(({ item }) => item.text);
  const rows = [1, 2, 3, 4].map((a) => `{"a":${a}}`);
  for (const text of texts("json", `[${rows.join(",\n")}]`)) {
    assert.equal(JSON.parse(text).length, 5);
  }
  for (const text of texts("json", rows.join("\n"))) {
    assert.equal(text.split("\n").map((row) => JSON.parse(row)).length, 5);
  }
  for (const text of texts("json", '{\n  "b": {\n    "a": 1\n  }\n}')) {
    assert.match(text, /^\{\n {2}"/);
  }
  const csv = texts("table", "a,b,c\n1,2,3\n4,5,6\n7,8,9");
  for (const text of csv) {
    for (const row of text.split("\n")) assert.equal(row.split(",").length, 4);
  }
  const bars = texts("table", "a | b\n--+--\n1 | 2\n3 | 4\n5 | 6");
  for (const text of bars) {
    assert.equal(new Set(text.split("\n").map((row) => row.length)).size, 1);
  }
});
