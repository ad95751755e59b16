/** When the retrieval tool is declared, and with which bytes: each rule through whole bodies. */
import assert from "node:assert/strict";
import type { ConversationKey } from "../../src/core/store.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import {
  bodyOf,
  chatClient,
  type ClientFormat,
  CLIENTS,
  messagesClient,
  printed,
  responsesClient,
  styledBodyOf,
  talk,
} from "../conformance/conversation.ts";
import { FORMATS, type Harness, harness } from "./harness.ts";

const utf8 = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const json = (value: unknown) => utf8.encode(JSON.stringify(value));

/** The request after `n` steps, with other top-level members. */
function request(
  client: ClientFormat,
  n: number,
  members: Record<string, unknown> = {},
  conversation = talk(printed(50), "short", printed(60)),
): Uint8Array {
  const body = JSON.parse(text(bodyOf(client, conversation, n)));
  return json({ ...body, ...members });
}

const definitionOf = ({ id }: ClientFormat) =>
  FORMATS[id]!.retrieval.definition;
/** An older version's bytes. */
const OLD_NAME = '"name" : "headroom_retrieve", "description":"older"';
const OLDER: Readonly<Record<ClientFormat["id"], string>> = {
  messages: `{ ${OLD_NAME}, "input_schema":{"type":"object"}}`,
  chat_completions:
    `{ "type":"function", "function" : { ${OLD_NAME}, "parameters":{"type":"object"}}}`,
  responses:
    `{ "type":"function", ${OLD_NAME}, "parameters" : {"type":"object"}}`,
};

/** Who declares, in a process that knows nothing. */
async function declaredBy(
  client: ClientFormat,
  body: Uint8Array,
  process = harness(),
): Promise<string> {
  const call = await process.send(client.id, body);
  const { declaration } = call;
  const has = text(call.bytes).includes(definitionOf(client));
  assert.equal(has, declaration.by === "proxy");
  return declaration.by === "nobody" ? declaration.reason : declaration.by;
}

/** Declared with the current bytes, the older ones, or not. */
function spoken(call: CompressedBody, client: ClientFormat): string {
  const sent = text(call.bytes);
  if (sent.includes(definitionOf(client))) return "current";
  if (sent.includes(OLDER[client.id])) return "older";
  assert(!sent.includes('"headroom_retrieve"'), sent);
  return "none";
}

/** Begins a conversation as an older version did: with other bytes. */
async function beginWithOlder(
  process: Harness,
  client: ClientFormat,
): Promise<void> {
  const scratch = harness();
  const { conversation } = await scratch.send(client.id, request(client, 0));
  await process.store.write({
    conversation: conversation as ConversationKey,
    now: process.clock.ms,
    definition: OLDER[client.id],
  });
}

