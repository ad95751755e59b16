import assert from "node:assert/strict";
import {
  exactTextOf,
  fieldText,
  formText,
  graphicText,
  isDataTable,
  listingOf,
  zippedRow,
} from "../../../src/compressors/html/elements.ts";
import { elementOf } from "./samples.ts";

const FIELDS: readonly (readonly [string, string, string])[] = [
  [
    "input",
    `<input type=email name=mail value="a@b.c" placeholder=Mail required disabled>`,
    '[email mail: value="a@b.c", placeholder="Mail", required, disabled]',
  ],
  ["input", "<input id=x>", "[text #x]"],
  ["input", "<input type=submit value=Go name=s>", "[button s=Go: Go]"],
  ["button", "<button disabled>Save</button>", "[button: Save (disabled)]"],
  ["button", "<button></button>", ""],
  [
    "textarea",
    "<textarea name=n>a\nb</textarea>",
    '[textarea n: value="a\\nb"]',
  ],
  [
    "select",
    "<select name=c><option value=AT>Austria<option selected>Peru</select>",
    "[select c: AT=Austria | Peru (selected)]",
  ],
  [
    "input",
    `<input name=s value="${"x".repeat(1234)}">`,
    `[text s: value="${"x".repeat(60)}… (1,234 characters)"]`,
  ],
];

for (const [tag, html, text] of FIELDS) {
  Deno.test(`fieldText writes ${html.slice(0, 60)}`, () => {
    assert.equal(fieldText(elementOf(html, tag)), text);
  });
}

Deno.test("fieldText counts the options of a long list and keeps the chosen one", () => {
  const options = Array.from(
    { length: 200 },
    (_, i) => `<option${i === 150 ? " selected" : ""}>o${i}`,
  );
  const text = fieldText(
    elementOf(`<select name=c>${options.join("")}</select>`, "select"),
  );
  assert.ok(
    text.endsWith("o29 | o150 (selected) | … 170 more options to o199]"),
    text,
  );
});

Deno.test("formText gives method and target", () => {
  const form = (html: string) => formText(elementOf(html, "form"));
  assert.equal(form("<form method=post action=/login>"), "[form POST /login]");
  assert.equal(form("<form>"), "");
});

Deno.test("listingOf fences the text of a listing, without line numbers", () => {
  const html =
    `<div class="highlight-py"><pre><span class="linenos">1</span><code class="language-py">if x:\n  y  = 1\n</code><button>Copy</button></pre></div>`;
  assert.deepEqual(listingOf(elementOf(html, "pre")), [
    "```",
    "if x:\n  y  = 1",
    "```",
  ]);
  assert.deepEqual(listingOf(elementOf("<pre>a\n```\nb</pre>", "pre")), [
    "````",
    "a\n```\nb",
    "````",
  ]);
  assert.deepEqual(listingOf(elementOf("<pre> \n</pre>", "pre")), []);
  assert.equal(
    exactTextOf(elementOf("<pre><div>a</div><div>b</div></pre>", "pre")),
    "a\nb\n",
  );
});

Deno.test("isDataTable is false for tables that frame larger parts", () => {
  const isData = (html: string) => isDataTable(elementOf(html, "table"));
  assert.ok(isData("<table><tr><td>a<td>b<br>c</table>"));
  assert.ok(!isData("<table role=presentation><tr><td>a</table>"));
  assert.ok(!isData("<table><tr><td><h2>a</h2></table>"));
  assert.ok(!isData(`<table><tr><td>${"a ".repeat(900)}</table>`));
});

Deno.test("zippedRow reads columns of listings side by side", () => {
  const row = (html: string) =>
    zippedRow(elementOf(`<table>${html}</table>`, "tr"));
  assert.deepEqual(row("<tr><td><pre>1\n2\n3</pre><td><pre>a\nb\nc</pre>"), [
    "1 | a",
    "2 | b",
    "3 | c",
  ]);
  assert.equal(row("<tr><td>1<td>a"), undefined);
});

Deno.test("graphicText says what a picture shows", () => {
  const graphic = (html: string, tag: string) =>
    graphicText(elementOf(html, tag));
  assert.deepEqual(graphic('<img alt="A valve" src=x>', "img"), [
    "[image: A valve]",
    0,
  ]);
  assert.deepEqual(graphic("<iframe src=/v title=Film></iframe>", "iframe"), [
    "[iframe: Film](/v)",
    0,
  ]);
  const drawing = "<svg><title>Flow</title><path/></svg>";
  assert.deepEqual(graphic(drawing, "svg"), [
    "[drawing: Flow]",
    drawing.length,
  ]);
});
