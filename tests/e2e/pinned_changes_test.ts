/** Another model, shorter answers, smaller definitions: what a conversation begins with, and keeps. */
import assert from "node:assert/strict";
import {
  type Asked,
  deferredIn,
  fine,
  refusal,
  send as sendAsked,
} from "./asked.ts";
import { MCP_TOOLS } from "./many_tools.ts";
import { type Rig, withProxy } from "./proxy.ts";
import { find } from "./retrieval_talk.ts";
import type { Script } from "./scripted_provider.ts";
import { messagesSdk } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";

const BASH = {
  name: "Bash",
  input_schema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { command: { title: "Command", type: "string" } },
  },
};

/** Asks a model of the rules below, with one tool unless told otherwise. */
const send = (rig: Pick<Rig, "url" | "provider">, asked: Asked) =>
  sendAsked(rig, {
    ...asked,
    members: { model: "claude-opus-4-8", tools: [BASH], ...asked.members },
  });

const modelsOf = (sent: readonly Received[]) =>
  sent.map(({ json }) => json!["model"]);
const firstText = ({ json }: Received) =>
  (json!["messages"] as { readonly content: string }[])[0]!.content;

const ROUTES = {
  SVC_MODEL_ROUTER: "1",
  SVC_MODEL_ROUTES: JSON.stringify([
    {
      from_models: ["claude-opus-*"],
      to_model: "claude-haiku-4-5",
      max_input_tokens: 400,
    },
    { to_model: "typo", max_tokens: 1 },
    {
      name: "late",
      from_models: ["claude-x"],
      to_model: "claude-y",
      mid_conversation: true,
    },
  ]),
};

Deno.test("a conversation is begun with the model that a rule names, and keeps it, also without the rule", () =>
  withProxy(fine, async (rig) => {
    const { last } = await send(rig, { question: "small" });
    assert.equal(last.json!["model"], "claude-haiku-4-5");
    const long = `large ${"x".repeat(4000)}`;
    assert.deepEqual(
      modelsOf((await send(rig, { question: long })).sent),
      ["claude-opus-4-8"],
    );
    // Longer than the rule allows by now.
    const later = await send(rig, { question: "small", turns: 90 });
    assert.equal(later.last.json!["model"], "claude-haiku-4-5");
    // The user's own choice.
    const other = await send(rig, {
      ...{ question: "small", turns: 1 },
      members: { model: "m" },
    });
    assert.equal(other.last.json!["model"], "m");
    // Begun without the rules: not changed any more.
    const bypass = { "x-svc-bypass": "true" };
    await send(rig, { question: "bare", headers: bypass });
    const bare = await send(rig, { question: "bare", headers: bypass });
    assert.equal(bare.last.json!["model"], "claude-opus-4-8");
    const begun = await send(rig, { question: "met late", turns: 2 });
    assert.equal(begun.last.json!["model"], "claude-opus-4-8");
    const midway = {
      ...{ question: "x", turns: 2 },
      members: { model: "claude-x" },
    };
    assert.equal((await send(rig, midway)).last.json!["model"], "claude-y");
    await rig.reload({
      ...ROUTES,
      SVC_MODEL_ROUTES: '[{"from_models":["none"],"to_model":"n"}]',
      MSG_TARGET_API_URL: rig.provider.url,
    });
    const after = await send(rig, { question: "small", turns: 3 });
    assert.equal(after.last.json!["model"], "claude-haiku-4-5");
    const { requests } = await (await fetch(`${rig.url}/stats`)).json();
    assert.equal(requests.failed ?? 0, 0);
  }, ROUTES));

Deno.test("a model that a host refuses is not asked again: the client's is", () => {
  const picky: Script = ({ json }) =>
    json!["model"] === "claude-haiku-4-5"
      ? refusal(404, "no", "not_found_error")
      : { text: "Fine." };
  return withProxy(picky, async (rig) => {
    const first = await send(rig, { question: "a" });
    assert.deepEqual(
      modelsOf(first.sent),
      ["claude-haiku-4-5", "claude-opus-4-8"],
    );
    for (const asked of [{ question: "a", turns: 1 }, { question: "b" }]) {
      const { sent } = await send(rig, asked);
      assert.deepEqual(modelsOf(sent), ["claude-opus-4-8"]);
    }
  }, ROUTES);
});

Deno.test("rules that are only logged change nothing", () =>
  withProxy(fine, async (rig) => {
    const { last } = await send(rig, { question: "a" });
    assert.equal(last.json!["model"], "claude-opus-4-8");
    assert.equal(firstText(last), "a");
    assert.ok(rig.logged.includes("model_route"));
  }, { ...ROUTES, SVC_MODEL_ROUTER_LOG_ONLY: "1" }));