for (const client of CLIENTS) {
  const { id } = client;
  const tools = client.members["tools"] as readonly object[];

  Deno.test(`${id}: a request without tools declares nothing and elides nothing`, async () => {
    for (const none of [undefined, null, []]) {
      const process = harness();
      for (const n of [0, 1]) {
        const body = request(client, n, { tools: none });
        assert.equal(await declaredBy(client, body, process), "no_tools");
        const call = await process.send(id, body);
        assert.deepEqual(call.bytes, body);
      }
    }
  });

  Deno.test(`${id}: with CCR off a new conversation declares nothing and elides nothing`, async () => {
    const process = harness({ ccr: false });
    assert.equal(
      await declaredBy(client, request(client, 0), process),
      "off",
    );
    const body = request(client, 1);
    const call = await process.send(id, body);
    assert.deepEqual(call.bytes, body);
  });

  Deno.test(`${id}: the newest form brings its own definition along, into any conversation`, async () => {
    const process = harness();
    await beginWithOlder(process, client);
    await process.send(id, request(client, 0));
    const call = await process.send(id, request(client, 1));
    assert.match(text(call.bytes), /omitted/);
    assert.equal(spoken(call, client), "older");
    // Another first message, another session, another process: another conversation.
    const elsewhere = harness({ store: process.store });
    for (const n of [1, 2, 3]) {
      const other = {
        ...talk(printed(50), "short", printed(60)),
        question: "?",
      };
      const fork = await elsewhere.send(
        id,
        request(client, n, {}, other),
        { session: `fork ${n}` },
      );
      assert.equal(spoken(fork, client), "older", `after ${n} steps`);
    }
  });

  Deno.test(`${id}: a conversation keeps what it was sent with, whatever a fork of it has made since`, async () => {
    const process = harness();
    await beginWithOlder(process, client);
    assert.equal(
      spoken(await process.send(id, request(client, 0)), client),
      "older",
    );
    const fork = { session: "fork" };
    const forked = await process.send(id, request(client, 1), fork);
    assert.equal(spoken(forked, client), "current");
    assert.match(text(forked.bytes), /omitted/);
    for (const n of [1, 2, 3]) {
      const own = await process.send(id, request(client, n));
      assert.equal(spoken(own, client), "older", `after ${n} steps`);
      assert.match(text(own.bytes), /omitted/);
    }
    const later = await process.send(id, request(client, 2), fork);
    assert.equal(spoken(later, client), "current");
    assert.deepEqual(process.failures, new Map());
  });

  Deno.test(`${id}: a form that was made without the tool brings none along`, async () => {
    const folded = talk("x".repeat(900), printed(50));
    const process = harness({ ccr: false });
    await process.send(id, request(client, 0, {}, folded));
    const call = await process.send(id, request(client, 1, {}, folded));
    assert.match(text(call.bytes), /x\*900/);
    const on = harness({ store: process.store });
    const elsewhere = { ...folded, question: "?" };
    const fork = await on.send(id, request(client, 1, {}, elsewhere));
    assert.match(text(fork.bytes), /x\*900/);
    assert.equal(spoken(fork, client), "none");
    const later = await on.send(id, request(client, 2, {}, elsewhere));
    assert.equal(spoken(later, client), "none");
    assert(!text(later.bytes).includes("omitted"));
  });

  Deno.test(`${id}: a conversation without any form stays declared, also after a restart`, async () => {
    const conversation = talk("short", "brief", "terse");
    let process = harness();
    for (const n of [0, 1, 2, 3]) {
      const body = request(client, n, {}, conversation);
      const call = await process.send(id, body);
      assert.equal(spoken(call, client), "current", `after ${n} steps`);
      process = harness({ store: process.store });
    }
  });

  Deno.test(`${id}: a conversation is declared when it begins, and not later where its newest results are small`, async () => {
    assert.equal(await declaredBy(client, request(client, 0)), "proxy");
    const process = harness();
    const small = talk("short", printed(50), printed(60));
    for (const n of [1, 2, 3]) {
      const body = request(client, n, {}, small);
      assert.equal(
        await declaredBy(client, body, process),
        "mid_conversation",
      );
    }
  });

  Deno.test(`${id}: a conversation keeps the tool though its host refused it to another; none begins with it, and no fork takes it over`, async () => {
    const process = harness();
    const refused = { isToolRefused: true };
    await process.send(id, request(client, 0));
    for (const n of [1, 2]) {
      const own = await process.send(id, request(client, n), refused);
      assert.equal(spoken(own, client), "current");
    }
    const fresh = { ...talk("short"), question: "another" };
    for (
      const [body, session] of [
        [request(client, 0), "s"],
        [request(client, 0, {}, fresh), "t"],
      ] as const
    ) {
      const begun = await process.send(id, body, { ...refused, session });
      assert.deepEqual(begun.declaration, {
        by: "nobody",
        reason: "tool_refused",
      });
    }
    const other = { ...talk(printed(50), "short"), question: "?" };
    const elsewhere = harness({ store: process.store });
    const fork = await elsewhere.send(
      id,
      request(client, 2, {}, other),
      refused,
    );
    assert.equal(fork.declaration.by, "nobody");
    assert.equal(spoken(fork, client), "none");
  });

  Deno.test(`${id}: flags, reloads and upgrades act on new conversations only`, async () => {
    const before = harness();
    await beginWithOlder(before, client);
    await before.send(id, request(client, 0));
    const off = harness({ store: before.store, ccr: false });
    const fresh = { ...talk(printed(50)), question: "another" };
    assert.equal(
      spoken(await off.send(id, request(client, 1)), client),
      "older",
    );
    assert.equal(
      spoken(await off.send(id, request(client, 0, {}, fresh)), client),
      "none",
    );
    const on = harness({ store: before.store });
    assert.equal(
      spoken(await on.send(id, request(client, 2)), client),
      "older",
    );
    const next = { ...fresh, question: "a third" };
    assert.equal(
      spoken(await on.send(id, request(client, 0, {}, next)), client),
      "current",
    );
  });

  Deno.test(`${id}: the definition stands behind the last tool, and all else is the client's, byte for byte`, async () => {
    for (const indent of [undefined, 2]) {
      for (const messagesFirst of [false, true]) {
        const style = { indent, ascii: true, messagesFirst };
        const body = styledBodyOf(client, style)(talk("short"), 0);
        const call = await harness().send(id, body);
        const sent = text(call.bytes);
        const parts = sent.split(`,${definitionOf(client)}`);
        assert.equal(parts.length, 2);
        assert.equal(parts.join(""), text(body));
        const names = JSON.parse(sent).tools.map(
          (tool: { name?: string; function?: { name: string } }) =>
            tool.name ?? tool.function?.name,
        );
        assert.deepEqual(names.slice(-2), ["fetch_rows", "headroom_retrieve"]);
      }
    }
  });

  Deno.test(`${id}: a cache_control on the client's last tool stays where it is`, async () => {
    const cache_control = { type: "ephemeral" };
    const marked = [
      ...tools.slice(0, -1),
      { ...tools.at(-1), cache_control },
    ];
    const call = await harness().send(
      id,
      request(client, 0, { tools: marked }),
    );
    const sent = JSON.parse(text(call.bytes)).tools;
    assert.deepEqual(sent.slice(0, -1), marked);
    assert.equal(sent.at(-1).cache_control, undefined);
  });

  Deno.test(`${id}: with 128 tools nothing is declared, with 127 it is`, async () => {
    const many = (n: number) =>
      Array.from(
        { length: n },
        (_, i) =>
          JSON.parse(JSON.stringify(tools[0]).replace('"Bash"', `"tool_${i}"`)),
      );
    const by = (n: number) =>
      declaredBy(client, request(client, 0, { tools: many(n) }));
    assert.equal(await by(127), "proxy");
    assert.equal(await by(128), "too_many_tools");
    assert.equal(await by(129), "too_many_tools");
  });

  Deno.test(`${id}: a client that has the tool under any MCP alias keeps it for itself, and originals stay elided`, async () => {
    const aliases = [
      "headroom_retrieve",
      "mcp__svc__headroom_retrieve",
      "mcp__svc-headroom__headroom_retrieve",
      "mcp_svc_headroom_retrieve",
      "svc_headroom_retrieve",
      "svc.headroom_retrieve",
      "svc/headroom_retrieve",
      "svc:headroom_retrieve",
      "functions.headroom_retrieve",
    ];
    for (const alias of aliases) {
      const named = JSON.parse(
        JSON.stringify(tools[0]).replace('"Bash"', JSON.stringify(alias)),
      );
      const members = { tools: [named, ...tools] };
      const process = harness();
      const begin = await process.send(id, request(client, 0, members));
      assert.deepEqual(begin.declaration, { by: "client" }, alias);
      const call = await process.send(id, request(client, 1, members));
      const sent = JSON.parse(text(call.bytes));
      assert.deepEqual(sent.tools, members.tools, alias);
      assert.match(text(call.bytes), /omitted/);
    }
    for (const other of ["headroom_retriever", "xheadroom_retrieve"]) {
      const named = JSON.parse(
        JSON.stringify(tools[0]).replace('"Bash"', JSON.stringify(other)),
      );
      const body = request(client, 0, { tools: [named] });
      assert.equal(await declaredBy(client, body), "proxy", other);
    }
  });

  Deno.test(`${id}: the tool stays declared whatever tool_choice says, and the choice is the client's`, async () => {
    const named = { type: "tool", name: "Bash" };
    const choices = [
      "auto",
      "none",
      "required",
      null,
      { type: "auto", disable_parallel_tool_use: true },
      { type: "any" },
      { type: "none" },
      named,
      { type: "function", function: { name: "Bash" } },
      { type: "allowed_tools", mode: "auto", tools: [named] },
    ];
    const process = harness();
    for (const [i, tool_choice] of choices.entries()) {
      const fresh = { ...talk("short"), question: `question ${i}` };
      for (
        const body of [
          request(client, 0, { tool_choice }, fresh),
          request(client, i % 3, { tool_choice }),
        ]
      ) {
        const call = await process.send(id, body);
        assert.equal(spoken(call, client), "current");
        const sent = JSON.parse(text(call.bytes));
        assert.deepEqual(sent.tool_choice, tool_choice);
      }
    }
  });
}

