import assert from "node:assert/strict";
import {
  diffView,
  makeDiffPaint,
  textView,
} from "../../../src/cli/inspect/diff_view.ts";
import type { DiffPiece } from "../../../src/cli/inspect/word_diff.ts";

const plain = makeDiffPaint(false, {});
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");
const view = (...pieces: [DiffPiece["kind"], string][]) =>
  diffView(pieces.map(([kind, text]) => ({ kind, text })), plain, "  ");

Deno.test("diffView marks parts of a line where they stand", () => {
  assert.equal(
    view(["same", "took "], ["removed", "12"], ["added", "13"], [
      "same",
      " s\n",
    ]),
    "  took [-12-]{+13+} s\n",
  );
});

Deno.test("diffView marks each line of a stretch, and empty ones too", () => {
  assert.equal(
    view(["removed", "a\n\nb\n"], ["same", "c"], ["added", "\n[note]"]),
    "  [-a-]\n  [-↵-]\n  [-b-]\n  c{+↵+}\n  {+[note]+}\n",
  );
});

Deno.test("diffView folds long stretches and says how long they are", () => {
  assert.equal(
    view(["same", numbered(1200)], ["removed", numbered(100)]),
    `  line 0
  line 1
  line 2
  ... 1,194 unchanged lines ...
  line 1197
  line 1198
  line 1199
  [-line 0-]
  [-line 1-]
  [-line 2-]
  ... 95 removed lines ...
  [-line 98-]
  [-line 99-]
`,
  );
});

Deno.test("diffView folds nothing where the fold would take as much room", () => {
  assert.doesNotMatch(view(["removed", numbered(6)]), /\.\.\./);
  assert.match(view(["removed", numbered(8)]), /\.\.\. 3 removed lines/);
});

Deno.test("diffView shortens long lines in their middle", () => {
  const [line] = view(["removed", "x".repeat(1000)]).split("\n");
  assert.equal(
    line,
    `  [-${"x".repeat(160)} ... 760 characters ... ${"x".repeat(80)}-]`,
  );
});

Deno.test("diffView counts what follows the first 600 pieces", () => {
  const pieces = Array.from({ length: 700 }, (_, i): DiffPiece => ({
    kind: i % 2 === 0 ? "removed" : "added",
    text: "ab\n",
  }));
  const lines = diffView(pieces, plain, "").trimEnd().split("\n");
  assert.equal(lines.length, 601);
  assert.match(
    lines.at(-1)!,
    /further changes: 0 characters unchanged, 150 removed, 150 added/,
  );
});

Deno.test("diffView lets no control character of a text through", () => {
  assert.equal(view(["same", "\x1b[2Ja\n"]), "  ␛[2Ja\n");
});

Deno.test("makeDiffPaint colours on a terminal, unless the user refused colours", () => {
  const { added, removed } = makeDiffPaint(true, {});
  assert.equal(added("x"), "\x1b[32mx\x1b[0m");
  assert.equal(removed("x"), "\x1b[31mx\x1b[0m");
  assert.equal(makeDiffPaint(true, { NO_COLOR: "1" }).added("x"), "{+x+}");
});

Deno.test("textView shows a text, long ones folded", () => {
  assert.equal(textView("a\n\nb", plain, "  "), "  a\n\n  b\n");
  const folded = textView(numbered(100), plain, "");
  assert.match(folded, /\n\.\.\. 50 further lines \.\.\.\nline 90\n/);
  assert.equal(textView("", plain, "  "), "");
});
