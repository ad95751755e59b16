import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockLookup } from "../../src/core/forms.ts";
import type { AskedShape, BlockKey, CcrKey } from "../../src/core/store.ts";
import {
  type LiveBlock,
  type LiveZone,
  liveZone,
} from "../../src/pipeline/live_zone_pass.ts";
import type { DecidedForm, NamedToolRule } from "../../src/core/decision.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";
import { bodyOf, type Call, chatClient } from "../conformance/conversation.ts";
import { entryOf, frozenForm } from "../../src/pipeline/commit_forms.ts";

const LONG = "a line of output\n".repeat(30);

const SETTINGS = {
  toolRules: [],
  options: { exact: false, folds: true, codeAware: true },
};

/** The live zone of a conversation with one finished step and one new one. */
function zone(
  calls: readonly Partial<Call>[],
  facts: {
    elided?: CcrKey[];
    mayElide?: boolean;
    known?: boolean;
    toolRules?: NamedToolRule[];
    asked?: AskedShape[];
    outlineFrom?: number;
    older?: "none" | "unseen";
    old?: Partial<Call>;
  } = {},
): Promise<LiveZone> {
  const call = (id: string, rest: Partial<Call>) => ({
    id,
    tool: "Bash",
    args: { command: "make" },
    result: `${id}${LONG}`,
    ...rest,
  });
  const body = bodyOf(chatClient, {
    question: "why did it fail?",
    steps: [
      { calls: [call("old", facts.old ?? {})] },
      { calls: calls.map((rest, i) => call(`new${i}`, rest)) },
    ],
  }, 2);
  const scan = chatCompletionsFormat.scan(body);
  const lookups = scan.blocks.map((_, i): BlockLookup =>
    facts.known ? { state: "alone", key: `${i}` as BlockKey, verdict: "" } : {
      state: "new",
      key: `${i}` as BlockKey,
      verdict: "",
    }
  );
  return liveZone({
    userMessages: true,
    body,
    scan,
    recognised: { lookups },
    older: facts.older ?? "none",
    outlineFrom: facts.outlineFrom,
    needed: new Set(),
    elided: new Set(facts.elided),
    mayElide: facts.mayElide ?? true,
    asked: facts.asked ?? [],
    keyOf: ccrKey,
    ...SETTINGS,
    ...facts.toolRules && { toolRules: facts.toolRules },
  });
}

async function live(
  ...args: Parameters<typeof zone>
): Promise<readonly LiveBlock[]> {
  return (await zone(...args)).live;
}

Deno.test("liveZone takes new blocks after the model's last message, with what their form depends on", async () => {
  const [block, ...rest] = await live([{}]);
  assert.equal(rest.length, 0);
  assert.deepEqual(block?.job, {
    text: `new0${LONG}`,
    original: ccrKey(`new0${LONG}`),
    toolName: "Bash",
    rule: "normal",
    path: "",
    query: 'why did it fail?\n{"command":"make"}',
    mayElide: true,
    notElided: [],
    model: "gpt-4o",
    options: SETTINGS.options,
  });
});

Deno.test("liveZone names what the model asked for twice of the same tool", async () => {
  const asked = [
    { toolName: "Bash", strategy: "search", count: 3 },
    { toolName: "Bash", strategy: "log", count: 2 },
    { toolName: "Bash", strategy: "table", count: 1 },
    { toolName: "Grep", strategy: "json", count: 9 },
  ];
  const [block] = await live([{}], { asked });
  assert.deepEqual(block?.job.notElided, ["log", "search"]);
});

Deno.test("liveZone says why each block that it meets for the first time is left alone", async () => {
  const reasons = async (...args: Parameters<typeof zone>) =>
    (await zone(...args)).left.map(({ reason }) => reason);
  assert.deepEqual(await reasons([{ result: "short" }]), [
    "older_turn",
    "too_small",
  ]);
  assert.deepEqual(await reasons([{ tool: "Write" }]), [
    "older_turn",
    "never_compressed_tool",
  ]);
  assert.deepEqual(await reasons([{}], { known: true }), []);
});

Deno.test("liveZone follows the user's rules for tools", async () => {
  const rules = (rule: NamedToolRule["rule"]) => ({
    toolRules: [{ pattern: "ba*", rule }],
  });
  assert.deepEqual(await live([{}], rules("never")), []);
  assert.equal((await live([{}], rules("lossless")))[0]?.job.rule, "lossless");
});

Deno.test("liveZone takes nothing that was seen before, is short, or may not be touched", async () => {
  assert.deepEqual(await live([{}], { known: true }), []);
  assert.deepEqual(await live([{ result: "short" }]), []);
  assert.deepEqual(
    await live([{ tool: "Write" }, { tool: "headroom_retrieve" }]),
    [],
  );
});

