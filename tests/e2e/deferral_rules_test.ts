/** Who gets deferred tools and who does not, and what becomes of an answer that cannot go on. */
import assert from "node:assert/strict";
import { MCP_TOOLS } from "./many_tools.ts";
import { type Rig, withProxy } from "./proxy.ts";
import { find } from "./retrieval_talk.ts";
import type { Script } from "./scripted_provider.ts";
import type { Reply } from "./scripted_wires.ts";
import { messagesSdk } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";

/** Definitions are compared as a whole: breakpoints of ours would stand in one of them. */
const ON = { SVC_TOOL_DEFERRAL: "on", SVC_AUTO_CACHE: "0" };
const OFF = { SVC_TOOL_DEFERRAL: "off" };
const BASH = { name: "Bash", input_schema: { type: "object" } };
const TOOLS = [BASH, ...MCP_TOOLS];
const NAMES = MCP_TOOLS.map(({ name }) => name);
const [ISSUE] = NAMES;

interface SentTool {
  readonly name: string;
  readonly defer_loading?: boolean;
}

function toolsIn({ json }: Received): readonly SentTool[] {
  return (json!["tools"] ?? []) as readonly SentTool[];
}

const deferredIn = (request: Received) =>
  toolsIn(request).flatMap((tool) => tool.defer_loading ? tool.name : []);
/** What stands behind the client's tools. */
const ownIn = (request: Received) =>
  toolsIn(request).slice(TOOLS.length).map(({ name }) => name);

/** One request; `turns` says what was said before it. */
interface Asked {
  readonly question: string;
  readonly turns?: number;
  readonly tools?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly streaming?: boolean;
}

function messagesOf({ question, turns = 0 }: Asked): readonly unknown[] {
  return [
    messagesSdk.user(question),
    ...Array.from({ length: turns }, (_, i) => [
      { role: "assistant", content: `answer ${i}` },
      messagesSdk.user(`and ${i}?`),
    ]).flat(),
  ];
}

/** Sends a request through the SDK; gives what was seen, and what the provider got for it. */
async function send(
  { url, provider }: Pick<Rig, "url" | "provider">,
  asked: Asked,
) {
  const { tools = TOOLS, headers = {}, members, streaming = false } = asked;
  const from = provider.received.length;
  const seen = await messagesSdk.send({
    ...{ url, streaming, headers },
    elements: messagesOf(asked),
    members: { tools, ...members },
  });
  return { seen, sent: provider.received.slice(from) };
}

const fine: Script = () => ({ text: "fine" });
/** Takes no request with a definition that is deferred, in words that say nothing. */
const picky: Script = (request) =>
  deferredIn(request).length === 0 ? { text: "fine" } : {
    error: { status: 400, body: '{"type":"error","error":{"type":"x"}}' },
  };

for (const headers of [{}, { "x-svc-session-id": "s" }]) {
  const where = "x-svc-session-id" in headers ? "in one session" : "in none";

  Deno.test(`a provider that takes no deferred definition gets the request as it came, and other conversations only the retrieval tool: ${where}`, () =>
    withProxy(picky, async (rig) => {
      const first = { question: "one?", headers };
      const { sent: [refused, plain, ...more] } = await send(rig, first);
      assert.deepEqual(deferredIn(refused!), NAMES);
      assert.deepEqual(more, []);
      assert.deepEqual(toolsIn(plain!), TOOLS);
      const { sent: later } = await send(rig, { ...first, turns: 1 });
      assert.deepEqual(later.map(toolsIn), [TOOLS]);
      for (const turns of [0, 1]) {
        const { sent } = await send(rig, { question: "two?", headers, turns });
        assert.deepEqual(sent.map(ownIn), [["headroom_retrieve"]]);
        assert.deepEqual(sent.map(deferredIn), [[]]);
      }
    }, ON));
}

Deno.test("a setting that changes is for conversations that begin: both ways", () =>
  withProxy(fine, async (rig) => {
    const with30 = { question: "on?", turns: 0 };
    const without = { question: "off?", turns: 0 };
    const expect = async (asked: Asked, deferred: readonly string[]) => {
      const { sent } = await send(rig, asked);
      assert.deepEqual(sent.map(deferredIn), [deferred], asked.question);
    };
    await expect(with30, NAMES);
    await rig.reload({ ...targets(rig), ...OFF });
    await expect(without, []);
    await expect({ ...with30, turns: 1 }, NAMES);
    await rig.reload({ ...targets(rig), ...ON });
    await expect({ ...without, turns: 1 }, []);
    await expect({ ...with30, turns: 2 }, NAMES);
    await expect({ question: "third?" }, NAMES);
  }, ON));

/** Settings that lead to the provider of a rig. */
function targets({ provider }: Pick<Rig, "provider">) {
  return {
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
  };
}

Deno.test("by default nothing is deferred at a provider that is not known to take it", () =>
  withProxy(fine, async (rig) => {
    const { sent } = await send(rig, { question: "q?" });
    assert.deepEqual(sent.map(deferredIn), [[]]);
    assert.deepEqual(sent.map(ownIn), [["headroom_retrieve"]]);
  }));

