import assert from "node:assert/strict";
import {
  counted,
  echo,
  matchText,
  shortened,
  someOf,
} from "../../../src/ccr/parts/piece.ts";

Deno.test("echo repeats an argument on one line, in quotes and short", () => {
  assert.equal(echo('a "b"\nc'), '"a \\"b\\" c"');
  assert.equal(echo("x".repeat(65)), `"${"x".repeat(64)}…"`);
});

Deno.test("shortened never ends in half a character", () => {
  const text = "x".repeat(63);
  assert.equal(shortened(text + "😀".repeat(3)), `${text}…`);
  assert.equal(shortened("x".repeat(64)), "x".repeat(64));
});

Deno.test("counted drops the plural for one", () => {
  assert.equal(counted(1, "lines"), "1 line");
  assert.equal(counted(0, "lines"), "0 lines");
});

Deno.test("someOf names as many as there is room for, at least one", () => {
  assert.equal(someOf(["a", "b", "c"], 9, 6), "a, b and 7 more");
  assert.equal(someOf(["abcdef"], 1, 2), "abcdef");
});

Deno.test("matchText says how many match, and when only the best are given", () => {
  const facts = { shown: 12, count: 12, total: 240, noun: "lines" };
  assert.equal(matchText("timeout", facts), '12 of 240 lines match "timeout"');
  assert.equal(
    matchText("timeout", { ...facts, shown: 40, count: 130, total: 2400 }),
    "best 40 of 130 matching lines of 2400",
  );
});
