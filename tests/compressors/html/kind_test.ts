import assert from "node:assert/strict";
import fc from "fast-check";
import { htmlKind } from "../../../src/compressors/html/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { contextOf, inputOf, testGoldens } from "../goldens.ts";
import {
  elided,
  FILLER,
  htmlCompressor,
  pageOf,
  paragraphs,
} from "./samples.ts";
import { assertLinear, costRatio } from "../../cpu_time.ts";

testGoldens(htmlCompressor, {
  folder: "html",
  more: [
    pageOf(paragraphs(5).join("")).replaceAll("\n", "\r\n"),
    `<!DOCTYPE html>${FILLER}<p>\u00e9\ud83d\ude00 &nbsp;&lt;b&gt;`,
  ],
});

Deno.test("htmlKind leaves a page alone when nothing may be left out", () => {
  assert.deepEqual(
    htmlCompressor.compress(inputOf("html/article"), contextOf(false)),
    { type: "unchanged", reason: "nothing_to_fold" },
  );
});

Deno.test("htmlKind leaves XML, code and earlier elisions alone", () => {
  const reasonOf = (text: string) => {
    const outcome = htmlCompressor.compress(text, contextOf(true));
    return outcome.type === "unchanged" ? outcome.reason : outcome.type;
  };
  assert.equal(
    reasonOf(`<?xml version="1.0"?><project><a/></project>`),
    "no_view",
  );
  assert.equal(reasonOf(`<svg><path d="M0 0"/></svg>`.repeat(50)), "no_view");
  assert.equal(reasonOf("const a = <div/>;\n".repeat(50)), "no_view");
  assert.equal(
    reasonOf(`<html><body>${FILLER}\n… lines 3-9 omitted\n`),
    "already_compressed",
  );
});

/** One of each kind that must stay, with what must be found afterwards. */
const NEEDLES: readonly (readonly [string, string])[] = [
  ["<p>The limit is 4,711 litres.</p>", "The limit is 4,711 litres."],
  ["<h2>Refused readings</h2>", "## Refused readings"],
  [
    "<ul><li>valve 17<ul><li>seal 3</li></ul></li></ul>",
    "- valve 17\n  - seal 3",
  ],
  [
    "<table><tr><th>Zone</th><th>Limit</th></tr><tr><td>7</td><td>12.5</td></tr></table>",
    "Zone | Limit\n7 | 12.5",
  ],
  [
    '<pre><code class="language-py">if x:\n    y  =  1\n</code></pre>',
    "```\nif x:\n    y  =  1\n```",
  ],
  ['<p>See <a href="/docs/e1042">the list</a>.</p>', "[the list](/docs/e1042)"],
  ['<img src="x.png" alt="A valve, shut">', "[image: A valve, shut]"],
  [
    '<form action="/m" method="post"><input name="serial" value="A-17"></form>',
    '[text serial: value="A-17"]',
  ],
  ["<button>Restart pump</button>", "[button: Restart pump]"],
  [
    '<div class="alert alert-danger">Disk of db-2 failed</div>',
    "Disk of db-2 failed",
  ],
  ["<p>10<sup>3</sup> kg of CO<sub>2</sub></p>", "10^3 kg of CO_2"],
  ["<p>was <del>€14</del> now €9.50</p>", "was ~~€14~~ now €9.50"],
  ["<dl><dt>exit code</dt><dd>137</dd></dl>", "exit code\n  137"],
  [
    "<blockquote><p>We would have known.</p></blockquote>",
    "> We would have known.",
  ],
  [
    "<div><div><span>Fatal: &lt;none&gt; &amp; more</span></div></div>",
    "Fatal: <none> & more",
  ],
];

