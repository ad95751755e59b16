/** Conversations that begin elsewhere, pause, repeat themselves or bring pasted texts: none is dearer than without svc. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { SAMPLES } from "../bench/samples.ts";
import { nanoUsdOf, withBill } from "./billing_provider.ts";
import { billedModel, hold, type Talk } from "./billing_talk.ts";
import { TALKS } from "./billing_talks.ts";
import { MCP_TOOLS } from "./many_tools.ts";
import type { Random } from "./random.ts";

/** What is switched on, and the conversations that have something of it, by the ends of their names. */
interface Switched {
  readonly env: TextValues;
  readonly talks: RegExp;
}

const SETTINGS: Readonly<Record<string, Switched>> = {
  "nothing else": { env: {}, talks: /^(?!.*tools$)/ },
  SVC_DEDUPE: { env: { SVC_DEDUPE: "1" }, talks: / repeated$/ },
  SVC_COLD_RECOMPACT: {
    env: { SVC_COLD_RECOMPACT: "1" },
    talks: / elsewhere$/,
  },
  "SVC_THINKING_COMPACT_KEEP_LAST=0": {
    env: { SVC_THINKING_COMPACT: "1", SVC_THINKING_COMPACT_KEEP_LAST: "0" },
    talks: / thinking$/,
  },
  "all of it": {
    env: {
      SVC_DEDUPE: "1",
      SVC_COLD_RECOMPACT: "1",
      SVC_THINKING_COMPACT: "1",
    },
    talks: / (repeated|elsewhere|thinking)$/,
  },
};

const KINDS = ["log", "json", "diff"] as const;

/** A file that changes a little from turn to turn. */
function repeated(_: Random, name: string, turn: number): string {
  return Array.from({ length: 180 }, (_, i) => {
    const version = i === turn * 13 % 180 ? turn : 0;
    return `${i + 1}\tconst ${name}${i} = compute(${
      i * 7919 % 1009
    }, ${version});`;
  }).join("\n");
}

function pasted(random: Random, turn: number): string {
  if (turn % 3 !== 1) return "";
  const made = SAMPLES[random.pick(KINDS)](6_000, 1 + random.below(1e9));
  return `Here is what I see:\n\n\`\`\`\n${made}\n\`\`\`\n\nWhat do you make of it?`;
}

function thinks(random: Random): string {
  return SAMPLES.prose(6_000, 1 + random.below(1e9));
}

const [ISSUE, , , , , LETTER] = MCP_TOOLS.map(({ name }) => name);
const FUNCTIONS = MCP_TOOLS.map(({ input_schema, ...tool }) => ({
  type: "function",
  function: { ...tool, parameters: input_schema },
}));
const toolsFor = ({ client: { format } }: Talk) =>
  format.id === "messages" ? MCP_TOOLS : FUNCTIONS;

/** Of two formats, some with thirty definitions more and with a need for two of them. */
const WHOLE: readonly Talk[] = TALKS.filter(({ client: { format } }) =>
  format.id !== "responses"
).flatMap((talk, i) => {
  const tools = { ...talk, tools: toolsFor(talk) };
  const needs = { 3: ISSUE!, 7: ISSUE!, 8: LETTER! };
  const some: readonly Talk[] = [
    { ...talk, name: `${talk.name} begun elsewhere`, direct: 3 },
    { ...talk, name: `${talk.name} repeated`, output: repeated },
    { ...talk, name: `${talk.name} pasted`, pasted },
    { ...talk, name: `${talk.name} thinking`, thinks },
  ];
  return [
    talk,
    // Each of them with half of the talks.
    ...some.filter((_, k) => (i + k) % 2 === 0),
    { ...tools, name: `${talk.name} tools` },
    { ...tools, name: `${talk.name} needed tools`, needs },
  ];
});

const NANO = 1e9;

/** What a talk costs, and what the proxy says of it, in nano-dollars. */
interface Bill {
  readonly paid: number;
  readonly cost: number;
  readonly without: number;
}

/** Has one talk, with svc or without; no prompt is broken by us. */
function bill(talk: Talk, env: TextValues | undefined): Promise<Bill> {
  const script = billedModel([talk]);
  return withBill({ script, ...env && { env } }, async (place) => {
    await hold(talk, { ...place, provider: place.provider.url });
    const stats = env && await place.stats();
    assert.equal(stats?.prefix_stability.ours ?? 0, 0, talk.name);
    const paid = nanoUsdOf(place.provider.answers);
    const { total_cost_usd = 0, cost_without_svc_usd = 0 } = stats?.cost ?? {};
    return {
      paid,
      cost: total_cost_usd * NANO,
      without: cost_without_svc_usd * NANO,
    };
  });
}

const direct = new Map<string, Promise<Bill>>();
const billDirect = (talk: Talk) =>
  direct.getOrInsertComputed(talk.name, () => bill(talk, undefined));

for (const [name, { env, talks }] of Object.entries(SETTINGS)) {
  Deno.test(`no conversation is dearer than without svc, and no prompt is broken by us: ${name}`, async () => {
    const held = WHOLE.filter(({ name }) => talks.test(name));
    assert(held.length > 0);
    for (const talk of held) {
      const { paid } = await bill(talk, env);
      const share = paid / (await billDirect(talk)).paid;
      assert(
        share <= 1,
        `${talk.name} costs ${share} of what it costs without`,
      );
    }
  });
}

Deno.test("thirty definitions that are deferred make no talk dearer, and the saving that is reported is the bill's", async () => {
  const sum = { direct: 0, paid: 0, cost: 0, without: 0 };
  for (const talk of WHOLE.filter(({ tools }) => tools)) {
    const { paid: direct } = await billDirect(talk);
    const off = await bill(talk, { SVC_TOOL_DEFERRAL: "off" });
    const on = await bill(talk, { SVC_TOOL_DEFERRAL: "on" });
    const { name, client: { format } } = talk;
    const share = (value: number) => value / direct;
    assert(on.paid <= off.paid && on.paid <= direct, `${name} is dearer`);
    if (format.id === "messages") {
      assert(share(off.paid - on.paid) > 0.2, `${name} saves hardly anything`);
    } else assert.equal(on.paid, off.paid);
    assert(Math.abs(share(on.cost - on.paid)) <= 0.01, `${name}: ${on.cost}`);
    // Nothing of what is deferred is taken for a saving that it is not.
    const more = share(on.without - off.without);
    assert(Math.abs(more) <= 0.015, `${name} claims ${more} more`);
    sum.direct += direct;
    sum.paid += on.paid;
    sum.cost += on.cost;
    sum.without += on.without;
  }
  const saved = sum.direct - sum.paid;
  const part = (sum.without - sum.cost) / saved;
  assert(Math.abs(part - 1) <= 0.03, `reported ${part} of what is saved`);
});
