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
const user = messagesSdk.user;
const said = (n: number) =>
  Array.from(
    { length: n },
    (_, i) => [{ role: "assistant", content: `a ${i}` }, user(`and ${i}?`)],
  ).flat();

Deno.test("a conversation that begins in a session of another keeps its own few tools", () =>
  withProxy(fine, async ({ url, provider }) => {
    const headers = { "x-svc-session-id": "s" };
    const send = (question: string, tools: object[]) =>
      messagesSdk.send({
        url,
        streaming: false,
        headers,
        elements: [user(question)],
        members: { tools },
      });
    await send("main", TOOLS);
    await send("subagent", [tool("Grep"), tool("Read"), tool("Glob")]);
    assert.deepEqual(deferredIn(provider.received[1]!), []);
  }, ON));

const pickyModel: Script = (request) =>
  request.json!["model"] === "old" && deferredIn(request).length > 0
    ? {
      error: {
        status: 400,
        body:
          '{"type":"error","error":{"type":"invalid_request_error","message":"tools.1.custom.defer_loading: Extra inputs are not permitted"}}',
      },
    }
    : { text: "fine" };
Deno.test("a user who changes to a model without deferral in mid-conversation can go on", () =>
  withProxy(pickyModel, async ({ url }) => {
    const send = (n: number, model: string) =>
      messagesSdk.send({
        url,
        streaming: false,
        elements: [user("q?"), ...said(n)],
        members: { tools: TOOLS, model },
      });
    await send(0, "new");
    await send(1, "old");
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
    await messagesSdk.send({
      url,
      streaming: false,
      elements: [user("q?")],
      members: { tools },
    });
    assert.equal(toolsIn(provider.received[0]!.json!).length, 128);
  }, ON));

Deno.test("what was deferred stays deferred when a client has 128 tools and more in mid-conversation", () =>
  withProxy(fine, async ({ url, provider }) => {
    const more = Array.from(
      { length: 100 },
      (_, i) => ({ ...MCP_TOOLS[0], name: `mcp__x__act_${i}` }),
    );
    const send = (n: number, tools: object[]) =>
      messagesSdk.send({
        url,
        streaming: false,
        elements: [user("q?"), ...said(n)],
        members: { tools },
      });
    await send(0, TOOLS);
    await send(1, [...TOOLS, ...more]);
    assert.equal(deferredIn(provider.received[1]!).length, 130);
  }, ON));

Deno.test("a forced tool that was found before keeps the search in its place", () => {
  const ISSUE = MCP_TOOLS[0]!.name;
  const script: Script = ({ text }) =>
    text.includes("tool_result") ? { text: "fine" } : { calls: [find(ISSUE)] };
  return withProxy(script, async ({ url, provider }) => {
    const { elements } = await messagesSdk.send({
      url,
      streaming: false,
      elements: [user("q?")],
      members: { tools: TOOLS },
    });
    await messagesSdk.send({
      url,
      streaming: false,
      elements: [user("q?"), ...elements, user("now")],
      members: { tools: TOOLS, tool_choice: { type: "tool", name: ISSUE } },
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
    await messagesSdk.send({
      url,
      streaming: false,
      elements: [user("q?")],
      members: { tools: TOOLS },
    });
    assert.match(answer, /Bash/);
  }, ON);
});

Deno.test("the session's definition is not taken over where the setting is off", () =>
  withProxy(fine, async ({ url, provider, reload }) => {
    const headers = { "x-svc-session-id": "s" };
    const send = (question: string) =>
      messagesSdk.send({
        url,
        streaming: false,
        headers,
        elements: [user(question)],
        members: { tools: TOOLS },
      });
    await send("one");
    await reload({
      MSG_TARGET_API_URL: provider.url,
      CHAT_TARGET_API_URL: provider.url,
      SVC_TOOL_DEFERRAL: "off",
    });
    await send("two");
    assert.deepEqual(deferredIn(provider.received[1]!), []);
  }, ON));
