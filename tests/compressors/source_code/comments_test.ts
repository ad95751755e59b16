import assert from "node:assert/strict";
import {
  isRemark,
  leadInComment,
  restOfComment,
} from "../../../src/compressors/source_code/comments.ts";
import { indexLines } from "../../../src/text/lines.ts";

function restOf(text: string): readonly [number, number] {
  const lines = indexLines(text);
  const { from, to } = restOfComment(lines, 0, lines.count - 1);
  return [from, to];
}

Deno.test("restOfComment keeps the first sentence and the end of a comment", () => {
  const cases: readonly (readonly [string, number, number])[] = [
    ["/**\n * Adds up.\n *\n * More words\n * and more.\n */", 2, 5],
    ["# A sentence that\n# goes on.\n# More\n# words\n# here", 2, 5],
    ['    """Adds.\n\n    More\n    words.\n    """', 1, 4],
    ["/// Adds.\n///\n/// More\n/// words", 1, 4],
    ['"""Adds.\n\nMore\nwords.\nLast words."""', 1, 4],
    ["-- Adds.\n-- More\n-- words", 1, 3],
  ];
  for (const [text, from, to] of cases) {
    assert.deepEqual(restOf(text), [from, to], text);
  }
});

Deno.test("restOfComment leaves short comments and those for tools alone", () => {
  for (
    const text of [
      "// one\n// two",
      "/*\n * One line.\n */",
      "# One.\n# two\n# type: ignore\n# three\n# four",
      "// One.\n//\n//go:build linux\n// two\n// three",
      "/* One.\n\n * eslint-disable no-console\n more\n words */",
    ]
  ) {
    const [from, to] = restOf(text);
    assert.equal(from, to, text);
  }
});

Deno.test("isRemark knows what warns whoever changes the code", () => {
  for (
    const line of [
      "// TODO: later",
      " * @deprecated use b()",
      "# FIXME",
      "// SAFETY: checked above",
      "// Deprecated: use b",
    ]
  ) assert.ok(isRemark(indexLines(line), 0), line);
  for (const line of ["// adds up", "// a safe bug report"]) {
    assert.ok(!isRemark(indexLines(line), 0), line);
  }
});

Deno.test("leadInComment is what the first line with words starts with", () => {
  const leads = [["/**\n *\n * a", " * "], ["#!/bin/sh", "# "], [
    "\t-- a",
    "\t-- ",
  ]];
  for (const [text = "", lead] of leads) {
    const lines = indexLines(text);
    const from = lines.count > 1 ? 1 : 0;
    assert.equal(leadInComment(lines, from, lines.count), lead);
  }
});
