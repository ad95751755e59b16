import assert from "node:assert/strict";
import { headLines } from "../../../src/compressors/html/head.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

const head = (html: string, body: string[] = []) =>
  headLines(parseHtml(html), body);

Deno.test("headLines gives what the head says", () => {
  assert.deepEqual(
    head(
      `<html lang="de"><head><title>A &amp; B</title><link rel=canonical href="https://a.example/b?utm_source=x">
<meta name=author content="Ines Falk"><meta property="article:published_time" content="2026-03-04">
<meta name="description" content="A
burst joint."><meta http-equiv=refresh content="0; url=/new"></head>`,
    ),
    [
      "title: A & B",
      "url: https://a.example/b?…",
      "lang: de · author: Ines Falk · date: 2026-03-04",
      "description: A burst joint.",
      "refresh: 0; url=/new",
    ],
  );
});

Deno.test("headLines reads author and date of JSON-LD", () => {
  assert.deepEqual(
    head(
      `<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-03-04","author":[{"@type":"Person","name":"Ines Falk"}]}</script>`,
    ),
    ["author: Ines Falk · date: 2026-03-04"],
  );
});

Deno.test("headLines does not say a title twice, and takes none from a drawing", () => {
  assert.deepEqual(head("<head><title>A</title></head>", ["# A"]), []);
  assert.deepEqual(head("<body><svg><title>Logo</title></svg>"), []);
});