Deno.test("a messages conversation has begun with whatever the assistant said", async () => {
  const said = [
    "text",
    [{ type: "text", text: "x" }],
    [{ type: "tool_use", id: "t", name: "Bash", input: {} }],
    [{ type: "thinking", thinking: "t", signature: "s" }],
    [],
  ];
  for (const content of said) {
    const messages = [
      { role: "user", content: "q" },
      { role: "assistant", content },
      { role: "user", content: "and?" },
    ];
    const body = request(messagesClient, 0, { messages });
    assert.equal(await declaredBy(messagesClient, body), "mid_conversation");
  }
});

Deno.test("a responses conversation has begun with any item of the model", async () => {
  const items: readonly Record<string, unknown>[] = [
    { type: "reasoning", id: "r", summary: [] },
    { type: "message", role: "assistant", content: "x" },
    { role: "assistant", content: [{ type: "output_text", text: "x" }] },
    { type: "function_call", call_id: "c", name: "Bash", arguments: "{}" },
    { type: "custom_tool_call", call_id: "c", name: "apply", input: "x" },
    { type: "local_shell_call", call_id: "c", action: { type: "exec" } },
    { type: "apply_patch_call", call_id: "c", operation: {} },
    { type: "compaction", encrypted_content: "e" },
    { type: "compaction_summary", encrypted_content: "e" },
    { type: "web_search_call", id: "w", status: "completed" },
    { type: "file_search_call", id: "f", queries: [] },
    { type: "code_interpreter_call", id: "c", code: "1" },
    { type: "image_generation_call", id: "i", result: "" },
    { type: "computer_call", call_id: "c", action: {} },
    { type: "shell_call", call_id: "c", action: {} },
    { type: "mcp_call", id: "m", name: "n", arguments: "{}" },
    { type: "mcp_list_tools", id: "m", tools: [] },
    { type: "mcp_approval_request", id: "m", name: "n", arguments: "{}" },
    // Clients of a provider that keeps state name what the model said by its id.
    { type: "item_reference", id: "rs_1" },
  ];
  const wrong: unknown[] = [];
  for (const item of items) {
    const input = [{ role: "user", content: "q" }, item];
    const body = request(responsesClient, 0, { input });
    const by = await declaredBy(responsesClient, body);
    if (by !== "mid_conversation") wrong.push(item["type"]);
  }
  assert.deepEqual(wrong, []);
});