Deno.test("liveZone leaves a result alone whose tool the body does not name: it may be a retrieval or a read", async () => {
  const toolsOfLive = async (type: string) => {
    const body = new TextEncoder().encode(JSON.stringify({
      previous_response_id: "resp_1",
      input: [{ type, call_id: "c", output: LONG }],
    }));
    const { live } = await liveZone({
      userMessages: true,
      body,
      scan: responsesFormat.scan(body),
      recognised: {
        lookups: [{
          state: "new",
          key: "0" as BlockKey,
          verdict: "",
        }],
      },
      older: "none",
      needed: new Set(),
      elided: new Set(),
      mayElide: true,
      asked: [],
      keyOf: ccrKey,
      ...SETTINGS,
    });
    return live.map(({ job }) => job.toolName);
  };
  assert.deepEqual(await toolsOfLive("function_call_output"), []);
  assert.deepEqual(await toolsOfLive("local_shell_call_output"), [
    "local_shell",
  ]);
});

Deno.test("liveZone marks reads with their file", async () => {
  const [read] = await live([{ tool: "Read", args: { file_path: "/a/b.ts" } }]);
  assert.equal(read?.job.rule, "read");
  assert.equal(read?.job.path, "/a/b.ts");
});

Deno.test("liveZone forbids eliding without a way back, and where the model asked again", async () => {
  const mayElide = async (facts: Parameters<typeof live>[1]) =>
    (await live([{}], facts)).map(({ job }) => job.mayElide);
  assert.deepEqual(await mayElide({}), [true]);
  assert.deepEqual(await mayElide({ mayElide: false }), [false]);
  assert.deepEqual(await mayElide({ elided: [ccrKey(`new0${LONG}`)] }), [
    false,
  ]);
});

Deno.test("liveZone cuts a very long question to its ends", async () => {
  const [block] = await live([{
    args: { command: `${"x".repeat(9000)} end` },
  }]);
  const { query } = block!.job;
  assert(query.length < 5000);
  assert(query.startsWith("why did it fail?"));
  assert(query.endsWith(' end"}'));
});

Deno.test("frozenForm and entryOf keep what a decision needs later", async () => {
  const [block] = await live([{}]);
  const key = ccrKey(block!.text);
  const decision: DecidedForm = {
    type: "form",
    literal: new Uint8Array([0x22, 0x22]),
    strategy: "log",
    tokensBefore: 90,
    tokensAfter: 9,
    elision: { key, total: 30, kept: 3 },
    looked: { kind: "log", parts: [] },
  };
  assert.deepEqual(frozenForm(decision, "def"), {
    literal: decision.literal,
    strategy: "log",
    entry: key,
    definition: "def",
    tokensBefore: 90,
    tokensAfter: 9,
  });
  assert.deepEqual(entryOf(block!, decision, 5), [{
    key,
    original: block!.text,
    strategy: "log",
    toolName: "Bash",
    originalTokens: 90,
    formTokens: 9,
    originalItems: 30,
    keptItems: 3,
    storedAt: 5,
  }]);
  const reformatted = { ...decision, elision: undefined };
  assert.deepEqual(entryOf(block!, reformatted, 5), []);
  assert.deepEqual(entryOf(block!, { type: "alone", reason: "x" }, 5), []);
});

Deno.test("liveZone lets a new file become an outline that is read whole and long enough, nothing else", async () => {
  const read = { tool: "Read", args: { file_path: "/a.ts" } };
  const may = async (
    call: Partial<Call>,
    facts: Parameters<typeof zone>[1] = {},
  ) =>
    (await live([call], { outlineFrom: 500, ...facts }))
      .filter(({ isOlder }) => !isOlder)
      .map(({ job }) => job.mayOutline === true);
  assert.deepEqual(await may(read), [true]);
  assert.deepEqual(await may(read, { outlineFrom: LONG.length + 5 }), [false]);
  assert.deepEqual(await may(read, { outlineFrom: LONG.length + 4 }), [true]);
  assert.deepEqual(
    await may({ ...read, args: { file_path: "/a.ts", limit: "9" } }),
    [false],
  );
  assert.deepEqual(await may({}), [false]);
  assert.deepEqual((await live([read])).map(({ job }) => "mayOutline" in job), [
    false,
  ]);
  const again = ccrKey(`new0${LONG}`);
  const [block] = await live([read], { outlineFrom: 500, elided: [again] });
  assert.equal(block?.job.mayElide, false, "asked for again");
  const facts = { outlineFrom: 500, older: "unseen", old: read } as const;
  const older = await live([read], facts);
  assert.deepEqual(older.map(({ job }) => job.mayOutline === true), [
    false,
    true,
  ]);
});
