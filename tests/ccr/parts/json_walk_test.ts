import assert from "node:assert/strict";
import { readPlace } from "../../../src/ccr/parts/json_place.ts";
import {
  decoded,
  insideString,
  missingText,
  placeText,
  spotOf,
  walk,
} from "../../../src/ccr/parts/json_walk.ts";
import { findJson } from "../../../src/text/json/find.ts";

/** The text at a place, or the error. */
function at(text: string, place: string): string {
  const found = walk(spotOf(findJson(text)!), readPlace(place)!);
  return "at" in found
    ? missingText(found)
    : `${found.prefix}=${found.json.tape.raw(found.node)}`;
}

const DOCUMENT =
  '{"items": [{"name": "a"}, {"name": 12345678901234567890}], "a.b": {"c": 1}, "7": 8}';

Deno.test("walk follows keys and indexes, however they are written", () => {
  assert.equal(
    at(DOCUMENT, "items[1].name"),
    "items[1].name=12345678901234567890",
  );
  assert.equal(
    at(DOCUMENT, "items.1.name"),
    "items[1].name=12345678901234567890",
  );
  assert.equal(at(DOCUMENT, "items[-2]"), 'items[-2]={"name": "a"}');
  assert.equal(at(DOCUMENT, "[7]"), '["7"]=8');
});

Deno.test("walk takes bare names as one key with dots where it must", () => {
  assert.equal(at(DOCUMENT, "a.b.c"), '["a.b"].c=1');
  assert.equal(at('{"a": {"b": 1}, "a.b": 2}', "a.b"), "a.b=1");
});

Deno.test("walk leads on into a string that holds JSON", () => {
  const text = JSON.stringify({
    content: [{ text: JSON.stringify({ a: [1, 2] }) }],
  });
  assert.equal(at(text, "content[0].text.a[1]"), "content[0].text.a[1]=2");
});

Deno.test("walk counts documents of JSON Lines from 1", () => {
  assert.equal(at('{"a":1}\n{"a":2}', "[2].a"), "[2].a=2");
  assert.equal(at('{"a":1}\n{"a":2}', "[-1].a"), "[-1].a=2");
  assert.match(
    at('{"a":1}\n{"a":2}', "[0]"),
    /there are 2 documents, \[1\] to \[2\];/,
  );
});

Deno.test("missingText names the longest prefix and what is there", () => {
  assert.equal(
    at(DOCUMENT, "items[0].nome"),
    'Cannot find "nome" in items[0]: it has the key name',
  );
  assert.equal(
    at(DOCUMENT, "items[9].name"),
    "Cannot find [9] in items: it has 2 elements, [0] to [1]; give several as [1-2], counted from 1 as notes do",
  );
  assert.equal(
    at(DOCUMENT, "x"),
    'Cannot find "x" in $: it has the keys items, a.b, 7',
  );
  assert.equal(
    at(DOCUMENT, "items[0].name.x"),
    'Cannot find "x" in items[0].name: it is a string',
  );
  assert.match(at('{"a": null}', "a.b"), /it is null$/);
  assert.match(at('{"a": []}', "a[0]"), /it is an empty array$/);
  assert.match(at('{"a": {}}', "a.b"), /it is an empty object$/);
  const many = JSON.stringify(
    Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${i}`, i])),
  );
  assert.match(at(many, "x"), /keys key0, .*key9 and 40 more$/);
});

Deno.test("placeText cuts a long place off at its start", () => {
  assert.equal(placeText(""), "$");
  assert.equal(placeText("a".repeat(999)).length, 201);
  const place = placeText(`${"a".repeat(9)}😀${"a".repeat(199)}`);
  assert.equal(place, `…${"a".repeat(199)}`);
});

Deno.test("insideString leaves a string alone that holds no JSON", () => {
  const json = findJson('["[not json"]')!;
  const spot = { json, node: 2, prefix: "[0]" };
  assert.equal(insideString(spot), spot);
});

Deno.test("decoded gives nothing for what is no literal", () => {
  assert.equal(decoded('"a\\u0041"'), "aA");
  assert.equal(decoded('"\\x"'), undefined);
});

Deno.test("walk finds a key with escapes, and what is in a document that breaks off", () => {
  assert.equal(
    at('{"b\\n\\u00e9": {"c": [2]}}', '["b\\n\u00e9"].c'),
    '["b\\n\u00e9"].c=[2]',
  );
  const cut =
    '[{"a": 1, "b": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}, {"a": 2}, {"a"';
  assert.match(at(cut, "[9]"), /it has 3 elements/);
});
