import assert from "node:assert/strict";
import fc from "fast-check";
import {
  keyText,
  readPlace,
  stepText,
} from "../../../src/ccr/parts/json_place.ts";

/** Steps as they are written in an answer. */
function read(given: string): string | undefined {
  return readPlace(given)?.map((step, i) => stepText(step, i === 0)).join("");
}

Deno.test("readPlace reads what models write", () => {
  const cases: Readonly<Record<string, string>> = {
    "items[3].name": "items[3].name",
    "$.items[3].name": "items[3].name",
    "$[3]": "[3]",
    "$": "",
    ".items": "items",
    "/items/3/name": 'items["3"].name',
    "/a~1b/c~0d": "a/b.c~d",
    'items["a b"].c': 'items["a b"].c',
    "items['a.b']": 'items["a.b"]',
    "items['it\\'s']": `items["it's"]`,
    '"a b".c': '["a b"].c',
    "[3-9]": "[3-9]",
    "items[3:9]": "items[3-9]",
    "items[3–9]": "items[3-9]",
    "items[9-3]": "items[3-9]",
    "items[3-]": "items[3-]",
    "items[*].name": "items[*].name",
    "items[].name": "items[*].name",
    "items.*.name": "items[*].name",
    "items[-1]": "items[-1]",
    "/items/3-9": "items[3-9]",
    "items 6-11": "[6-11]",
    "… items 6-11 of 18 omitted": "[6-11]",
    "item 6": "[6]",
    "items[name]": "items.name",
  };
  for (const [given, expected] of Object.entries(cases)) {
    assert.equal(read(given)?.replace("[6-6]", "[6]"), expected, given);
  }
});

Deno.test("readPlace gives nothing for what is no path", () => {
  for (const given of ["a..b", "a.", "a[", "a[3", "x".repeat(20_000)]) {
    assert.equal(readPlace(given), undefined, given);
  }
});

Deno.test("readPlace reads every key back that keyText wrote", () => {
  fc.assert(fc.property(fc.array(fc.string(), { minLength: 1 }), (keys) => {
    const place = keys.map((key, i) => keyText(key, i === 0)).join("");
    assert.deepEqual(
      readPlace(place)?.map((step) => step.type === "key" && step.key),
      keys,
    );
  }));
});
