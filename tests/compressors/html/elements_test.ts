import assert from "node:assert/strict";
import { writeStart } from "../../../src/compressors/html/elements.ts";
import { linesOf } from "./samples.ts";

const CASES: readonly (readonly [string, string[]])[] = [
  ["<h3>A <i>b</i></h3>c", ["### A b", "c"]],
  ["<h2></h2>c", ["c"]],
  ['<a href="/x">  a </a>b', ["[a](/x) b"]],
  ['<a href="#x">a</a> <a name=y>b</a> <a href="javascript:go()">c</a>', [
    "a b c",
  ]],
  ['<h2>A<a href="#a">¶</a></h2>', ["## A"]],
  ['<a href="#main">Skip to content</a>x', ["x"]],
  ['<a href="/x" aria-label="Feed"></a>', ["[Feed](/x)"]],
  ['<a href="/x"><img alt="Logo"></a>', ["[[image: Logo]](/x)"]],
  ['<a href="/x"><h3>A</h3><p>b</p></a>', ["### [A](/x)", "b"]],
  ["a <code>x  y</code> b", ["a `x y` b"]],
  ['<code><a href="/t">T</a>[]</code>', ["[T](/t)[]"]],
  ["<ol start=3><li>a<li>b<ul><li>c</ul></ol>", ["3. a", "4. b", "  - c"]],
  ["<li><p>a</p><p>b</p></li>", ["- a", "  b"]],
  ["<ul><li></li><li>a</li></ul>", ["- a"]],
  ["<dl><dt>a<dd>b</dl>c", ["a", "  b", "c"]],
  ["<blockquote>a<ul><li>b</ul></blockquote>", ["> a", "> - b"]],
  ["a<br>b<hr>c", ["a", "b", "c"]],
  ["1<sup>st</sup> 10<sup>-3</sup> x<sup>a b</sup>", ["1st 10^-3 x^(a b)"]],
  ["<q>a</q> <s>b</s>", ['"a" ~~b~~']],
  ["<abbr title='World Wide'>WW</abbr> x", ["WW (World Wide) x"]],
  ["<time datetime=2026-03-04>yesterday</time>", ["yesterday (2026-03-04)"]],
  ["<time datetime=2026-03-04>4 March 2026</time>", ["4 March 2026"]],
  ["<relative-time datetime=2026-03-04>3 days ago</relative-time>", [
    "3 days ago (2026-03-04)",
  ]],
  ["<pre>a\n b</pre>c", ["```", "a\n b", "```", "c"]],
  ["<label>Mail<input name=m></label><button>Go</button>", [
    "Mail [text m] [button: Go]",
  ]],
  ["<form action=/s><p>a</form>", ["[form GET /s]", "a"]],
  [
    "<table><caption>T</caption><tr><th>a<th>b<tr><td>1<td><p>2</p><p>3</p></table>",
    ["T", "a | b", "1 | 2 / 3"],
  ],
  ["<table><tr><td rowspan=2>x<td>1<tr><td>2</table>", ["x | 1", "x | 2"]],
  ["<table><tr><td><h2>a</h2><p>b</p><td>c</table>", ["## a", "b", "c"]],
  ["<table><tr><td><pre>1\n2\n3</pre><td><pre>a\nb\nc</pre></table>", [
    "```",
    "1 | a",
    "2 | b",
    "3 | c",
    "```",
  ]],
  ["<math><msup><mi>x</mi><mn>2</mn></msup></math>", ["x^2"]],
];

for (const [html, lines] of CASES) {
  Deno.test(`${writeStart.name} writes ${html}`, () => {
    assert.deepEqual(linesOf(html), lines);
  });
}