Deno.test("a chat conversation has begun with whatever the assistant said", async () => {
  const messages = (said: object) => [
    { role: "user", content: "q" },
    { role: "assistant", ...said },
  ];
  const all = [
    { content: "x" },
    { content: null, tool_calls: [] },
    { function_call: { name: "f", arguments: "{}" } },
  ];
  for (const said of all) {
    const body = request(chatClient, 0, { messages: messages(said) });
    assert.equal(await declaredBy(chatClient, body), "mid_conversation");
  }
});

Deno.test("a chat request for several choices declares nothing", async () => {
  const by = (n: unknown) =>
    declaredBy(chatClient, request(chatClient, 0, { n }));
  assert.equal(await by(2), "n_above_1");
  assert.equal(await by(128), "n_above_1");
  assert.equal(await by(1), "proxy");
  assert.equal(await by(null), "proxy");
});

Deno.test("a chat request with legacy functions only declares nothing, beside tools it does", async () => {
  const functions = [{ name: "Bash", parameters: { type: "object" } }];
  const { tools: _, ...bare } = JSON.parse(text(request(chatClient, 0)));
  const legacy = json({ ...bare, functions, function_call: "auto" });
  assert.equal(await declaredBy(chatClient, legacy), "no_tools");
  const both = request(chatClient, 0, { functions });
  assert.equal(await declaredBy(chatClient, both), "proxy");
});

