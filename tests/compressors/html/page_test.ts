import assert from "node:assert/strict";
import {
  attributeOf,
  findTag,
  keptAttribute,
  plainTextOf,
  textOf,
} from "../../../src/compressors/html/page.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import { nodeOf } from "./samples.ts";

Deno.test("keptAttribute knows useful attributes in any capitals", () => {
  assert.deepEqual(["HREF", "class", "onclick"].map(keptAttribute), [
    "href",
    "class",
    undefined,
  ]);
});

Deno.test("attributeOf gives the first value, trimmed and decoded", () => {
  const page = parseHtml(`<a href=" /x?a=1&amp;b=2 " href="/y" class>t</a>`);
  const link = nodeOf(page, "a");
  assert.equal(attributeOf(page, link, "href"), "/x?a=1&b=2");
  assert.equal(attributeOf(page, link, "class"), "");
  assert.equal(attributeOf(page, link, "id"), undefined);
});

Deno.test("textOf keeps white space and plainTextOf does not", () => {
  const page = parseHtml("<p> a\n<b>b</b>  c </p>");
  const paragraph = nodeOf(page, "p");
  assert.equal(textOf(page, paragraph), " a\nb  c ");
  assert.equal(plainTextOf(page, paragraph), "a b c");
});

Deno.test("findTag looks in the subtree only", () => {
  const page = parseHtml("<div><p>a</p></div><img>");
  assert.equal(findTag(page, nodeOf(page, "div"), "p"), nodeOf(page, "p"));
  assert.equal(findTag(page, nodeOf(page, "div"), "img"), -1);
});
