/** Another model, shorter answers, smaller definitions: what a conversation begins with, and keeps. */
import assert from "node:assert/strict";
import { MCP_TOOLS } from "./many_tools.ts";
import { type Rig, withProxy } from "./proxy.ts";
import { find } from "./retrieval_talk.ts";
import type { Script } from "./scripted_provider.ts";
import type { Received } from "./upstream.ts";

const BASH = {
  name: "Bash",
  input_schema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { command: { title: "Command", type: "string" } },
  },
};

/** One request of a conversation. */
interface Asked {
  readonly question: string;
  /** Turns before it. */
  readonly turns?: number;
  readonly model?: string;
  readonly tools?: readonly object[] | undefined;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The user's last words; something else in each turn unless given. */
  readonly last?: string;
}

/** Sends it; gives the status, and what the provider got. */
async function send(
  { url, provider }: Pick<Rig, "url" | "provider">,
  { question, turns = 0, model = "claude-opus-4-8", ...asked }: Asked,
) {
  const from = provider.received.length;
  const messages: object[] = [{ role: "user", content: question }];
  for (let i = 0; i < turns; i++) {
    const content = i + 1 === turns && asked.last || `And ${i}?`;
    messages.push({ role: "assistant", content: `So ${i}.` });
    messages.push({ role: "user", content });
  }
  const tools = "tools" in asked ? asked.tools : [BASH];
  const body = { model, max_tokens: 9, ...tools && { tools }, messages };
  const response = await fetch(url + (asked.path ?? "/v1/messages"), {
    method: "POST",
    headers: { "content-type": "application/json", ...asked.headers },
    body: JSON.stringify(body),
  });
  await response.text();
  const sent = provider.received.slice(from);
  return { status: response.status, body, sent, last: sent.at(-1)! };
}

const modelsOf = (sent: readonly Received[]) =>
  sent.map(({ json }) => json!["model"]);
const firstText = ({ json }: Received) =>
  (json!["messages"] as { readonly content: string }[])[0]!.content;
const fine: Script = () => ({ text: "Fine." });

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
    const other = await send(rig, { question: "small", turns: 1, model: "m" });
    assert.equal(other.last.json!["model"], "m");
    // Begun without the rules: not changed any more.
    const bypass = { "x-svc-bypass": "true" };
    await send(rig, { question: "bare", headers: bypass });
    const bare = await send(rig, { question: "bare", headers: bypass });
    assert.equal(bare.last.json!["model"], "claude-opus-4-8");
    const begun = await send(rig, { question: "met late", turns: 2 });
    assert.equal(begun.last.json!["model"], "claude-opus-4-8");
    const midway = { question: "x", turns: 2, model: "claude-x" };
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
      ? {
        error: {
          status: 404,
          body:
            '{"type":"error","error":{"type":"not_found_error","message":"no"}}',
        },
      }
      : { text: "Fine." };
  return withProxy(picky, async (rig) => {
    const first = await send(rig, { question: "a" });
    assert.equal(first.status, 200);
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
    const { last, body } = await send(rig, { question: "a", tools: undefined });
    assert.deepEqual(last.json, body);
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
    for (const tools of [[BASH], undefined]) {
      const question = `q ${tools?.length}`;
      const first = firstText((await send(rig, { question, tools })).last);
      assert.match(first, /^q \w+\n\nAnswer briefly\. /);
      assert.deepEqual(await wishes("4"), { SVC_VERBOSITY_LEVEL: "4" });
      const next = await send(rig, { question, tools, turns: 2 });
      assert.equal(firstText(next.last), first);
      const other = await send(rig, { question: `${question}!`, tools });
      assert.match(firstText(other.last), /Answer in fragments/);
      const begun = { question: `${question}?`, tools, turns: 1 };
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
      firstText(
        (await send(rig, { question, path: `/p/${project}/v1/messages` })).last,
      );
    const before = await said("a");
    const path = "/p/shop/v1/messages";
    await send(rig, { question: "a", turns: 1, last: "Explain.", path });
    assert.notEqual(await said("b"), before.replace("a", "b"));
    assert.equal(await said("c", "other"), before.replace("a", "c"));
  }, { ...SHAPED, SVC_VERBOSITY_AUTOTUNE: "1" }));

Deno.test("definitions that stay are written without what no model reads, and keep their bytes", () =>
  withProxy(fine, async (rig) => {
    const tools = [BASH, ...MCP_TOOLS];
    const first = (await send(rig, { question: "a", tools })).last;
    const { input_schema } = (first.json!["tools"] as typeof BASH[])[0]!;
    assert.deepEqual(input_schema, {
      type: "object",
      properties: { command: { type: "string" } },
    });
    const next = (await send(rig, { question: "a", tools, turns: 1 })).last;
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
    const tools = [BASH, ...MCP_TOOLS];
    const isDeferred = ({ json }: Received) =>
      (json!["tools"] as { name: string; defer_loading?: boolean }[])
        .some((tool) => tool.name === issue && tool.defer_loading === true);
    const talk = async (question: string, client: string) => {
      const headers = {
        "content-type": "application/json",
        "user-agent": `${client}/1`,
      };
      const ask = async (messages: readonly object[]) => {
        const response = await fetch(`${rig.url}/v1/messages`, {
          method: "POST",
          headers,
          body: JSON.stringify({ model: "m", max_tokens: 9, tools, messages }),
        });
        return (await response.json()).content as readonly {
          readonly id: string;
        }[];
      };
      const messages = [{ role: "user", content: question }];
      const content = await ask(messages);
      const first = rig.provider.received.at(-1)!;
      await ask([...messages, { role: "assistant", content }, {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: content[0]!.id,
          content: "done",
        }],
      }]);
      return isDeferred(first);
    };
    assert.equal(await talk("0", "busy"), true);
    for (let i = 1; i < 8; i++) await talk(`${i}`, "busy");
    assert.equal(await talk("8", "busy"), false);
    assert.equal(await talk("9", "idle"), true);
  }, { SVC_TOOL_DEFERRAL: "on" });
});
