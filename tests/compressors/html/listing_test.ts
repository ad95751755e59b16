import assert from "node:assert/strict";
import {
  exactTextOf,
  fenced,
  languageOf,
} from "../../../src/compressors/html/listing.ts";
import { measurePage } from "../../../src/compressors/html/measure.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import { nodeOf } from "./samples.ts";

function exact(html: string): string {
  const page = parseHtml(html);
  return exactTextOf(page, measurePage(page), nodeOf(page, "pre"));
}

Deno.test("exactTextOf keeps white space through the elements of a highlighter", () => {
  assert.equal(
    exact("<pre><span>if</span> x:\n\t<span>y</span>  =&nbsp;1\n</pre>"),
    "if x:\n\ty  = 1\n",
  );
});

Deno.test("exactTextOf ends lines at breaks and blocks, once", () => {
  assert.equal(
    exact("<pre>a<br>b<div>c</div><div>d\n</div>e</pre>"),
    "a\nb\nc\nd\ne",
  );
});

Deno.test("exactTextOf leaves out numbers and buttons beside the code", () => {
  assert.equal(
    exact(
      `<pre><button>Copy</button><span class="lineno">1</span><a data-nosnippet>2</a>x = 1</pre>`,
    ),
    "x = 1",
  );
});

Deno.test("exactTextOf says what a coverage report says by a colour", () => {
  assert.equal(
    exact(`<pre>a\n<span class="nc">b()</span>\nc</pre>`),
    "a\n[missed] b()\nc",
  );
});

Deno.test("languageOf asks the listing, the code in it and what is around", () => {
  const languageIn = (html: string) => {
    const page = parseHtml(html);
    return languageOf(page, nodeOf(page, "pre"));
  };
  assert.equal(
    languageIn(`<pre><code class="hljs language-rust">a</code></pre>`),
    "rust",
  );
  assert.equal(
    languageIn(
      `<div class="highlight-python notranslate"><div><pre>a</pre></div></div>`,
    ),
    "python",
  );
  assert.equal(
    languageIn(`<div class="highlight highlight-source-js"><pre>a</pre></div>`),
    "js",
  );
  assert.equal(languageIn(`<pre class="brush: php; x">a</pre>`), "php");
  assert.equal(languageIn(`<pre data-lang="go">a</pre>`), "go");
  assert.equal(languageIn(`<pre class="language-plaintext">a</pre>`), "");
  assert.equal(languageIn("<pre>a</pre>"), "");
});

Deno.test("fenced uses a fence that the text does not have", () => {
  assert.deepEqual(fenced("\na\n\n", "js"), ["```js", "a", "```"]);
  assert.deepEqual(fenced("a\n````\nb", ""), ["`````", "a\n````\nb", "`````"]);
  assert.deepEqual(fenced(" \n", "js"), []);
});
