import assert from "node:assert/strict";
import type { BodyScan } from "../../src/core/format.ts";
import type { FrozenForm } from "../../src/core/store.ts";
import { declarationOf } from "../../src/pipeline/declaration.ts";

function scanWith(changes: Partial<BodyScan>): BodyScan {
  return {
    model: "m",
    modelLiteral: undefined,
    streaming: false,
    conversation: { start: 0, end: 2 },
    prompt: [],
    messages: [],
    lastModelMessage: -1,
    lastCall: -1,
    begun: false,
    keepsState: false,
    isSteady: false,
    tools: { span: { start: 10, end: 20 }, names: ["Bash"], count: 1 },
    toolChoice: undefined,
    maxOutput: undefined,
    noTool: undefined,
    blocks: [],
    firstUserText: [],
    lastUserText: undefined,
    userTexts: [],
    calls: [],
    counted: [],
    includeUsage: false,
    usageRequest: undefined,
    continues: undefined,
    ...changes,
  };
}

/** What the pinned text of a conversation looks like. */
const NEW = '{"name":"headroom_retrieve"}';
const form = (definition: string | undefined): FrozenForm => ({
  literal: new Uint8Array(),
  strategy: "log",
  entry: undefined,
  definition,
  tokensBefore: 2,
  tokensAfter: 1,
});
const decide = (
  changes: Partial<BodyScan>,
  known: {
    conversation?: string;
    form?: FrozenForm;
    definition?: string | undefined;
    isRefused?: boolean;
  } = {},
) =>
  declarationOf({
    scan: scanWith(changes),
    known: known.form?.definition ?? known.conversation,
    begin: () => "definition" in known ? known.definition : NEW,
    isRefused: known.isRefused ?? false,
    hasDeclared: known.conversation !== undefined,
  });

Deno.test("declarationOf keeps the tool of a conversation that has it, though its host refused it to another", () => {
  const isRefused = true;
  const running = decide({ begun: true }, { conversation: "old", isRefused });
  assert.equal(running.by, "proxy");
  assert.equal(decide({}, { isRefused }).by, "nobody");
  const fork = decide({ begun: true }, { form: form("old"), isRefused });
  assert.equal(fork.by, "nobody");
});

Deno.test("declarationOf declares when the conversation begins", () => {
  assert.deepEqual(decide({}), {
    by: "proxy",
    pinned: NEW,
    begins: true,
    mayElide: true,
  });
});

Deno.test("declarationOf keeps the bytes that the newest form or the conversation had", () => {
  const midway = { lastModelMessage: 3, begun: true };
  assert.deepEqual(decide(midway, { form: form("old"), conversation: "c" }), {
    by: "proxy",
    pinned: "old",
    begins: false,
    mayElide: false,
  });
  assert.deepEqual(
    decide(midway, { form: form(undefined), conversation: "c" }),
    {
      by: "proxy",
      pinned: "c",
      begins: false,
      mayElide: false,
    },
  );
});

Deno.test("declarationOf keeps a declared conversation declared when new ones are not", () => {
  const off = { conversation: "c", definition: undefined };
  assert.equal(decide({ lastModelMessage: 1, begun: true }, off).by, "proxy");
  assert.deepEqual(decide({}, { definition: undefined }), {
    by: "nobody",
    reason: "off",
  });
});

Deno.test("declarationOf adds a tool in mid-conversation only where it may pay, and marks it", () => {
  assert.deepEqual(decide({ begun: true }), {
    by: "proxy",
    pinned: NEW,
    begins: true,
    mayElide: true,
    isMidway: true,
  });
  assert.deepEqual(decide({ begun: true }, { definition: undefined }), {
    by: "nobody",
    reason: "mid_conversation",
  });
});

Deno.test("declarationOf does not declare without tools, with 128 of them, or where the format cannot", () => {
  const span = { start: 10, end: 20 };
  const many = Array.from({ length: 128 }, (_, i) => `t${i}`);
  const reason = (changes: Partial<BodyScan>) => {
    const declaration = decide(changes, { conversation: "c" });
    return declaration.by === "nobody" ? declaration.reason : declaration.by;
  };
  assert.equal(reason({ tools: undefined }), "no_tools");
  assert.equal(
    reason({ tools: { span, names: many, count: 128 } }),
    "too_many_tools",
  );
  assert.equal(reason({ tools: { span, names: many, count: 127 } }), "proxy");
  assert.equal(reason({ noTool: "n_above_1" }), "n_above_1");
});

Deno.test("declarationOf declares nothing at the beginning to a destination that refused the tool, whatever is known", () => {
  const refused = { isRefused: true, conversation: "c", form: form("old") };
  assert.deepEqual(decide({}, refused), {
    by: "nobody",
    reason: "tool_refused",
  });
});

Deno.test("declarationOf tells a first request from a later one, also when it was tried before", () => {
  const begins = (changes: Partial<BodyScan>) => {
    const declaration = decide(changes, { conversation: "c" });
    return declaration.by === "proxy" && declaration.begins;
  };
  assert.equal(begins({}), true);
  assert.equal(begins({ begun: true }), false);
});

Deno.test("declarationOf leaves the tool to a client that has it", () => {
  for (const name of ["headroom_retrieve", "mcp__svc__headroom_retrieve"]) {
    const tools = {
      span: { start: 10, end: 20 },
      names: ["Bash", name],
      count: 2,
    };
    assert.deepEqual(decide({ tools }), { by: "client" });
  }
});
