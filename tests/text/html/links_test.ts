import assert from "node:assert/strict";
import { leadsAway, Links, shortTarget } from "../../../src/text/html/links.ts";

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
