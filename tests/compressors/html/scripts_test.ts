import assert from "node:assert/strict";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import {
  attributeData,
  dataText,
  scriptData,
  topKeys,
} from "../../../src/compressors/html/scripts.ts";

const JSON_TEXT = JSON.stringify({
  props: { a: { b: [1, 2] } },
  page: "/x,y",
  list: ["k"],
  s: "x".repeat(200),
});

Deno.test("topKeys names the keys of an object and of nothing in it", () => {
  assert.deepEqual(topKeys(JSON_TEXT), ["props", "page", "list", "s"]);
  assert.deepEqual(topKeys('[{"a":1}]'), []);
  assert.deepEqual(topKeys('{"a\\"b":1,"c":{"d":2}'), ['a\\"b', "c"]);
  assert.deepEqual(topKeys('{"a":"'), ["a"]);
});

Deno.test("topKeys stops after some keys", () => {
  const text = JSON.stringify(
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i])),
  );
  assert.deepEqual(topKeys(text).slice(-2), ["k7", "…"]);
});

Deno.test("scriptData finds data, not programs", () => {
  const data = (attributes: string, text = JSON_TEXT) =>
    scriptData(parseHtml(`<script ${attributes}>${text}</script>`), 1);
  assert.equal(data("type=module"), undefined);
  assert.equal(data("type=application/json", "{}"), undefined);
  assert.equal(
    dataText(data('id="__NEXT_DATA__" type="application/json"')!),
    "JSON __NEXT_DATA__, 261 characters (keys props, page, list, s)",
  );
  assert.equal(data("type=application/ld+json")!.name, "JSON-LD");
});

Deno.test("attributeData names the attribute", () => {
  assert.equal(
    dataText(attributeData({ node: 3, name: "data-x", value: "[1]" })),
    "attribute data-x, 3 characters",
  );
});