Deno.test("htmlKind keeps every kind of main text wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NEEDLES),
      fc.integer({ min: 0, max: 40 }),
      fc.nat(),
      ([needle, expected], count, place) => {
        const parts = paragraphs(count);
        parts.splice(place % (count + 1), 0, needle);
        assert.ok(elided(pageOf(parts.join("\n"))).includes(expected), needle);
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("htmlKind keeps main text without any element that marks it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NEEDLES),
      fc.integer({ min: 0, max: 20 }),
      fc.constantFrom(
        "wrap",
        "content",
        "x1y",
        "page nav-open",
        "article-body",
      ),
      ([needle, expected], count, name) => {
        const html =
          `<html><body class="${name}">${FILLER}<div class="${name}">` +
          [...paragraphs(count), needle].join("") + "</div></body></html>";
        assert.ok(elided(html).includes(expected), needle);
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("htmlKind keeps an alert in a part that it leaves out", () => {
  for (const part of ["nav", "header", "aside", "footer"]) {
    const links = "Home Meters Bills Users Settings Reports".split(" ")
      .map((name) => `<a href="/${name}">${name}</a>`).join(" ");
    const text = elided(
      `<html><body>${FILLER}<${part}>${links}<div role="x" class="flash error">Login expired</div></${part}>` +
        `<main>${paragraphs(5).join("")}</main></body></html>`,
    );
    assert.ok(text.includes("\nLogin expired\n"), text);
    assert.ok(!text.includes("(/Bills)"), text);
  }
});

Deno.test("htmlKind keeps links of a navigation that fit the query", () => {
  const page = pageOf(paragraphs(5).join(""));
  assert.ok(!elided(page).includes("[Reports](/Reports)"));
  assert.ok(elided(page, "open the reports").includes("[Reports](/Reports)"));
});

Deno.test("htmlKind tells of every part it leaves out, in place", () => {
  const text = elided(pageOf(paragraphs(3).join("")));
  const lines = text.split("\n");
  assert.match(
    lines[0]!,
    /^\[main text, with links, of [\d,]+ characters of HTML; markup left out\]$/,
  );
  assert.ok(lines[1] === "title: Works");
  const nav = lines.findIndex((line) =>
    line.includes("nav, 9 links (Home, Meters, Bills, Users, Settings, …)")
  );
  const first = lines.findIndex((line) => line.startsWith("Meter 0"));
  const footer = lines.findIndex((line) => line.includes("footer, 7 links"));
  assert.ok(0 < nav && nav < first && first < footer, text);
  assert.match(lines[nav]!, /[\d,]+ characters of script/);
});

Deno.test("htmlKind says that a page has no text and names its scripts", () => {
  const text = elided(
    `<!DOCTYPE html><html><head><title>App</title><script src="/main.js"></script>${FILLER}</head>` +
      `<body><div id="root"></div><noscript>Enable JavaScript</noscript></body></html>`,
  );
  assert.match(
    text,
    /^\[[\d,]+ characters of HTML; markup left out\]\ntitle: App\n/,
  );
  assert.ok(text.includes("noscript: Enable JavaScript\nscript: /main.js\n"));
  assert.match(
    text,
    /… no visible text; 1,\d{3} characters of scripts omitted$/,
  );
});

Deno.test("htmlKind writes all visible text when what looks like main text is little", () => {
  const links = Array.from(
    { length: 60 },
    (_, i) => `<a href="/p/${i}">Page ${i}</a>`,
  );
  const text = elided(
    `<html><body>${FILLER}<nav>${
      links.join("\n")
    }</nav><main><p>All pages</p></main></body></html>`,
  );
  assert.ok(text.startsWith("[visible text of "));
  assert.ok(text.includes("[Page 59](/p/59)"));
});

Deno.test("htmlKind keeps headers of a response as they are", () => {
  const headers =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nRetry-After: 30\r\n\r\n";
  assert.ok(
    elided(headers + pageOf(paragraphs(3).join(""))).startsWith(headers),
  );
});

Deno.test("htmlKind hands the data of an empty page to its own kind", () => {
  const data = JSON.stringify({
    items: Array.from({ length: 90 }, (_, i) => ({ i })),
  });
  const html = `<html><head>${FILLER}</head><body><div id="app"></div>` +
    `<script id="state" type="application/json">${data}</script></body></html>`;
  const seen: string[] = [];
  const outcome = htmlCompressor.compress(html, {
    ...contextOf(true),
    compressPart: (text) => {
      seen.push(text);
      return { type: "reformatted", text: "90 items" };
    },
  });
  assert.deepEqual(seen, [data]);
  assert.ok(
    outcome.type === "elided" &&
      outcome.text.endsWith("\nJSON state:\n90 items"),
  );
});

const { recognise } = entryOf(htmlKind);

const PAGE = "<!DOCTYPE html><html><body><p>a</p></body></html>";

Deno.test("htmlKind takes pages whatever stands before them", () => {
  const starts = [
    "",
    "\n  ",
    "\ufeff",
    "<!-- saved -->\n<!-- twice -->",
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    "HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\nHTTP/1.1 200 OK\r\nServer: x\r\n\r\n",
    "From: a@b.c\nContent-Type: text/html;\n charset=utf-8\n\n",
    "*   Trying 127.0.0.1:80...\n> GET / HTTP/1.1\n>\n< HTTP/1.1 200 OK\n<\n",
  ];
  for (const start of starts) {
    assert.ok(recognise(start + PAGE) >= 0.8, JSON.stringify(start));
  }
  assert.ok(recognise("<HTML>\n<BODY>a") >= 0.8);
});

const rows = (row: string) => row.repeat(60);
const OTHERS: Readonly<Record<string, string>> = {
  "a readme that starts with HTML":
    `<p align="center"><img src="a.svg"></p>\n<h1 align="center">Tool</h1>\n` +
    rows("<p>badge</p>\n") + "\n## Install\n\n- one\n",
  "JSX": `<div className="a">\n${rows("<li key={i}>{x.name}</li>\n")}</div>`,
  "a component in Vue": `<template>\n${
    rows('<div v-for="x in y"><span>{{ x }}</span></div>\n')
  }</template>`,
  "a template in Angular": rows('<p *ngIf="a" (click)="go()">a</p>\n'),
  "a page with template tags":
    `<!DOCTYPE html><html><body>{% for x in y %}<p>{{ x }}</p>{% endfor %}`,
  "a page in PHP": "<!DOCTYPE html><html><body><?php echo 1; ?></body>",
  "a build file in XML": `<?xml version="1.0"?>\n<project>${
    rows("<dependency><groupId>a</groupId></dependency>\n")
  }`,
  "XML with some names of HTML": rows(
    "<section><title>a</title><para>b</para><para>c</para></section>\n",
  ),
  "a drawing": `<svg>${rows('<path d="M0 0"/><g/>')}</svg>`,
  "a feed": `<?xml version="1.0"?><rss>${
    rows("<item><title>a</title></item>")
  }</rss>`,
  "a log": rows("2026-01-01 12:00:00 INFO <div>a</div>\n"),
  "a diff":
    "diff --git a/x.html b/x.html\n--- a/x.html\n+++ b/x.html\n@@ -1 +1 @@\n-<html>\n+<html lang>\n",
  "Markdown with a page in a fence": `# Page\n\n\`\`\`html\n${PAGE}\n\`\`\`\n`,
  "front matter": `title: a\nlayout: b\n\nSome text\n\n${PAGE}`,
  "code": rows("const a: Map<string, number> = new Map();\n"),
  "prose": rows("A sentence about <b>nothing</b> much. "),
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`htmlKind does not claim ${name}`, () => {
    assert.equal(recognise(text), 0);
  });
}

Deno.test("htmlKind leaves a part of a file to those who edit it", () => {
  const part = inputOf("html/fragment");
  assert.ok(recognise(part) >= 0.8);
  assert.equal(recognise(part, { path: "src/index.html" }), 0);
});

Deno.test("htmlKind reads a bounded start of hostile texts", async () => {
  for (const piece of ["<!-- a -->", "<", "<div ", "a: b\n", " ", "<p>x</p>"]) {
    const [small, large] = [10_000, 2_000_000].map((n) => piece.repeat(n));
    const ratio = await costRatio({
      work: () => recognise(large!),
      base: () => recognise(small!),
    }, 5);
    assert.ok(ratio <= 5, `${piece}: ${ratio} times the CPU time`);
  }
});

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "open brackets": (size) => "<".repeat(size),
  "elements in elements": (size) => "<div>x".repeat(size / 6),
  "lists in lists": (size) => "<ul><li>x".repeat(size / 9),
  "tables in tables": (size) => "<table><tr><td>x".repeat(size / 16),
  "crossed tags": (size) =>
    "<i>" + "<b>x".repeat(size / 8) + "</i>".repeat(size / 8),
  "links in tables in links": (size) =>
    "<a href=#><table><td>".repeat(size / 21),
  "one huge attribute": (size) => `<a href="${"x".repeat(size)}`,
  "spans of cells": (size) =>
    "<table>" + "<tr><td rowspan=999 colspan=99>x".repeat(size / 32),
  "open comments": (size) => "<!--".repeat(size / 4),
};

for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`htmlKind takes linear time for ${name}`, async () => {
    await assertLinear(name, {
      make: (size) => `<!DOCTYPE html><html><body>${make(size)}`,
      work: (html) => htmlCompressor.compress(html, contextOf(true, "meter")),
      sizes: [20_000, 400_000],
    });
  });
}
