import assert from "node:assert/strict";
import {
  BLOCKS,
  HEADINGS,
  impliedBy,
  OTHER,
  tagOf,
  UNSEEN,
  VOIDS,
} from "../../../src/compressors/html/tags.ts";

Deno.test("tagOf knows names in any capitals and no others", () => {
  assert.deepEqual(["DIV", "td", "H2", "my-tag", "constructor"].map(tagOf), [
    "div",
    "td",
    "h2",
    OTHER,
    OTHER,
  ]);
});

Deno.test("impliedBy ends an item by the next one and a paragraph by any block", () => {
  const endsOf = (tag: string) =>
    impliedBy(tag).flatMap(({ ends }) => [...ends]);
  assert.deepEqual(endsOf("li"), ["li", "p"]);
  assert.deepEqual(endsOf("div"), ["p"]);
  assert.deepEqual(endsOf("td"), ["td", "th"]);
  assert.deepEqual(endsOf("span"), []);
});

Deno.test("The sets of names hold what they say", () => {
  assert.ok(BLOCKS.has("tr") && !BLOCKS.has("span"));
  assert.ok(VOIDS.has("br") && !VOIDS.has("p"));
  assert.ok(UNSEEN.has("script") && !UNSEEN.has("button"));
  assert.equal(HEADINGS.size, 6);
});
