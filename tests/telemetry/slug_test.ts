import assert from "node:assert/strict";
import fc from "fast-check";
import {
  boundedValues,
  oneLine,
  plainName,
  slugOf,
} from "../../src/telemetry/slug.ts";

Deno.test("slugOf cuts at the first colon", () => {
  assert.equal(slugOf("wrapped:json"), "wrapped");
  assert.equal(slugOf("log"), "log");
});

Deno.test("slugOf is other for what is no slug", () => {
  for (
    const name of ["", ":a", "Log", "a b", "1a", "a-b", `a${"b".repeat(32)}`]
  ) {
    assert.equal(slugOf(name), "other", name);
  }
  assert.equal(slugOf("a".repeat(32)), "a".repeat(32));
});

Deno.test("slugOf is a slug whatever it is given", () => {
  fc.assert(fc.property(fc.string(), (name) => {
    assert.match(slugOf(name), /^[a-z][a-z0-9_]{0,31}$/);
  }));
});

Deno.test("plainName cuts a long name, and is undefined for what is none", () => {
  assert.equal(plainName("claude sonnet"), "claude sonnet");
  assert.equal(plainName("m".repeat(300)), "m".repeat(100));
  for (const name of ["", " ", "a\u0000", "a\u202e", "é"]) {
    assert.equal(plainName(name), undefined);
  }
});

Deno.test("oneLine has no control characters, line breaks or direction marks", () => {
  assert.equal(oneLine("a\r\n\u001b[1mb\u202e\u2028c", 99), "a [1mb c");
  assert.equal(oneLine("abcdef", 3), "abc");
});

Deno.test("boundedValues lets the first values pass, ever again, and calls later ones other", () => {
  const bounded = boundedValues(2);
  assert.deepEqual(
    ["a", "b", "c", "a", "c", "other"].map(bounded),
    ["a", "b", "other", "a", "other", "other"],
  );
});

Deno.test("boundedValues calls what is no name other", () => {
  const bounded = boundedValues(9);
  assert.deepEqual(["", " ", "a\nb", "ü"].map(bounded), [
    "other",
    "other",
    "other",
    "other",
  ]);
});
