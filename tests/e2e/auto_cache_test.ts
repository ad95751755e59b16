/** Breakpoints of the provider's cache for a client that sets none: what they cost and save, and who refuses them. */
import assert from "node:assert/strict";
import { conversationOf, LOG } from "./agent.ts";
import { type BilledAnswer, nanoUsdOf, withBill } from "./billing_provider.ts";
import { withProxy } from "./proxy.ts";
import { Random } from "./random.ts";
import type { Script } from "./scripted_provider.ts";
import type { Reply } from "./scripted_wires.ts";
import type { Received } from "./upstream.ts";

const OFF = { SVC_AUTO_CACHE: "0" };
const MARK = '"cache_control":{"type":"ephemeral"},';

/** What a client is made of besides its conversation. */
const SYSTEM = [{
  type: "text",
  text: Array.from(
    { length: 100 },
    (_, i) => `Rule ${i}: look at what rule ${i * 7 % 100} says before.`,
  ).join("\n"),
}];
const TOOLS = ["Bash", "fetch_rows"].map((name) => ({
  name,
  input_schema: { type: "object" },
}));
const BASH = { tool: "Bash", input: { command: "journalctl" } };

/** Content of a message. */
type Content = readonly { readonly type: string; readonly id?: string }[];

/** A conversation of an agent that sets no breakpoints. */
interface Loop {
  readonly url: string;
  /** What its tools print, by turn. */
  readonly output: (turn: number) => string;
  /** Called before each request. */
  readonly before?: () => void;
}

/** Asks, and goes on with what its tools print, `turns` times. Returns the text of each answer. */
async function work(
  { url, output, before }: Loop,
  turns: number,
): Promise<readonly string[]> {
  const ask = { type: "text", text: "Why do jobs fail?" };
  let messages: readonly object[] = [{ role: "user", content: [ask] }];
  const said: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    before?.();
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "claude-sonnet-4-5",
        max_tokens: 1000,
        system: SYSTEM,
        tools: TOOLS,
        messages,
      }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    said.push(text);
    const content: Content = JSON.parse(text).content;
    const results = content.flatMap(({ type, id }) =>
      type === "tool_use"
        ? [{ type: "tool_result", tool_use_id: id, content: output(turn) }]
        : []
    );
    messages = [
      ...messages,
      { role: "assistant", content },
      { role: "user", content: [...results, { type: "text", text: "Go on." }] },
    ];
  }
  return said;
}

/** What no compressor makes shorter. */
function prose(turn: number): string {
  const random = new Random(`turn ${turn}`);
  const words = Array.from({ length: 60 }, () => random.below(1e6));
  return `I have seen ${words.join(" and then ")}.`;
}

/** Pointers to what carries a breakpoint. */
function marksIn({ json }: Received): readonly string[] {
  const walk = (value: unknown, path: string): readonly string[] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
        key === "cache_control" ? [path] : walk(inner, `${path}/${key}`)
      );
  return walk(json, "");
}

const unmarked = (text: string) => text.replaceAll(MARK, "");

const NANO = 1e9;
const TURNS = 20;

/** A loop of so many requests at a provider with a bill, through a proxy under `env` or without one. */
function bill(turns: number, env?: Readonly<Record<string, string>>) {
  const received: Received[] = [];
  const script = (request: Received) => {
    received.push(request);
    return { text: "I look.", calls: [BASH] };
  };
  return withBill({ script, ...env && { env } }, async (place) => {
    const { url, pass, provider: { answers }, stats } = place;
    await work({ url, output: prose, before: () => pass(20_000) }, turns);
    return { received, answers, stats: env && await stats() };
  });
}

/** What the prompts cost, as a share of their cost at the price of input. */
function inputShare(answers: readonly BilledAnswer[]): number {
  const cost = (answer: BilledAnswer) => nanoUsdOf([{ ...answer, output: 0 }]);
  const plain = answers.map((answer) => {
    const { input, read, write5m, write1h } = answer;
    const all = input + read + write5m + write1h;
    return { ...answer, input: all, read: 0, write5m: 0, write1h: 0 };
  });
  const sum = (all: readonly BilledAnswer[]) =>
    all.reduce((total, answer) => total + cost(answer), 0);
  return sum(answers) / sum(plain);
}

