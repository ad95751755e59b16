import assert from "node:assert/strict";
import { KnownBody, ScanCache } from "../../src/bytes/scan_cache.ts";
import type { BlockName } from "../../src/core/forms.ts";
import type { BlockKey } from "../../src/core/store.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";

/** The first `steps` turns of conversation `n`; each result is long enough that two make a known body. */
function body(n: number, steps: number, last = ""): Uint8Array {
  const call = (i: number) => ({
    id: `${n}_${i}`,
    tool: "Bash",
    args: { command: `run ${i}` },
    result: `${n} ${i} `.repeat(3000) + (i === steps - 1 ? last : ""),
  });
  const all = Array.from({ length: steps }, (_, i) => ({ calls: [call(i)] }));
  return bodyOf(messagesClient, { question: `why ${n}?`, steps: all }, steps);
}

/** Reads a body as the pipeline does; names its blocks, and gives those that were named before. */
function read(bodies: ScanCache<BlockName>, bytes: Uint8Array) {
  const known = bodies.begin(bytes);
  const scan = messagesFormat.scan(bytes, known);
  assert.deepEqual(scan, messagesFormat.scan(bytes));
  const names = scan.blocks.map((_, i) => known.noted(i)?.key);
  known.noteBlocks(
    scan.blocks.map(({ callId }) => ({
      key: `key of ${callId}` as BlockKey,
      call: undefined,
    })),
  );
  bodies.keep(known);
  return names;
}

Deno.test("KnownBody gives what was said of the blocks of a body that goes on from one of several", () => {
  const bodies = new ScanCache<BlockName>();
  for (const n of [1, 2, 3]) read(bodies, body(n, 4));
  for (const n of [1, 2, 3]) {
    assert.deepEqual(read(bodies, body(n, 5)), [
      ...[0, 1, 2, 3].map((i) => `key of ${n}_${i}`),
      undefined,
    ]);
  }
});

Deno.test("KnownBody says nothing of a block that changed, or of one behind it", () => {
  const bodies = new ScanCache<BlockName>();
  read(bodies, body(1, 4));
  assert.deepEqual(read(bodies, body(1, 4, "changed")), [
    "key of 1_0",
    "key of 1_1",
    "key of 1_2",
    undefined,
  ]);
});

Deno.test("KnownBody says nothing of blocks to a scan that did not go on from the earlier one", () => {
  const bytes = body(1, 4);
  const before = new KnownBody<BlockName>(bytes);
  messagesFormat.scan(bytes, before);
  before.noteBlocks([{ key: "k" as BlockKey, call: undefined }]);
  const now = new KnownBody<BlockName>(bytes, before, bytes.length);
  messagesFormat.scan(bytes);
  assert.equal(now.noted(0), undefined);
  messagesFormat.scan(bytes, now);
  assert.equal(now.noted(0)?.key, "k");
});

Deno.test("ScanCache refuses what is malformed behind what is known", () => {
  const bodies = new ScanCache<BlockName>();
  const bytes = body(1, 4);
  read(bodies, bytes);
  const broken = bytes.slice();
  broken[broken.length - 100] = 1;
  const cut = bytes.slice(0, -1);
  for (const wrong of [broken, cut]) {
    const known = bodies.begin(wrong);
    assert.throws(() => messagesFormat.scan(wrong, known), SyntaxError);
  }
});

Deno.test("ScanCache forgets the one that was used longest ago", () => {
  const bodies = new ScanCache<BlockName>();
  const talks = Array.from({ length: 9 }, (_, n) => body(n, 3));
  for (const bytes of talks) read(bodies, bytes);
  const isKnown = (bytes: Uint8Array) => bodies.begin(bytes).equal > 0;
  assert.deepEqual(talks.map(isKnown), [false, ...Array(8).fill(true)]);
});