const SHAPED = { SVC_OUTPUT_SHAPER: "1", SVC_OUTPUT_HOLDOUT: "0" };

Deno.test("a conversation asks for shorter answers from its first request to its last, and one that has begun never", () =>
  withProxy(fine, async (rig) => {
    const wishes = (level: string) =>
      fetch(`${rig.url}/admin/runtime-env`, {
        method: "POST",
        body: JSON.stringify({ SVC_VERBOSITY_LEVEL: level }),
      }).then(async (response) => (await response.json()).applied);
    for (const members of [{}, { tools: undefined }]) {
      const question = `q ${Object.keys(members)}`;
      const first = firstText((await send(rig, { question, members })).last);
      assert.match(first, /^q \w*\n\nAnswer briefly\. /);
      assert.deepEqual(await wishes("4"), { SVC_VERBOSITY_LEVEL: "4" });
      const next = await send(rig, { question, members, turns: 2 });
      assert.equal(firstText(next.last), first);
      const other = await send(rig, { question: `${question}!`, members });
      assert.match(firstText(other.last), /Answer in fragments/);
      const begun = { question: `${question}?`, members, turns: 1 };
      assert.equal(firstText((await send(rig, begun)).last), begun.question);
      await wishes("2");
    }
  }, SHAPED));

Deno.test("a share of conversations is left as it is", () =>
  withProxy(fine, async (rig) => {
    const { last } = await send(rig, { question: "a" });
    assert.equal(firstText(last), "a");
  }, { ...SHAPED, SVC_OUTPUT_HOLDOUT: "1" }));

Deno.test("the level follows what users of a project say, for new conversations", () =>
  withProxy(fine, async (rig) => {
    const said = async (question: string, project = "shop") =>
      firstText((await send(rig, { question, prefix: `/p/${project}` })).last);
    const before = await said("a");
    const wish = { question: "a", turns: 1, last: "Explain." };
    await send(rig, { ...wish, prefix: "/p/shop" });
    assert.notEqual(await said("b"), before.replace("a", "b"));
    assert.equal(await said("c", "other"), before.replace("a", "c"));
  }, { ...SHAPED, SVC_VERBOSITY_AUTOTUNE: "1" }));

Deno.test("definitions that stay are written without what no model reads, and keep their bytes", () =>
  withProxy(fine, async (rig) => {
    const members = { tools: [BASH, ...MCP_TOOLS] };
    const first = (await send(rig, { question: "a", members })).last;
    const { input_schema } = (first.json!["tools"] as typeof BASH[])[0]!;
    assert.deepEqual(input_schema, {
      type: "object",
      properties: { command: { type: "string" } },
    });
    const next = (await send(rig, { question: "a", members, turns: 1 })).last;
    assert.deepEqual(next.json!["tools"], first.json!["tools"]);
    const { tokens } = await (await fetch(`${rig.url}/stats`)).json();
    assert.ok(tokens.saved > 0, JSON.stringify(tokens));
  }, { SVC_TOOL_COMPACTION: "1", SVC_TOOL_DEFERRAL: "on" }));

Deno.test("a tool that a client uses again and again stays in the prompt of its new conversations", () => {
  const issue = MCP_TOOLS[0]!.name;
  const script: Script = ({ json, text }) => {
    const { length } = json!["messages"] as unknown[];
    if (text.includes('"done"')) return { text: "Fine." };
    return length === 1 && text.includes('"svc_find_tools"')
      ? { calls: [find(issue)] }
      : { calls: [{ tool: issue, input: {} }] };
  };
  return withProxy(script, async (rig) => {
    const members = { tools: [BASH, ...MCP_TOOLS] };
    const talk = async (question: string, client: string) => {
      const headers = { "user-agent": `${client}/1` };
      const asked = { question, headers, members };
      const { seen, sent: [first] } = await send(rig, asked);
      const done = new Map([[seen.calls[0]!.id, "done"]]);
      const said = [...seen.elements, ...messagesSdk.results(done)];
      await send(rig, { ...asked, said });
      return deferredIn(first!).includes(issue);
    };
    assert.equal(await talk("0", "busy"), true);
    for (let i = 1; i < 8; i++) await talk(`${i}`, "busy");
    assert.equal(await talk("8", "busy"), false);
    assert.equal(await talk("9", "idle"), true);
  }, { SVC_TOOL_DEFERRAL: "on" });
});