Deno.test("a client that sets no breakpoints pays less than 0.35 of the price of input for twenty requests, and what is reported as saved is what its bill is less", async () => {
  const direct = await bill(TURNS);
  assert.equal(inputShare(direct.answers), 1);
  const { received, answers, stats } = await bill(TURNS, {});
  assert.equal(received.length, TURNS);
  assert.deepEqual(marksIn(received[0]!), []);
  received.slice(1).forEach((request, i) => {
    const newest = 2 * (i + 1);
    assert.deepEqual(marksIn(request), [
      "/system/0",
      `/messages/${newest}/content/1`,
    ]);
  });
  const share = inputShare(answers);
  assert(share < 0.35, `${share} of the price of input`);
  const { cost, prefix_stability } = stats!;
  const { first, extended, client, ours } = prefix_stability;
  assert.deepEqual([first, extended, client, ours], [1, TURNS - 1, 0, 0]);
  assert.equal(Math.round(cost.total_cost_usd * NANO), nanoUsdOf(answers));
  const without = cost.cost_without_svc_usd * NANO / nanoUsdOf(direct.answers);
  assert(Math.abs(without - 1) < 0.03, `${without} of the bill without svc`);
});

Deno.test("a conversation of two requests pays a quarter of the second prompt for breakpoints, and a single request nothing", async () => {
  const one = await bill(1, {});
  assert.deepEqual(one.received.map(marksIn), [[]]);
  assert.equal(inputShare(one.answers), 1);
  const { answers } = await bill(2, {});
  assert(Math.abs(inputShare(answers.slice(1)) - 1.25) < 0.01);
});

Deno.test("SVC_AUTO_CACHE=0 leaves out the breakpoints and changes nothing else", async () => {
  const off = await bill(4, OFF);
  const on = await bill(4, {});
  assert.equal(inputShare(off.answers), 1);
  assert(off.received.every(({ text }) => !text.includes("cache_control")));
  assert(on.received.some(({ text }) => text.includes(MARK)));
  assert.deepEqual(
    on.received.map(({ text }) => unmarked(text)),
    off.received.map(({ text }) => text),
  );
});

for (const status of [400, 422]) {
  const refusal = (message: string): Reply => ({
    error: { status, body: JSON.stringify({ error: { message } }) },
  });

  Deno.test(`a provider that refuses breakpoints with ${status} gets the request without, and no more of them`, () => {
    const script: Script = ({ text }) =>
      text.includes('"cache_control"')
        ? refusal("system.0.cache_control: Extra inputs are not permitted")
        : { text: "I look.", calls: [BASH] };
    return withProxy(script, async ({ url, provider: { received } }) => {
      await work({ url, output: prose }, 5);
      assert.deepEqual(
        received.map((request) => marksIn(request).length),
        [0, 2, 0, 0, 0, 0],
      );
      assert.equal(received[2]!.text, unmarked(received[1]!.text));
      const { prefix_stability } = await (await fetch(`${url}/stats`)).json();
      assert.equal(prefix_stability.ours, 0);
    });
  });

  Deno.test(`a provider that refuses anything else with ${status} gets nothing again`, () => {
    const script: Script = (_, n) =>
      n === 1 ? refusal("max_tokens: too many") : { calls: [BASH] };
    return withProxy(script, async ({ url, provider: { received } }) => {
      await assert.rejects(work({ url, output: prose }, 2), /max_tokens/);
      assert.equal(received.length, 2);
    });
  });
}

Deno.test("a retrieval is answered behind breakpoints, and stays in its place", () => {
  const script: Script = ({ text }, n) => {
    if (n !== 2) return { text: `Step ${n}.`, calls: [BASH] };
    const hash = /hash=([0-9a-f]{24})/.exec(text)?.[1];
    return { calls: [{ tool: "headroom_retrieve", input: { hash } }] };
  };
  const output = (turn: number) => turn === 0 ? LOG : prose(turn);
  return withProxy(script, async ({ url, provider: { received } }) => {
    const said = await work({ url, output }, 5);
    assert.doesNotMatch(said.join(""), /headroom_retrieve/);
    // One request more than the client sent: the round with the original.
    assert.equal(received.length, 6);
    assert.deepEqual(
      received.map((request) => marksIn(request).length),
      [0, 2, 2, 2, 2, 2],
    );
    const [, , asked, answered] = received;
    assert.deepEqual(marksIn(answered!), marksIn(asked!));
    assert.match(answered!.text, /job 171 failed.*job 171 failed/s);
    received.slice(1).forEach((request, i) => {
      const conversation = (one: Received) =>
        unmarked(conversationOf(one, "messages"));
      const before = conversation(received[i]!);
      assert(conversation(request).startsWith(before), `request ${i + 1}`);
    });
    const { prefix_stability } = await (await fetch(`${url}/stats`)).json();
    assert.equal(prefix_stability.ours, 0);
  });
});
