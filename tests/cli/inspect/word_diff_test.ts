import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type DiffPiece,
  wordDiff,
} from "../../../src/cli/inspect/word_diff.ts";

const compare = (original: string, form: string) =>
  wordDiff(original, form, () => 0);

function sideOf(pieces: readonly DiffPiece[], kind: DiffPiece["kind"]): string {
  return pieces.filter((piece) => piece.kind === "same" || piece.kind === kind)
    .map(({ text }) => text).join("");
}

Deno.test("wordDiff compares the words of lines that changed", async () => {
  assert.deepEqual(
    await compare(
      "first\ntests passed: 12 of 14\nlast\n",
      "first\ntests passed: 13 of 14\nlast\n",
    ),
    [
      { kind: "same", text: "first\n" },
      { kind: "same", text: "tests passed: " },
      { kind: "removed", text: "12" },
      { kind: "added", text: "13" },
      { kind: "same", text: " of 14\n" },
      { kind: "same", text: "last\n" },
    ],
  );
});

Deno.test("wordDiff replaces lines that have only single words in common", async () => {
  const removed = "ok one two three\nok four five six\n";
  const added = "[2 lines like ok]\n";
  assert.deepEqual(await compare(removed, added), [
    { kind: "removed", text: removed },
    { kind: "added", text: added },
  ]);
});

Deno.test("wordDiff holds both texts, whatever they are", async () => {
  const text = fc.array(
    fc.constantFrom("a", "b ", "\n", "\r\n", "é", "long words"),
  )
    .map((parts) => parts.join(""));
  await fc.assert(fc.asyncProperty(text, text, async (original, form) => {
    const pieces = await compare(original, form);
    assert.equal(sideOf(pieces, "removed"), original);
    assert.equal(sideOf(pieces, "added"), form);
    assert(pieces.every(({ text }) => text !== ""));
  }));
});

Deno.test("wordDiff compares no words once the time is over", async () => {
  let now = 0;
  const pieces = await wordDiff("a b c d\n", "a b c e\n", () => now += 5000);
  assert.deepEqual(pieces, [
    { kind: "removed", text: "a b c d\n" },
    { kind: "added", text: "a b c e\n" },
  ]);
});

Deno.test("wordDiff compares no words of very long lines", async () => {
  const line = "word ".repeat(5000);
  const pieces = await compare(`${line}a`, `${line}b`);
  assert.deepEqual(pieces.map(({ kind }) => kind), ["removed", "added"]);
});

Deno.test("wordDiff takes no single equal word between longer changes for kept", async () => {
  const pieces = await compare(
    "2026-03-02 worker-6 job 18302 was done in 34 ms\n",
    "~02 6 18302 was done in 34 ms\n",
  );
  assert.deepEqual(pieces, [
    { kind: "removed", text: "2026-03-02 worker-6 job " },
    { kind: "added", text: "~02 6 " },
    { kind: "same", text: "18302 was done in 34 ms\n" },
  ]);
});
