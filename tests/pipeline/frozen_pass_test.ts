import assert from "node:assert/strict";
import { KnownBody } from "../../src/bytes/scan_cache.ts";
import type {
  BlockLookup,
  BlockName,
  BlockProbe,
} from "../../src/core/forms.ts";
import type {
  BlockKey,
  ConversationKey,
  FrozenForm,
} from "../../src/core/store.ts";
import {
  formedBlocks,
  formEdits,
  recognise,
} from "../../src/pipeline/frozen_pass.ts";
import { FIRST_TURN } from "../../src/pipeline/turn.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";

const body = bodyOf(messagesClient, {
  question: "q",
  steps: [{
    calls: ["one", "two"].map((result, i) => ({
      id: `c${i}`,
      tool: "Bash",
      args: {},
      result,
    })),
  }],
}, 1);
const scan = messagesFormat.scan(body);
const form: FrozenForm = {
  literal: new TextEncoder().encode('"short"'),
  strategy: "log",
  entry: undefined,
  definition: undefined,
  tokensBefore: 9,
  tokensAfter: 1,
};

/** Knows the second block only. */
function formsWith(seen: BlockProbe[]) {
  return {
    name(probe: BlockProbe): BlockName {
      seen.push(probe);
      return { key: probe.callId as BlockKey, call: undefined };
    },
    lookup(blocks: readonly BlockName[]): readonly BlockLookup[] {
      const key = "k" as BlockKey;
      return blocks.map((name) =>
        name.key === "c1"
          ? { state: "form", key, form }
          : { state: "new", key, verdict: "" }
      );
    },
    settle() {},
    adopt() {},
    forget() {},
  };
}

Deno.test("recognise asks for every block by call, part and raw literal", async () => {
  const seen: BlockProbe[] = [];
  const conversation = "conv" as ConversationKey;
  await recognise(formsWith(seen), {
    turn: FIRST_TURN,
    known: new KnownBody(body),
    scan,
    conversation,
    origin: "origin" as ConversationKey,
  });
  const asked = seen.map(({ callId, toolName, part, literal, standIn }) => [
    callId,
    toolName,
    part,
    new TextDecoder().decode(literal),
    standIn,
  ]);
  assert.deepEqual(asked, [
    ["c0", "Bash", 0, '"one"', "conv"],
    ["c1", "Bash", 0, '"two"', "conv"],
  ]);
  assert.equal(seen[0]?.text(), "one");
});

Deno.test("formedBlocks and formEdits put known bytes in the place of their blocks", async () => {
  const recognised = await recognise(formsWith([]), {
    turn: FIRST_TURN,
    known: new KnownBody(body),
    scan,
    conversation: "conv" as ConversationKey,
    origin: "origin" as ConversationKey,
  });
  const formed = formedBlocks(scan, recognised);
  assert.deepEqual(formed.map(({ block }) => block.callId), ["c1"]);
  assert.deepEqual(formEdits(formed), [
    { span: scan.blocks[1]!.span, replacement: form.literal },
  ]);
});

Deno.test("recognise gives other work its turn between some hundred blocks, and answers for all", async () => {
  const blocks = Array.from({ length: 1_000 }, () => scan.blocks[0]!);
  const turns: string[] = [];
  const other = new Promise((resolve) => setTimeout(resolve))
    .then(() => turns.push("other"));
  const { lookups } = await recognise(formsWith([]), {
    turn: FIRST_TURN,
    known: new KnownBody(body),
    scan: { ...scan, blocks },
    conversation: "conv" as ConversationKey,
    origin: "origin" as ConversationKey,
  });
  turns.push("recognised");
  await other;
  assert.deepEqual(turns, ["other", "recognised"]);
  assert.equal(lookups.length, blocks.length);
});
