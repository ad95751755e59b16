import assert from "node:assert/strict";
import type { BlockTexts } from "../../../src/core/inspected.ts";
import {
  blockHeading,
  blockView,
} from "../../../src/cli/inspect/block_text.ts";
import { makeDiffPaint } from "../../../src/cli/inspect/diff_view.ts";
import { wordDiff } from "../../../src/cli/inspect/word_diff.ts";
import { aloneBlock, blockOf } from "./samples.ts";

function view(block = blockOf(), texts: Partial<BlockTexts> = {}) {
  return blockView(block, {
    texts: {
      form: "a\nc\n",
      original: "a\nb\nc\n",
      originalStatus: "kept",
      ...texts,
    },
    compare: (original, form) => wordDiff(original, form, () => 0),
    paint: makeDiffPaint(false, {}),
    ttlSeconds: 1800,
    width: 80,
  });
}

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
  assert.equal(await view(), "    a\n    [-b-]\n    c\n");
});

Deno.test("blockView says why there is no original, and shows what was sent", async () => {
  const original = undefined;
  const expired = await view(blockOf(), {
    original,
    originalStatus: "expired",
  });
  assert.match(
    expired,
    /not used for 1800 seconds[^]*sent:\n {4}a\n {4}c\n$/,
  );
  const gone = await view(blockOf(), { original, originalStatus: "missing" });
  assert.match(gone, /not in the store/);
  const block = blockOf({ outcome: "reformatted", entry: undefined });
  const never = await view(block, { original, originalStatus: "never_kept" });
  assert.match(never, /nothing was left out/);
});

Deno.test("blockView says when the form is gone, and shows nothing of a block that was left alone", async () => {
  assert.equal(
    await view(blockOf(), { form: undefined }),
    "  The text that was sent is no longer stored; svc ccr show\n    ba7816bf8f01cfea414140de prints the original.\n",
  );
  const neither = { form: undefined, original: undefined };
  assert.match(await view(blockOf(), neither), /no longer stored\.\n$/);
  assert.equal(await view(aloneBlock()), "");
});
