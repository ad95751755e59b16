import assert from "node:assert/strict";
import {
  clipped,
  counted,
  exactTextOf,
  fieldText,
  formText,
  graphicText,
  isDataTable,
  leadsAway,
  Links,
  listingOf,
  shortTarget,
  zippedRow,
} from "../../../src/compressors/html/elements.ts";
import { elementOf } from "./samples.ts";

Deno.test("counted and clipped write numbers and long texts", () => {
  assert.equal(counted(1, "link"), "1 link");
  assert.equal(counted(1234567, "link"), "1,234,567 links");
  assert.equal(clipped("abcdef", 6), "abcdef");
  assert.equal(clipped("abcd\ud83d\ude00f", 5), "abcd…");
});

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

Deno.test("shortTarget leaves out what only tracks, and shows each cut", () => {
  assert.equal(shortTarget("/a?id=1&b=2#c"), "/a?id=1&b=2#c");
  assert.equal(shortTarget("/a?utm_source=x&id=1"), "/a?…id=1");
  assert.equal(shortTarget("/a?id=1&gclid=x#c"), "/a?id=1&…#c");
  assert.equal(
    shortTarget(`data:image/png;${"x".repeat(85)}`),
    "data: of 100 characters…",
  );
  assert.match(shortTarget(`/a?id=1&q=${"x".repeat(300)}`), /^\/a\?id=1&…$/);
  assert.ok(
    leadsAway("/a") && !leadsAway("#a") && !leadsAway("javascript:f()"),
  );
});

Deno.test("Links writes targets once, and what they start with as ~", () => {
  const links = new Links([]);
  assert.deepEqual(links.around("a", "/b"), ["[", "](/b)"]);
  assert.deepEqual(links.around("a", "/b"), ["[", "]"]);
  assert.deepEqual(links.around("https://a.b/", "https://a.b/"), ["", ""]);
  assert.deepEqual(links.around("/b", "/b"), ["<", ">"]);
  const many = Array.from(
    { length: 9 },
    (_, i) => `https://a.example/docs/api/${i}`,
  );
  const short = new Links(many);
  assert.equal(short.start, "https://a.example/docs/api");
  assert.deepEqual(short.around("x", "https://a.example/docs/api/7"), [
    "[",
    "](~/7)",
  ]);
  assert.equal(new Links([...many, "~/x"]).start, "");
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
