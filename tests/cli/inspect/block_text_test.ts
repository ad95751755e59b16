import assert from "node:assert/strict";
import {
  blockHeading,
  blockView,
  makeDiffPaint,
} from "../../../src/cli/inspect/block_text.ts";
import {
  type DiffPiece,
  wordDiff,
} from "../../../src/cli/inspect/word_diff.ts";
import type { BlockTexts } from "../../../src/core/inspected.ts";
import { aloneBlock, blockOf } from "./samples.ts";
import fc from "fast-check";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");

/** A block whose texts are `texts`, compared as `compare` does. */
function shown(
  block = blockOf(),
  texts: Partial<BlockTexts> = {},
  compare = (original: string, form: string) =>
    wordDiff(original, form, () => 0),
) {
  const kept = {
    ...{ form: "a\nc\n", original: "a\nb\nc\n" },
    originalStatus: "kept",
  } as const;
  return blockView(block, {
    ...{ texts: { ...kept, ...texts }, compare },
    ...{ paint: makeDiffPaint(false, {}), ttlSeconds: 1800, width: 80 },
  });
}

/** A comparison that came to this, without its indent. */
async function view(...pieces: [DiffPiece["kind"], string][]) {
  const found = pieces.map(([kind, text]) => ({ kind, text }));
  const text = await shown(blockOf(), {}, () => Promise.resolve(found));
  for (const line of text.split("\n")) assert.match(line, /^( {4}|$)/);
  return text.replace(/^ {4}/gm, "");
}

/** A text that was sent, and whose original is gone, without its indent. */
async function sent(form: string) {
  const gone = {
    form,
    original: undefined,
    originalStatus: "missing",
  } as const;
  const text = await shown(blockOf(), gone);
  return text.slice(text.indexOf("\n", text.indexOf("sent:")) + 1)
    .replace(/^ {4}/gm, "");
}

Deno.test("blockView marks parts of a line where they stand", async () => {
  assert.equal(
    await view(["same", "took "], ["removed", "12"], ["added", "13"], [
      "same",
      " s\n",
    ]),
    "took [-12-]{+13+} s\n",
  );
});

Deno.test("blockView marks each line of a stretch, and empty ones too", async () => {
  assert.equal(
    await view(["removed", "a\n\nb\n"], ["same", "c"], ["added", "\n[note]"]),
    "[-a-]\n[-↵-]\n[-b-]\nc{+↵+}\n{+[note]+}\n",
  );
});

Deno.test("blockView folds long stretches and says how long they are", async () => {
  assert.equal(
    await view(["same", numbered(1200)], ["removed", numbered(100)]),
    `line 0
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

Deno.test("blockView folds nothing where the fold would take as much room", async () => {
  assert.doesNotMatch(await view(["removed", numbered(6)]), /\.\.\./);
  assert.match(await view(["removed", numbered(8)]), /\.\.\. 3 removed lines/);
});

Deno.test("blockView shortens long lines in their middle", async () => {
  const [line] = (await view(["removed", "x".repeat(1000)])).split("\n");
  assert.equal(
    line,
    `[-${"x".repeat(160)} ... 760 characters ... ${"x".repeat(80)}-]`,
  );
});

Deno.test("blockView counts what follows the first 600 pieces", async () => {
  const pieces = Array.from(
    { length: 700 },
    (_, i) =>
      [i % 2 === 0 ? "removed" : "added", "ab\n"] as [
        DiffPiece["kind"],
        string,
      ],
  );
  const lines = (await view(...pieces)).trimEnd().split("\n");
  assert.equal(lines.length, 601);
  assert.match(
    lines.at(-1)!,
    /further changes: 0 characters unchanged, 150 removed, 150 added/,
  );
});

Deno.test("blockView lets no control character of a text through", async () => {
  assert.equal(await view(["same", "\x1b[2Ja\n"]), "␛[2Ja\n");
});

Deno.test("makeDiffPaint colours on a terminal, unless the user refused colours", () => {
  const { added, removed } = makeDiffPaint(true, {});
  assert.equal(added("x"), "\x1b[32mx\x1b[0m");
  assert.equal(removed("x"), "\x1b[31mx\x1b[0m");
  assert.equal(makeDiffPaint(true, { NO_COLOR: "1" }).added("x"), "{+x+}");
});

Deno.test("blockView shows a text that there is nothing to compare with, long ones folded", async () => {
  assert.equal(await sent("a\n\nb"), "a\n\nb\n");
  const folded = await sent(numbered(100));
  assert.match(folded, /\n\.\.\. 50 further lines \.\.\.\nline 90\n/);
  assert.equal(await sent(""), "");
});

Deno.test("blockHeading says what fired, or why nothing did", () => {
  assert.equal(
    blockHeading(blockOf(), 1),
    "Block 1: Bash, message 4, log: shortened, 5,120 -> 640 tokens (saved 87.5 %)",
  );
  const rewritten = blockOf({
    outcome: "reformatted",
    strategy: "smart_crusher",
    kind: "json",
    toolName: "",
    entry: undefined,
  });
  assert.equal(
    blockHeading(rewritten, 2),
    "Block 2: unknown tool, message 4, JSON: rewritten losslessly, 5,120 -> 640 tokens (saved 87.5 %)",
  );
  assert.equal(
    blockHeading(aloneBlock(), 3),
    "Block 3: Read, message 4: skipped, 1.23 kB: it is a file that may be edited from these bytes",
  );
  const wrapped = blockOf({ kind: "wrapped", strategy: "wrapped:json" });
  assert.match(
    blockHeading(wrapped, 3),
    /, wrapped output: shortened as wrapped JSON, /,
  );
  const counted = aloneBlock({ tokensBefore: 2000, reason: "broke\x1b" });
  assert.match(
    blockHeading(counted, 4),
    /skipped, 2,000 tokens: compression failed: broke␛$/,
  );
});

Deno.test("blockView compares the form with the original while the store has it", async () => {
  assert.equal(await shown(), "    a\n    [-b-]\n    c\n");
});

Deno.test("blockView says why there is no original, and shows what was sent", async () => {
  const original = undefined;
  const expired = await shown(blockOf(), {
    original,
    originalStatus: "expired",
  });
  assert.match(
    expired,
    /not used for 1800 seconds[^]*sent:\n {4}a\n {4}c\n$/,
  );
  const gone = await shown(blockOf(), {
    original,
    originalStatus: "missing",
  });
  assert.match(gone, /not in the store/);
  const block = blockOf({ outcome: "reformatted", entry: undefined });
  const never = await shown(block, {
    original,
    originalStatus: "never_kept",
  });
  assert.match(never, /nothing was left out/);
});

Deno.test("blockView says when the form is gone, and shows nothing of a block that was left alone", async () => {
  assert.equal(
    await shown(blockOf(), { form: undefined }),
    "  The text that was sent is no longer stored; svc ccr show\n    ba7816bf8f01cfea414140de prints the original.\n",
  );
  const neither = { form: undefined, original: undefined };
  assert.match(
    await shown(blockOf(), neither),
    /no longer stored\.\n$/,
  );
  assert.equal(await shown(aloneBlock()), "");
});

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
