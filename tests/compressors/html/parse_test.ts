import assert from "node:assert/strict";
import fc from "fast-check";
import type { Page } from "../../../src/compressors/html/page.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import { nodeOf } from "./samples.ts";

/** `ul(li("a") li("b"))`. */
function shapeOf(page: Page, node = 0): string {
  if (page.tags[node] === "#text") return JSON.stringify(page.texts[node]);
  const parts: string[] = [];
  for (let i = node + 1; i < page.ends[node]!; i = page.ends[i]!) {
    parts.push(shapeOf(page, i));
  }
  const inner = parts.join(" ");
  return node === 0 ? inner : `${page.tags[node]}(${inner})`;
}

const SHAPES: readonly (readonly [string, string])[] = [
  ["<ul><li>a<li>b</ul>", 'ul(li("a") li("b"))'],
  ["<p>a<p>b<div>c</div>", 'p("a") p("b") div("c")'],
  ["<p><b>a<div>b</div>", 'p(b("a")) div("b")'],
  [
    "<table><tr><td>a<td>b<tr><td>c</table>d",
    'table(tr(td("a") td("b")) tr(td("c"))) "d"',
  ],
  [
    "<div><table><tr><td></div>a</td></tr></table>b</div>",
    'div(table(tr(td("a"))) "b")',
  ],
  ["<dl><dt>a<dd>b<dt>c</dl>", 'dl(dt("a") dd("b") dt("c"))'],
  ["<a href=x>a<a href=y>b</a>", 'a("a") a("b")'],
  ["a<br>b<img>c", '"a" br() "b" img() "c"'],
  ["a &lt;b&gt; &amp;amp; &#x41;", '"a <b> &amp; A"'],
  ["a < b <c", '"a < b "'],
  ["<script>if (a<b) '</p>'</script>x", `script("if (a<b) '</p>'") "x"`],
  ["<textarea><b>&amp;</textarea>", 'textarea("<b>&")'],
  ["<select><option>a<option>b</select>", 'select(option("a") option("b"))'],
  ["<head><title>t</title><p>a", 'head(title("t")) p("a")'],
  ["<head><meta>\ntext", 'head(meta()) "\\ntext"'],
  ["</p></div>a", '"a"'],
  ["<i><b>a</i>b</b>", 'i(b("a")) "b"'],
  ["<svg><path/><path/></svg>a", 'svg(other() other()) "a"'],
  ["<MY-TAG>a</MY-TAG>", 'other("a")'],
  ["<!-- a --><!doctype html>b", '"b"'],
];

for (const [html, shape] of SHAPES) {
  Deno.test(`parseHtml repairs ${html}`, () => {
    assert.equal(shapeOf(parseHtml(html)).replaceAll("\\u0000", ""), shape);
  });
}

Deno.test("parseHtml closes empty elements of XHTML", () => {
  const page = parseHtml(
    `<?xml version="1.0"?><html><a name="x"/><p>a</p></html>`,
  );
  assert.equal(page.parents[nodeOf(page, "p")], nodeOf(page, "html"));
});

Deno.test("parseHtml says where elements stand in the source", () => {
  const html = "<div>a<p class=x>b</p ></div>";
  const page = parseHtml(html);
  const p = nodeOf(page, "p");
  assert.equal(html.slice(page.from[p], page.to[p]), "<p class=x>b</p >");
});

Deno.test("parseHtml tells of long data attributes and of comments", () => {
  const value = `{&quot;a&quot;:"${"x".repeat(600)}"}`;
  const page = parseHtml(
    `<div data-x='${value}' data-y="1"></div><!-- abc -->`,
  );
  assert.deepEqual(page.blobs, [{
    node: 1,
    name: "data-x",
    value: value.replaceAll("&quot;", '"'),
  }]);
  assert.equal(page.comments, "<!-- abc -->".length);
});

Deno.test("parseHtml makes a well-formed tree of anything", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    "/",
    "div",
    "<p>",
    "</p>",
    "<td>",
    "<table>",
    "</table>",
    "<li>",
    "<a href=x>",
    "</a>",
    "&amp;",
    "&",
    "<b",
    "x",
    " ",
    "<svg>",
    "</svg>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<head>",
    "<select>",
    "'",
    '"',
    "=",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const page = parseHtml(pieces.join(""));
      const count = page.tags.length;
      assert.equal(page.ends[0], count);
      for (let i = 1; i < count; i++) {
        const parent = page.parents[i]!;
        assert.ok(parent < i);
        assert.ok(i < page.ends[i]! && page.ends[i]! <= page.ends[parent]!);
        assert.ok(page.from[i]! <= page.to[i]!);
        if (page.tags[i] === "#text") assert.equal(page.ends[i], i + 1);
      }
    }),
  );
});
