import assert from "node:assert/strict";
import { findMain } from "../../../src/compressors/html/main_text.ts";
import { measurePage } from "../../../src/compressors/html/measure.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import { planRegions } from "../../../src/compressors/html/regions.ts";

const LINKS = Array.from(
  { length: 9 },
  (_, i) => `<a href="/${i}">Section ${i}</a>`,
).join(" ");
const PROSE = "The pump in zone 7 moves 12.5 litres each second. ".repeat(12);

/** Regions that are left out of a page, in order. */
function regionsOf(body: string): string[] {
  const page = parseHtml(`<html><body>${body}</body></html>`);
  const measures = measurePage(page);
  return [...planRegions(page, measures, findMain(page, measures)).values()];
}

Deno.test("planRegions leaves out what surrounds the main element", () => {
  assert.deepEqual(
    regionsOf(
      `<header>${LINKS}</header><nav>${LINKS}</nav><div>${LINKS}</div><main>${PROSE}</main>` +
        `<aside>${LINKS}</aside><footer>${LINKS} Some words</footer>`,
    ),
    ["header", "nav", "links", "sidebar", "footer"],
  );
});

Deno.test("planRegions keeps text beside the main element that nothing names, and long text that something does", () => {
  assert.deepEqual(
    regionsOf(
      `<div>${PROSE}</div><aside>${PROSE.repeat(3)}</aside><main>${
        PROSE.repeat(4)
      }</main>`,
    ),
    [],
  );
});

Deno.test("planRegions leaves out only sure parts inside the main element", () => {
  assert.deepEqual(
    regionsOf(
      `<main><nav>${LINKS}</nav><aside class=note>${PROSE}</aside><ul>${LINKS}</ul><footer>${LINKS}</footer>` +
        `<div class=cookie-consent>We use cookies. ${
          "Really. ".repeat(20)
        }</div>${PROSE.repeat(3)}</main>`,
    ),
    ["nav", "banner"],
  );
});

Deno.test("planRegions keeps everything that may be main text when nothing marks it", () => {
  assert.deepEqual(
    regionsOf(`<div class=menu>${PROSE}</div><ul>${LINKS}</ul>`),
    [],
  );
  assert.deepEqual(regionsOf(`<nav>${LINKS}</nav>`), []);
  assert.deepEqual(regionsOf(`<nav>${LINKS}</nav><div>${PROSE}</div>`), [
    "nav",
  ]);
});

Deno.test("planRegions keeps short parts, page titles and forms for a login", () => {
  assert.deepEqual(
    regionsOf(
      `<nav><a href=/>Home</a></nav><header><h1>Title</h1>${
        PROSE.slice(0, 200)
      }</header>` +
        `<aside>${LINKS}<form><input type=password></form></aside><main>${PROSE}</main>`,
    ),
    [],
  );
});

Deno.test("planRegions tells of hidden elements whatever they are called", () => {
  assert.deepEqual(regionsOf(`<p hidden>${PROSE}</p><main>${PROSE}</main>`), [
    "hidden",
  ]);
});
