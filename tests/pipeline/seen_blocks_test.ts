import assert from "node:assert/strict";
import type { BlockRef } from "../../src/core/block.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { BlockKey, CcrKey, FrozenForm } from "../../src/core/store.ts";
import { nextTurn } from "../../src/core/next_turn.ts";
import type { LiveBlock } from "../../src/pipeline/live_zone_pass.ts";
import { reasonsIn, seenBlocks } from "../../src/pipeline/seen_blocks.ts";

function blockAt(start: number, toolName?: string): BlockRef {
  return {
    span: { start, end: start + 50 },
    messageIndex: 3,
    part: 0,
    callId: "c",
    toolName,
    call: undefined,
    asked: undefined,
  };
}

function liveAt(start: number, key: string): LiveBlock {
  // Only where the block stands and its key are looked at.
  return { block: blockAt(start, "Bash"), key } as LiveBlock;
}

const FORM: FrozenForm = {
  literal: new Uint8Array(),
  strategy: "log",
  entry: "original" as CcrKey,
  definition: undefined,
  tokensBefore: 90,
  tokensAfter: 20,
};

const NOTHING_KNOWN = { known: [], knownAlone: [], dropped: [] };

const DECIDED: Decision = {
  type: "form",
  literal: new Uint8Array(),
  strategy: "log",
  tokensBefore: 90,
  tokensAfter: 20,
  elision: undefined,
  looked: { kind: "log", parts: [] },
};

Deno.test("seenBlocks tells what became of every new block, in body order", async () => {
  const looked = { kind: "prose" as const, parts: [] };
  const live = [liveAt(50, "b2"), liveAt(300, "b1"), liveAt(500, "b3")];
  const seen = await seenBlocks({
    ...NOTHING_KNOWN,
    left: [{
      block: blockAt(100),
      key: "b0" as BlockKey,
      reason: "too_small",
    }],
    live,
    decisions: [
      { type: "alone", reason: "not_smaller", looked, tokens: 70 },
      DECIDED,
      { type: "failed", reason: "Boom" },
    ],
    decided: [{ ...live[1]!, form: FORM }],
  });
  const place = {
    messageIndex: 3,
    toolName: "Bash",
    bytes: 50,
    isKnown: false,
  };
  const alone = { entry: undefined, outcome: "alone", strategy: "" };
  const uncounted = { tokensBefore: undefined, tokensAfter: undefined };
  assert.deepEqual(seen, [
    {
      ...place,
      ...alone,
      key: "b2",
      kind: "prose",
      reason: "not_smaller",
      tokensBefore: 70,
      tokensAfter: 70,
    },
    {
      ...place,
      ...alone,
      ...uncounted,
      key: "b0",
      toolName: "",
      kind: "",
      reason: "too_small",
    },
    {
      ...place,
      key: "b1",
      entry: "original",
      kind: "log",
      outcome: "elided",
      strategy: "log",
      reason: "",
      tokensBefore: 90,
      tokensAfter: 20,
    },
    { ...place, ...alone, ...uncounted, key: "b3", kind: "", reason: "failed" },
  ]);
  assert.deepEqual(reasonsIn(seen), ["not_smaller", "too_small", "failed"]);
});

Deno.test("a form that the store did not take is no form", async () => {
  const [seen] = await seenBlocks({
    ...NOTHING_KNOWN,
    left: [],
    live: [liveAt(0, "b1")],
    decisions: [DECIDED],
    decided: [],
  });
  assert.equal(seen?.outcome, "alone");
  assert.equal(seen?.reason, "not_stored");
  assert.equal(seen?.tokensAfter, 90);
});

Deno.test("a form without an original in the store is a reformatted one", async () => {
  const live = [liveAt(0, "b1")];
  const [seen] = await seenBlocks({
    ...NOTHING_KNOWN,
    left: [],
    live,
    decisions: [DECIDED],
    decided: [{ ...live[0]!, form: { ...FORM, entry: undefined } }],
  });
  assert.equal(seen?.outcome, "reformatted");
});

Deno.test("blocks that earlier requests brought are told apart, and give no reasons", async () => {
  const seen = await seenBlocks({
    left: [],
    live: [],
    decisions: [],
    decided: [],
    known: [{
      key: "b1" as BlockKey,
      block: blockAt(200, "Bash"),
      form: FORM,
    }],
    dropped: [],
    knownAlone: [{ key: "b2" as BlockKey, block: blockAt(100, "Bash") }],
  });
  assert.deepEqual(
    seen.map(({ key, outcome, strategy, reason, isKnown }) => ({
      ...{ key, outcome, strategy, reason, isKnown },
    })),
    [
      {
        ...{ key: "b2", outcome: "alone", strategy: "" },
        ...{ reason: "left_before", isKnown: true },
      },
      {
        ...{ key: "b1", outcome: "elided", strategy: "log" },
        ...{ reason: "", isKnown: true },
      },
    ],
  );
  assert.deepEqual(reasonsIn(seen), []);
});

Deno.test("seenBlocks gives each block of a large body once, in body order, with turns of others in between", async () => {
  const of = (rest: number) =>
    Array.from({ length: 3000 }, (_, i) => ({
      block: blockAt(100 * (3 * i + rest), "Bash"),
      key: `b${3 * i + rest}` as BlockKey,
    }));
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await nextTurn();
  })();
  const seen = await seenBlocks({
    left: of(0).map((one) => ({ ...one, reason: "too_small" })),
    dropped: [],
    live: of(1).map(({ block, key }) => ({ block, key }) as LiveBlock),
    decisions: of(1).map(() => ({ type: "failed", reason: "x" })),
    decided: [],
    known: [],
    knownAlone: of(2),
  });
  isDone = true;
  await others;
  assert.deepEqual(
    seen.map(({ key }) => key),
    Array.from({ length: 9000 }, (_, i) => `b${i}`),
  );
  assert.deepEqual(
    seen.slice(0, 3).map(({ reason, isKnown }) => `${reason} ${isKnown}`),
    ["too_small false", "failed false", "left_before true"],
  );
  assert.ok(turns >= 2);
});