Deno.test("a responses request with a conversation of the provider, or in the background, declares nothing", async () => {
  const by = (members: Record<string, unknown>) =>
    declaredBy(responsesClient, request(responsesClient, 0, members));
  assert.equal(await by({ conversation: "conv_1" }), "server_conversation");
  assert.equal(
    await by({ conversation: { id: "conv_1" } }),
    "server_conversation",
  );
  assert.equal(await by({ background: true }), "background");
  assert.equal(await by({ conversation: null, background: false }), "proxy");
});

Deno.test("a request that cannot take the tool gets originals, and the next that can has tool and forms again", async () => {
  const process = harness();
  const once: readonly [ClientFormat, Record<string, unknown>][] = [
    [messagesClient, { tools: undefined }],
    [chatClient, { n: 2 }],
    [responsesClient, { background: true }],
  ];
  for (const [client, members] of once) {
    await process.send(client.id, request(client, 0));
    const first = await process.send(client.id, request(client, 1));
    const bare = request(client, 1, members);
    assert.deepEqual((await process.send(client.id, bare)).bytes, bare);
    const again = await process.send(client.id, request(client, 1));
    assert.deepEqual(again.bytes, first.bytes);
    assert.match(text(again.bytes), /omitted/);
  }
});

Deno.test("while no more originals can be kept nothing is elided any more, and the tool stays declared", async () => {
  const process = harness();
  const folded = talk(printed(50), "x".repeat(900), printed(60));
  for (const n of [0, 1]) {
    await process.send("messages", request(messagesClient, n, {}, folded));
  }
  const full = harness({ store: { ...process.store, full: () => true } });
  const call = await full.send(
    "messages",
    request(messagesClient, 3, {}, folded),
  );
  const sent = text(call.bytes);
  assert.equal(sent.split("omitted").length, 2);
  assert(sent.includes(JSON.stringify(printed(60))));
  assert.equal(spoken(call, messagesClient), "current");
  const later = await full.send(
    "messages",
    request(messagesClient, 3, {}, { ...folded, question: "another" }),
  );
  assert.deepEqual(
    JSON.parse(text(later.bytes)).messages.slice(1),
    JSON.parse(sent).messages.slice(1),
  );
});

Deno.test("a conversation that begins with a long text declares, whatever its tools bring", async () => {
  const tools = [{ name: "Edit", input_schema: { type: "object" } }];
  const begun = async (content: string, userMessages = true) => {
    const messages = [{ role: "user", content }];
    return await declaredBy(
      messagesClient,
      json({ model: "m", tools, messages }),
      harness({ userMessages }),
    );
  };
  const long = "some words ".repeat(1500);
  assert.equal(await begun("some words"), "off");
  assert.equal(await begun(long), "proxy");
  assert.equal(await begun(long, false), "off");
});

Deno.test("the definition for responses is not strict, and no other says anything of it", () => {
  const parsed = CLIENTS.map((client) => JSON.parse(definitionOf(client)));
  assert.deepEqual(parsed.map(({ strict }) => strict), [
    undefined,
    undefined,
    false,
  ]);
  for (const { name, function: inner } of parsed) {
    assert.equal(name ?? inner.name, "headroom_retrieve");
  }
});
