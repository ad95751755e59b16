import assert from "node:assert/strict";
import {
  commonStart,
  leadsAway,
  LinkWriter,
  shortTarget,
  targetsOf,
} from "../../../src/compressors/html/links.ts";
import { measurePage } from "../../../src/compressors/html/measure.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

Deno.test("shortTarget leaves tracking out with a visible sign", () => {
  const pairs: readonly (readonly [string, string])[] = [
    ["/a?page=2#x", "/a?page=2#x"],
    ["/a?utm_source=x&id=7&fbclid=1", "/a?id=7&…"],
    ["/a?utm_source=x#top", "/a?…#top"],
    [`/a?id=7&state=${"x".repeat(200)}`, "/a?id=7&…"],
    [`/${"x".repeat(400)}`, `/${"x".repeat(299)}…`],
    [`data:text/plain,${"x".repeat(1000)}`, "data: of 1,016 characters…"],
  ];
  for (const [target, short] of pairs) assert.equal(shortTarget(target), short);
});

Deno.test("leadsAway is false for places in the page and for scripts", () => {
  assert.deepEqual(
    ["/a", "b.html#c", "mailto:a@b.c", "#c", "", "javascript:void(0)"].map(
      leadsAway,
    ),
    [true, true, true, false, false, false],
  );
});

Deno.test("commonStart gives the directory that saves most", () => {
  const targets = Array.from(
    { length: 9 },
    (_, i) => `https://docs.example/en/latest/${i}.html`,
  );
  assert.equal(
    commonStart([...targets, "/x"]),
    "https://docs.example/en/latest",
  );
  assert.equal(commonStart(targets.slice(0, 2)), "");
  assert.equal(commonStart([...targets, "~/x"]), "");
  assert.equal(
    commonStart(Array.from({ length: 30 }, (_, i) => `/a?x=/b/c/d/e/f/${i}`)),
    "",
  );
});

Deno.test("LinkWriter says a target once and a common start never again", () => {
  const links = new LinkWriter(
    Array.from({ length: 9 }, (_, i) => `https://docs.example/en/latest/${i}`),
  );
  assert.equal(links.start, "https://docs.example/en/latest");
  assert.deepEqual(links.wrap("A", "https://docs.example/en/latest/1"), [
    "[",
    "](~/1)",
  ]);
  assert.deepEqual(links.wrap("A", "https://docs.example/en/latest/1"), [
    "[",
    "]",
  ]);
  assert.deepEqual(links.wrap("A", "https://docs.example/en/latest/2"), [
    "[",
    "](~/2)",
  ]);
  assert.deepEqual(links.wrap("A", "https://docs.example/en/latest-old"), [
    "[",
    "](https://docs.example/en/latest-old)",
  ]);
});

Deno.test("LinkWriter does not say an address twice", () => {
  const links = new LinkWriter([]);
  assert.deepEqual(links.wrap("https://a.example/", "https://a.example/"), [
    "",
    "",
  ]);
  assert.deepEqual(links.wrap("a@b.example", "mailto:a@b.example"), ["", ""]);
  assert.deepEqual(links.wrap("notes.txt", "notes.txt"), ["<", ">"]);
});

Deno.test("targetsOf reads visible links that are written", () => {
  const page = parseHtml(
    "<a href=/a>a</a><nav><a href=/b>b</a></nav><a href=#c>c</a><p hidden><a href=/d>d</a></p>",
  );
  const targets = targetsOf(
    page,
    measurePage(page),
    (node) => page.tags[node] === "nav",
  );
  assert.deepEqual(targets, ["/a"]);
});
