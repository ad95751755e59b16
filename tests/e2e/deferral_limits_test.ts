/** Deferred tools at the limits of sessions, models and tool arrays. */
import assert from "node:assert/strict";
import { MCP_TOOLS } from "./many_tools.ts";
import { withProxy } from "./proxy.ts";
import { find } from "./retrieval_talk.ts";
import type { Script } from "./scripted_provider.ts";
import { messagesSdk } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";

const ON = { SVC_TOOL_DEFERRAL: "on" };
const tool = (name: string) => ({ name, input_schema: { type: "object" } });
const TOOLS = [tool("Bash"), ...MCP_TOOLS];
const toolsIn = (json: Readonly<Record<string, unknown>>) =>
  (json["tools"] ?? []) as {
    readonly name: string;
    readonly defer_loading?: boolean;
  }[];
const deferredIn = ({ json }: Received) =>
  toolsIn(json!).flatMap((tool) => tool.defer_loading ? tool.name : []);

const fine: Script = () => ({ text: "fine" });
const user = (text: string): object => messagesSdk.user(text) as object;
const said = (n: number) =>
  Array.from(
    { length: n },
    (_, i) => [{ role: "assistant", content: `a ${i}` }, user(`and ${i}?`)],
  ).flat();

/** Sends a request for a whole message with these elements. */
const ask = (
  url: string,
  elements: readonly unknown[],
  members: Record<string, unknown>,
  headers: Record<string, string> = {},
) => messagesSdk.send({ url, streaming: false, headers, elements, members });

Deno.test("a conversation that begins in a session of another keeps its own few tools", () =>
  withProxy(fine, async ({ url, provider }) => {
    const headers = { "x-svc-session-id": "s" };
    const send = (question: string, tools: object[]) =>
      ask(url, [user(question)], { tools }, headers);
    await send("main", TOOLS);
    await send("subagent", [tool("Grep"), tool("Read"), tool("Glob")]);
    assert.deepEqual(deferredIn(provider.received[1]!), []);
  }, ON));

/** Refuses a request, for the reason that the provider gives. */
const refusal = (message: string) => {
  const error = { type: "invalid_request_error", message };
  return {
    error: { status: 400, body: JSON.stringify({ type: "error", error }) },
  };
};

const pickyModel: Script = (request) =>
  request.json!["model"] === "old" && deferredIn(request).length > 0
    ? refusal("tools.1.custom.defer_loading: Extra inputs are not permitted")
    : { text: "fine" };
Deno.test("a user who changes to a model without deferral in mid-conversation can go on", () =>
  withProxy(pickyModel, async ({ url }) => {
    const send = (n: number, model: string) =>
      ask(url, [user("q?"), ...said(n)], { tools: TOOLS, model });
    await send(0, "new");
    await send(1, "old");
  }, ON));

const refusesDeferral: Script = (request) =>
  deferredIn(request).length > 0 && request.text.includes("a 0")
    ? refusal("tools.1.custom.defer_loading: Extra inputs are not permitted")
    : { text: "fine" };
Deno.test("a host that refuses deferred definitions in mid-conversation gets all of them, then and later", () =>
  withProxy(refusesDeferral, async ({ url, provider }) => {
    const send = (n: number) =>
      ask(url, [user("q?"), ...said(n)], { tools: TOOLS });
    for (const n of [0, 1, 2]) await send(n);
    const counts = provider.received.map((one) => deferredIn(one).length);
    assert.deepEqual(counts.map((count) => count > 0), [
      true,
      true,
      false,
      false,
    ]);
    const stats = await (await fetch(`${url}/stats`)).json();
    assert.equal(stats.prefix_stability.ours, 0);
  }, ON));

const refusesReferences: Script = ({ text }) =>
  text.includes('"tool_reference"')
    ? refusal("tool_reference is not a known type")
    : { calls: [find(MCP_TOOLS[0]!.name)] };
Deno.test("a host that takes deferred definitions, but not what loads them, gets all of them with the client's next try", () =>
  withProxy(
    (request, n) =>
      deferredIn(request).length > 0
        ? refusesReferences(request, n)
        : fine(request, n),
    async ({ url, provider }) => {
      const send = () => ask(url, [user("q?")], { tools: TOOLS });
      await assert.rejects(send(), /400.*tool_reference is not a known type/);
      await send();
      assert.deepEqual(deferredIn(provider.received.at(-1)!), []);
    },
    ON,
  ));

const noSuchModel: Script = ({ json }) =>
  json!["model"] === "nope"
    ? {
      error: {
        status: 404,
        body:
          '{"type":"error","error":{"type":"not_found_error","message":"model: nope"}}',
      },
    }
    : { text: "fine" };
Deno.test("a conversation whose other model is refused goes on with the tools that the client's model got", () =>
  withProxy(noSuchModel, async ({ url, provider }) => {
    for (const n of [0, 1, 2]) {
      await ask(url, [user("q?"), ...said(n)], {
        tools: TOOLS,
        model: "claude-opus-4-1",
      });
    }
    const [refused, ...taken] = provider.received;
    assert.equal(refused!.json!["model"], "nope");
    assert.equal(taken.length, 3);
    for (const one of taken) {
      assert.equal(one.json!["model"], "claude-opus-4-1");
      assert.deepEqual(toolsIn(one.json!), toolsIn(refused!.json!));
    }
    const stats = await (await fetch(`${url}/stats`)).json();
    assert.equal(stats.prefix_stability.ours, 0);
  }, {
    ...ON,
    SVC_AUTO_CACHE: "0",
    SVC_MODEL_ROUTER: "1",
    SVC_MODEL_ROUTES: '[{"from_models":["claude-opus*"],"to_model":"nope"}]',
  }));

