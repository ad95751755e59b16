import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Node,
  parseHtml,
  plainTextOf,
  TEXT,
  textOf,
  valueOf,
  within,
} from "../../../src/text/html/parse.ts";
import { first } from "../../compressors/html/samples.ts";

/** `ul(li("a") li("b"))`. */
function shapeOf({ tag, text, children, parent }: Node): string {
  if (tag === TEXT) return JSON.stringify(text);
  const inner = children.map(shapeOf).join(" ");
  return parent === undefined ? inner : `${tag}(${inner})`;
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
    assert.equal(
      shapeOf(parseHtml(html).root).replaceAll("\\u0000", ""),
      shape,
    );
  });
}

Deno.test("parseHtml closes empty elements of XHTML", () => {
  const page = parseHtml(
    `<?xml version="1.0"?><html><a name="x"/><p>a</p></html>`,
  );
  assert.equal(first(page, "p").parent, first(page, "html"));
});

Deno.test("parseHtml says where elements are in the source, and counts comments", () => {
  const html = "<div>a<p class=x>b</p ></div><!-- abc -->";
  const page = parseHtml(html);
  const { from, to } = first(page, "p");
  assert.equal(html.slice(from, to), "<p class=x>b</p >");
  assert.equal(page.comments, "<!-- abc -->".length);
});

Deno.test("parseHtml keeps useful attributes and long data", () => {
  const value = `{&quot;a&quot;:"${"x".repeat(600)}"}`;
  const page = parseHtml(
    `<div CLASS=" a " data-x='${value}' data-y="1" onclick=f()></div>`,
  );
  const { attributes } = first(page, "div");
  assert.deepEqual([...attributes], [
    ["class", "a"],
    ["data-x", value.replaceAll("&quot;", '"')],
  ]);
  assert.equal(valueOf(first(page, "div"), "id"), "");
});

Deno.test("within, textOf and plainTextOf give a subtree in order", () => {
  const page = parseHtml("<div>a <b>b</b>\n c<i>d</i></div>e");
  const div = first(page, "div");
  assert.deepEqual([...within(div)].map(({ tag }) => tag), [
    ...["div", TEXT, "b", TEXT, TEXT, "i", TEXT],
  ]);
  assert.equal(textOf(div), "a b\n cd");
  assert.equal(plainTextOf(div), "a b cd");
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
      const { root, nodes } = parseHtml(pieces.join(""));
      assert.deepEqual([...within(root)], nodes);
      for (const { tag, parent, from, to, children } of nodes) {
        assert.ok(from <= to && (parent === undefined || parent.to >= to));
        if (tag === TEXT) assert.equal(children.length, 0);
      }
    }),
  );
});