Deno.test("a client with its own tool search gets only the retrieval tool", () =>
  withProxy(fine, async (rig) => {
    const own = { name: "ToolSearch", input_schema: { type: "object" } };
    const late = { ...MCP_TOOLS[0], defer_loading: true };
    const now = { ...MCP_TOOLS[0], defer_loading: false };
    for (const extra of [own, late]) {
      const tools = [BASH, ...MCP_TOOLS.slice(1), extra];
      const { sent } = await send(rig, {
        question: JSON.stringify(extra),
        tools,
      });
      assert.deepEqual(toolsIn(sent[0]!).slice(0, -1), tools);
      assert.deepEqual(sent.map(ownIn), [["headroom_retrieve"]]);
    }
    const tools = [BASH, ...MCP_TOOLS.slice(1), now];
    const { sent } = await send(rig, { question: "now?", tools });
    assert.deepEqual(sent.map(deferredIn), [NAMES.slice(1)]);
  }, ON));

Deno.test("a cache mark on a tool that is deferred goes on to the last one that stays", () =>
  withProxy(fine, async (rig) => {
    const cache_control = { type: "ephemeral" };
    const tools = [...TOOLS.slice(0, -1), { ...TOOLS.at(-1), cache_control }];
    const { sent: [request] } = await send(rig, { question: "q?", tools });
    const marked = toolsIn(request!).filter((tool) => "cache_control" in tool);
    assert.deepEqual(marked.map(({ name }) => name), ["Bash"]);
  }, ON));

Deno.test("a tool that must be called is defined for that request, and what was deferred is again behind it", () =>
  withProxy(fine, async (rig) => {
    const tool_choice = { type: "tool", name: ISSUE };
    const question = "q?";
    const { sent: [first] } = await send(rig, { question });
    const { sent: [forced] } = await send(rig, {
      ...{ question, turns: 1 },
      members: { tool_choice },
    });
    const { sent: [last] } = await send(rig, { question, turns: 2 });
    assert.deepEqual(deferredIn(forced!), NAMES.slice(1));
    assert.deepEqual(toolsIn(last!), toolsIn(first!));
  }, ON));

for (const streaming of [false, true]) {
  const how = streaming ? "stream" : "document";

  Deno.test(`an answer that only searches must speak after the fourth time, and is an error if it still does not: ${how}`, async () => {
    const searches = (letters: string, text?: string): readonly Reply[] =>
      [...letters].map((letter) => ({
        ...text === undefined ? {} : { text },
        calls: [find(`select:${NAMES[letter.charCodeAt(0) - 97]}`)],
      }));
    let replies: Reply[] = [];
    const script: Script = () => replies.shift() ?? { text: "fine" };
    const none = { type: "none" };
    const choices = (sent: readonly Received[]) =>
      sent.map(({ json }) => json!["tool_choice"]);
    const forced = { tool_choice: { type: "any" } };
    await withProxy(script, async (rig) => {
      const any = forced.tool_choice;
      for (
        const [text = "", members, kept] of [
          [undefined, {}, undefined],
          ["Hm. ", {}, undefined],
          [undefined, forced, any],
        ] as const
      ) {
        replies = [...searches("abcd", text === "" ? undefined : text)];
        const question = `q ${text} ${JSON.stringify(members)}?`;
        const { seen, sent } = await send(rig, {
          question,
          streaming,
          members,
        });
        assert.equal(seen.text, `${text.repeat(4)}fine`);
        assert.equal(seen.stop, "end_turn");
        assert.deepEqual(seen.calls, []);
        // What was found is to be used: the round before the last may call tools as well.
        assert.deepEqual(choices(sent), [kept, kept, kept, kept, none]);
      }
      replies = [...searches("abcde")];
      await assert.rejects(
        send(rig, { question: "silent?", streaming }),
        (error: Error) =>
          /again and again/.test(error.message) &&
          !/original|retriev/.test(error.message),
      );
      replies = [...searches("abcde", "Hm. ")];
      const { seen } = await send(rig, { question: "not silent?", streaming });
      assert.equal(seen.text, "Hm. ".repeat(5));
      const { seen: next } = await send(rig, { question: "next?", streaming });
      assert.equal(next.text, "fine");
    }, ON);
  });
}

Deno.test("tokens are counted for the prompt with what is deferred and what was found", () => {
  const script: Script = ({ text }) => {
    if (!text.includes("tool_result")) return { calls: [find(ISSUE)] };
    return { text: "fine" };
  };
  return withProxy(script, async (rig) => {
    const { seen, sent } = await send(rig, { question: "q?" });
    const messages = [
      messagesSdk.user("q?"),
      ...seen.elements,
      messagesSdk.user("And?"),
    ];
    const body = JSON.stringify({
      ...{ model: "claude-sonnet-5", tools: TOOLS, messages },
    });
    const response = await fetch(`${rig.url}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    await response.body?.cancel();
    const counted = rig.provider.received.at(-1)!;
    assert.match(counted.path, /count_tokens/);
    assert.deepEqual(toolsIn(counted), toolsIn(sent[0]!));
    assert.match(counted.text, /"tool_reference"/);
  }, ON);
});
