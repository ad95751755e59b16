import assert from "node:assert/strict";
import { commentGap } from "../../../src/compressors/source_code/comments.ts";
import { indexLines } from "../../../src/text/lines.ts";

function gapOf(text: string) {
  const lines = indexLines(text);
  return commentGap(lines, 0, lines.count - 1);
}

Deno.test("commentGap keeps the first sentence and the end of a comment", () => {
  assert.deepEqual(
    gapOf("/**\n * Adds up.\n *\n * More words\n * and more.\n */"),
    { from: 2, to: 4, lead: " * ", inText: true },
  );
  assert.deepEqual(
    gapOf("# A sentence that\n# goes on.\n# More\n# words\n# here"),
    { from: 2, to: 4, lead: "# ", inText: true },
  );
  assert.deepEqual(
    gapOf('    """Adds.\n\n    More\n    words.\n    """'),
    { from: 1, to: 3, lead: "    ", inText: true },
  );
  assert.deepEqual(
    gapOf("/// Adds.\n///\n/// More\n/// words"),
    { from: 1, to: 3, lead: "/// ", inText: true },
  );
});

Deno.test("commentGap keeps words beside the end of a docstring", () => {
  assert.deepEqual(
    gapOf('"""Adds.\n\nMore\nwords.\nLast words."""'),
    { from: 1, to: 3, lead: "", inText: true },
  );
});

Deno.test("commentGap leaves short comments and those for tools alone", () => {
  for (
    const text of [
      "// one\n// two",
      "/*\n * One line.\n */",
      "# One.\n# two\n# type: ignore\n# three\n# four",
      "// One.\n//\n//go:build linux\n// two\n// three",
      "/* One.\n\n * eslint-disable no-console\n more\n words */",
    ]
  ) {
    assert.equal(gapOf(text), undefined, text);
  }
});
