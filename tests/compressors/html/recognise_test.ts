import assert from "node:assert/strict";
import {
  isFragment,
  pageStart,
  recogniseHtml,
} from "../../../src/compressors/html/recognise.ts";
import { GOLDENS, inputOf } from "./samples.ts";
import { costRatio } from "../../cpu_time.ts";

for (const { name, input } of GOLDENS) {
  Deno.test(`recogniseHtml is sure of ${name}`, () => {
    assert.ok(recogniseHtml(input) >= 0.8);
  });
}

const PAGE = "<!DOCTYPE html><html><body><p>a</p></body></html>";

Deno.test("recogniseHtml takes pages whatever stands before them", () => {
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
    assert.ok(recogniseHtml(start + PAGE) >= 0.8, JSON.stringify(start));
  }
  assert.ok(recogniseHtml("<HTML>\n<BODY>a") >= 0.8);
  assert.equal(pageStart(`HTTP/1.1 200 OK\nA: b\n\n${PAGE}`), 22);
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
  Deno.test(`recogniseHtml does not claim ${name}`, () => {
    assert.equal(recogniseHtml(text), 0);
  });
}

Deno.test("recogniseHtml leaves a part of a file to those who edit it", () => {
  const part = inputOf("fragment");
  assert.ok(isFragment(part));
  assert.ok(recogniseHtml(part) >= 0.8);
  assert.equal(recogniseHtml(part, { path: "src/index.html" }), 0);
});

Deno.test("recogniseHtml reads a bounded start of hostile texts", async () => {
  for (const piece of ["<!-- a -->", "<", "<div ", "a: b\n", " ", "<p>x</p>"]) {
    const [small, large] = [10_000, 2_000_000].map((n) => piece.repeat(n));
    const ratio = await costRatio({
      work: () => recogniseHtml(large!),
      base: () => recogniseHtml(small!),
    }, 5);
    assert.ok(ratio <= 5, `${piece}: ${ratio} times the CPU time`);
  }
});