const refusesBoth: Script = (request, n) =>
  deferredIn(request).length > 0
    ? refusesDeferral({ ...request, text: "a 0" }, n)
    : noSuchModel(request, n);
Deno.test("a host that refuses deferral and the other model is asked for neither in the next conversation", () =>
  withProxy(refusesBoth, async ({ url, provider }) => {
    const send = (question: string) =>
      ask(url, [user(question)], { tools: TOOLS, model: "claude-opus-4-1" });
    await send("first?");
    const before = provider.received.length;
    await send("second?");
    await send("third?");
    // The client's model has not been asked without deferral before.
    assert(provider.received.length <= before + 3);
    assert.equal(provider.received.at(-2)!.json!["model"], "claude-opus-4-1");
    assert.deepEqual(deferredIn(provider.received.at(-1)!), []);
  }, {
    ...ON,
    SVC_MODEL_ROUTER: "1",
    SVC_MODEL_ROUTES: '[{"from_models":["claude-opus*"],"to_model":"nope"}]',
  }));

Deno.test("a request with few of the conversation's tools has nothing to search for, and the client has changed it", () =>
  withProxy(fine, async ({ url, provider }) => {
    const send = (n: number, tools: object[]) =>
      ask(url, [user("q?"), ...said(n)], { tools });
    await send(0, TOOLS);
    await send(1, [tool("Bash")]);
    await send(2, TOOLS);
    assert.doesNotMatch(provider.received[1]!.text, /svc_find_tools/);
    const stats = await (await fetch(`${url}/stats`)).json();
    assert.equal(stats.prefix_stability.ours, 0);
  }, ON));

Deno.test("a fork under another session keeps the tools of its past, whatever the results in it", () =>
  withProxy(fine, async ({ url, provider }) => {
    const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: "" };
    const past: object[] = [
      user("q?"),
      { role: "assistant", content: [call] },
      { role: "user", content: [{ ...result, content: "ok" }] },
    ];
    const send = (session: string, elements: object[]) =>
      ask(url, elements, { tools: TOOLS }, { "x-svc-session-id": session });
    await send("a", past.slice(0, 1));
    await send("a", past);
    await send("b", [...past, ...said(1)]);
    await send("c", [user("another?"), ...past.slice(1), ...said(1)]);
    const sent = provider.received.map(deferredIn);
    assert(sent[0]!.length > 0);
    assert.deepEqual(sent.slice(1), [sent[0], sent[0], []]);
  }, ON));

Deno.test("a request has no more than 128 tools with ours", () =>
  withProxy(fine, async ({ url, provider }) => {
    const tools = [
      ...TOOLS,
      ...Array.from(
        { length: 96 },
        (_, i) => ({ ...MCP_TOOLS[0], name: `mcp__x__act_${i}` }),
      ),
    ];
    assert.equal(tools.length, 127);
    await ask(url, [user("q?")], { tools });
    assert.equal(toolsIn(provider.received[0]!.json!).length, 128);
  }, ON));

Deno.test("what was deferred stays deferred when a client has 128 tools and more in mid-conversation", () =>
  withProxy(fine, async ({ url, provider }) => {
    const more = Array.from(
      { length: 100 },
      (_, i) => ({ ...MCP_TOOLS[0], name: `mcp__x__act_${i}` }),
    );
    const send = (n: number, tools: object[]) =>
      ask(url, [user("q?"), ...said(n)], { tools });
    await send(0, TOOLS);
    await send(1, [...TOOLS, ...more]);
    assert.equal(deferredIn(provider.received[1]!).length, 130);
  }, ON));

Deno.test("a forced tool that was found before keeps the search in its place", () => {
  const ISSUE = MCP_TOOLS[0]!.name;
  const script: Script = ({ text }) =>
    text.includes("tool_result") ? { text: "fine" } : { calls: [find(ISSUE)] };
  return withProxy(script, async ({ url, provider }) => {
    const { elements } = await ask(url, [user("q?")], { tools: TOOLS });
    await ask(url, [user("q?"), ...elements, user("now")], {
      tools: TOOLS,
      tool_choice: { type: "tool", name: ISSUE },
    });
    assert.match(provider.received.at(-1)!.text, /tool_use_id/);
    const stats = await (await fetch(`${url}/stats`)).json();
    assert.equal(stats.prefix_stability.ours, 0);
  }, ON);
});

Deno.test("a search for a tool that is listed says so", async () => {
  let answer = "";
  const script: Script = ({ text }) => {
    const found =
      /"tool_result","tool_use_id":"[^"]+","content":("(?:[^"\\]|\\.)*"|\[[^\]]*\])/
        .exec(text);
    if (found) answer = found[1]!;
    return found ? { text: "fine" } : { calls: [find("select:Bash")] };
  };
  await withProxy(script, async ({ url }) => {
    await ask(url, [user("q?")], { tools: TOOLS });
    assert.match(answer, /Bash/);
  }, ON);
});

Deno.test("the session's definition is not taken over where the setting is off", () =>
  withProxy(fine, async ({ url, provider, reload }) => {
    const headers = { "x-svc-session-id": "s" };
    const send = (question: string) =>
      ask(url, [user(question)], { tools: TOOLS }, headers);
    await send("one");
    await reload({
      MSG_TARGET_API_URL: provider.url,
      CHAT_TARGET_API_URL: provider.url,
      SVC_TOOL_DEFERRAL: "off",
    });
    await send("two");
    assert.deepEqual(deferredIn(provider.received[1]!), []);
  }, ON));
