import assert from "node:assert/strict";
import { parseHtml } from "../../../src/text/html/parse.ts";
import type { Region } from "../../../src/compressors/html/names.ts";
import { measurePage } from "../../../src/compressors/html/regions.ts";
import { renderPage } from "../../../src/compressors/html/render.ts";
import { first, linesOf } from "./samples.ts";

/** Lines of a page of which the first element of a name is left out. */
function without(html: string, tag: string, region: Region): string[] {
  const page = parseHtml(html);
  measurePage(page);
  const plan = new Map([[first(page, tag), region]]);
  return renderPage({ page, plan, terms: [], written: new Set() });
}

const LINKS = Array.from(
  { length: 9 },
  (_, i) => `<a href="/${i}">Part ${i}</a>`,
).join(" ");

Deno.test("renderPage puts a note in the place of a part, with what was dropped before it", () => {
  assert.deepEqual(
    without(
      `<p>a</p><script>x</script><nav>${LINKS}</nav><p>b</p>`,
      "nav",
      "nav",
    ),
    [
      "a",
      "… omitted: nav, 9 links (Part 0, Part 1, Part 2, Part 3, Part 4, …); 18 characters of script",
      "b",
    ],
  );
});

Deno.test("renderPage counts short hidden text and tells of longer one", () => {
  assert.deepEqual(without("<p hidden>abc</p>x", "p", "hidden"), [
    "x",
    "… omitted: 17 characters of hidden",
  ]);
  assert.deepEqual(
    without(`<p hidden>${"word ".repeat(10)}</p>x`, "p", "hidden"),
    [
      `… omitted: hidden, 49 characters ("${"word ".repeat(10).trim()}")`,
      "x",
    ],
  );
});

Deno.test("renderPage tells of data and counts comments", () => {
  const data = JSON.stringify({ a: "x".repeat(600) });
  assert.deepEqual(
    linesOf(`<script type=application/json>${data}</script>x<!--y-->`),
    [
      "… omitted: JSON, 608 characters",
      "x",
      "… omitted: 8 characters of comments",
    ],
  );
});

Deno.test("renderPage tells of data in attributes once", () => {
  const lines = linesOf(`<div data-x='{"a":"${"x".repeat(600)}"}'>b</div>`);
  assert.deepEqual(lines, [
    "… omitted: attribute data-x, 608 characters",
    "b",
  ]);
});

Deno.test("renderPage never puts a note into a line, a list or a row", () => {
  const script = `<script>${"x".repeat(3000)}</script>`;
  assert.deepEqual(linesOf(`<p>a ${script} b</p><p>c</p>`), [
    "a b",
    "… omitted: 3,017 characters of script",
    "c",
  ]);
  assert.deepEqual(
    linesOf(`<table><tr><td>a${script}<td>b<tr><td>c<td>d</table>`),
    [
      "a | b",
      "c | d",
      "… omitted: 3,017 characters of script",
    ],
  );
});

Deno.test("renderPage sets lines of a coverage report apart", () => {
  assert.deepEqual(
    linesOf(
      `<p class="run"><span class="n">9</span><span class="t">def f():</span></p>` +
        `<p class="mis"><span class="n">10</span><span class="t">    return 1</span></p>`,
    ),
    ["9 def f():", "[missed] 10     return 1"],
  );
});

Deno.test("renderPage keeps neighbours apart that only a style sets apart", () => {
  assert.deepEqual(
    linesOf("<a href=/a>A</a><a href=/b>B</a><span>Posts</span><span>X</span>"),
    [
      "[A](/a) [B](/b) Posts X",
    ],
  );
});
