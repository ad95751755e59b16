import assert from "node:assert/strict";
import {
  HAS_ALERT,
  HAS_ENTRY,
  HAS_FIELD,
  HAS_GRAPHIC,
  HAS_HEADING,
  HAS_LISTING,
  HAS_TABLE,
  HAS_TITLE,
  IS_EXACT,
  IS_HIDDEN,
  measurePage,
  proseOf,
} from "../../../src/compressors/html/measure.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import { nodeOf } from "./samples.ts";

Deno.test("measurePage counts visible characters and those in links", () => {
  const page = parseHtml(
    "<div> ab <a href=x>cde</a><a>f</a><a href=y></a></div><script>xyz</script><p hidden>hid</p>",
  );
  const measures = measurePage(page);
  assert.equal(measures.text[0], 6);
  assert.equal(measures.linked[0], 3);
  assert.equal(measures.links[0], 1);
  assert.equal(proseOf(measures, nodeOf(page, "div")), 3);
});

Deno.test("measurePage says what a subtree holds, unless it is hidden", () => {
  const holdsOf = (html: string) => measurePage(parseHtml(html)).holds[0];
  assert.equal(holdsOf("<div><table></table></div>"), HAS_TABLE);
  assert.equal(holdsOf("<h1>a</h1>"), HAS_HEADING | HAS_TITLE);
  assert.equal(holdsOf("<h3>a</h3>"), HAS_HEADING);
  assert.equal(holdsOf("<pre><b>a\nb</b></pre>"), HAS_LISTING);
  assert.equal(holdsOf("<pre>a</pre>"), 0);
  assert.equal(holdsOf("<input>"), HAS_FIELD);
  assert.equal(holdsOf("<input type=password>"), HAS_FIELD | HAS_ENTRY);
  assert.equal(holdsOf("<p class=error>a</p>"), HAS_ALERT);
  assert.equal(holdsOf("<img>"), HAS_GRAPHIC);
  assert.equal(holdsOf("<div hidden><input></div>"), 0);
});

Deno.test("measurePage takes what styles and attributes hide for hidden, but not tab panels", () => {
  const page = parseHtml(
    `<p style="color:red; display: none">a</p><dialog>b</dialog><dialog open>c</dialog><div hidden role=tabpanel>d</div>`,
  );
  const { state } = measurePage(page);
  const isHidden = (tag: string, nth = 0) => {
    const nodes = page.tags.flatMap((name, i) => name === tag ? [i] : []);
    return (state[nodes[nth]!]! & IS_HIDDEN) !== 0;
  };
  assert.deepEqual(
    [isHidden("p"), isHidden("dialog"), isHidden("dialog", 1), isHidden("div")],
    [true, true, false, false],
  );
});

Deno.test("measurePage marks text whose white space counts", () => {
  const page = parseHtml("<pre><b>a</b></pre><p>b</p><p class=blob-code>c</p>");
  const { state } = measurePage(page);
  const exact = page.texts.flatMap((text, i) =>
    state[i]! & IS_EXACT && text !== "" ? [text] : []
  );
  assert.deepEqual(exact, ["a", "c"]);
});
