import assert from "node:assert/strict";
import { parseHtml, valueOf } from "../../../src/text/html/parse.ts";
import {
  IS_ALERT,
  IS_EXACT,
  IS_GUTTER,
  IS_HIDDEN,
  IS_MISSED,
} from "../../../src/compressors/html/node_bits.ts";
import {
  findMain,
  measurePage,
  planRegions,
} from "../../../src/compressors/html/regions.ts";
import { elementOf } from "./samples.ts";

Deno.test("measurePage counts visible text and links, and reads names and styles", () => {
  const div = elementOf(
    "<div>abc <a href=/x>de</a><p hidden>fgh</p><script>i</script></div>",
    "div",
  );
  assert.deepEqual([div.visible, div.linked, div.links], [5, 2, 1]);
  const stateOf = (attributes: string) =>
    elementOf(`<div ${attributes}>a</div>`, "div").state;
  assert.equal(stateOf("class='alert-danger'"), IS_ALERT);
  assert.equal(stateOf("class=gutter"), IS_GUTTER);
  assert.equal(stateOf("class=cstat-no"), IS_MISSED);
  assert.equal(stateOf("class=CodeMirror-line"), 0);
  assert.equal(stateOf("class=blob-code"), IS_EXACT);
  assert.equal(stateOf("style='display: none'"), IS_HIDDEN);
  assert.equal(stateOf("class=parking"), 0);
});

const LINKS = Array.from(
  { length: 9 },
  (_, i) => `<a href="/${i}">Section ${i}</a>`,
).join(" ");
const PROSE = "The pump in zone 7 moves 12.5 litres each second. ".repeat(12);

/** Regions that are left out of a page, in order. */
function regionsOf(body: string): string[] {
  const page = parseHtml(`<html><body>${body}</body></html>`);
  const hints = measurePage(page);
  return [...planRegions(page, findMain(page, hints), hints).values()];
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
    ["nav", "cookie banner"],
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

const TEXT = "Words of the main text, quite a few of them. ".repeat(5);

/** Tag and id of the main element. */
function mainOf(html: string): string {
  const page = parseHtml(html);
  const main = findMain(page, measurePage(page));
  return main === undefined ? "" : `${main.tag}#${valueOf(main, "id")}`;
}

Deno.test("findMain takes the marked element with most text", () => {
  assert.equal(
    mainOf(`<body><main id=a>${TEXT}</main><div>${TEXT}</div>`),
    "main#a",
  );
  assert.equal(mainOf(`<body><div role=main id=b>${TEXT}</div>`), "div#b");
});

Deno.test("findMain does not believe a marked element with little text", () => {
  assert.equal(mainOf(`<body><main>Loading</main><div>${TEXT}</div>`), "");
});

Deno.test("findMain takes the only article, or what holds all of them", () => {
  assert.equal(
    mainOf(`<body><p>x</p><article id=c>${TEXT}</article>`),
    "article#c",
  );
  assert.equal(
    mainOf(
      `<body><p>x</p><div id=d><article>${TEXT}</article><article>${TEXT}</article></div>`,
    ),
    "div#d",
  );
  assert.equal(
    mainOf(`<body><article>${TEXT}</article><article>${TEXT}</article>`),
    "",
  );
});

Deno.test("findMain takes the innermost element named as content that has nearly all text", () => {
  assert.equal(
    mainOf(
      `<body class=content><div id=content><div class=post-body id=e>${TEXT}</div>x</div>`,
    ),
    "div#e",
  );
  assert.equal(mainOf(`<body><div class=x>${TEXT}</div>`), "");
});

Deno.test("planRegions hides no row of a table that a click unfolds", () => {
  const rows = Array.from(
    { length: 9 },
    (_, i) =>
      `<tr><th>file ${i}</th></tr>` +
      `<tr style="display: none"><td>${i}:7</td><td>${PROSE}</td></tr>`,
  );
  assert.deepEqual(regionsOf(`<table>${rows.join("")}</table>`), []);
});
