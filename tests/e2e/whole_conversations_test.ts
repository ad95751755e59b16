/** Conversations that begin elsewhere, pause, repeat themselves or bring pasted texts: none is dearer than without svc. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { SAMPLES } from "../bench/samples.ts";
import { nanoUsdOf, startBillingProvider } from "./billing_provider.ts";
import { billedModel, hold, type Talk } from "./billing_talk.ts";
import { TALKS } from "./billing_talks.ts";
import { startProxy } from "./proxy.ts";
import type { Random } from "./random.ts";

/** What is switched on, and the conversations that have something of it, by the ends of their names. */
interface Switched {
  readonly env: TextValues;
  readonly talks?: RegExp;
}

const SETTINGS: Readonly<Record<string, Switched>> = {
  "nothing else": { env: {} },
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

/** One of each format. */
const SOME = TALKS.filter(({ name }) => name.endsWith("1"));

const WHOLE: readonly Talk[] = SOME.flatMap((talk) => [
  talk,
  { ...talk, name: `${talk.name} begun elsewhere`, direct: 3 },
  { ...talk, name: `${talk.name} repeated`, output: repeated },
  { ...talk, name: `${talk.name} pasted`, pasted },
  { ...talk, name: `${talk.name} thinking`, thinks },
]);

/** What a talk costs in nano-dollars, with svc or without, and what broke its prompts. */
async function bill(
  talk: Talk,
  env: TextValues | undefined,
): Promise<{ readonly paid: number; readonly ours: number }> {
  const time = { ms: Date.UTC(2026, 2, 2) };
  const provider = await startBillingProvider(
    billedModel([talk]),
    () => time.ms,
  );
  const proxy = env && await startProxy({
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
    ...env,
  }, { clock: { now: () => time.ms, monotonic: () => performance.now() } });
  try {
    const { url } = proxy ?? provider;
    const pass = (ms: number) => void (time.ms += ms);
    await hold(talk, { url, provider: provider.url, pass });
    await provider.settled();
    const stats = proxy && await (await fetch(`${url}/stats`)).json();
    const ours = stats?.prefix_stability.ours ?? 0;
    return { paid: nanoUsdOf(provider.answers), ours };
  } finally {
    await proxy?.stop();
    await provider.stop();
  }
}

const direct = new Map<string, Promise<{ readonly paid: number }>>();

for (const [name, { env, talks = /./ }] of Object.entries(SETTINGS)) {
  Deno.test(`no conversation is dearer than without svc, and no prompt is broken by us: ${name}`, async () => {
    for (const talk of WHOLE.filter(({ name }) => talks.test(name))) {
      const known = direct.getOrInsertComputed(
        talk.name,
        () => bill(talk, undefined),
      );
      const without = await known;
      const { paid, ours } = await bill(talk, env);
      assert.equal(ours, 0, talk.name);
      const share = paid / without.paid;
      assert(
        share <= 1,
        `${talk.name} costs ${share} of what it costs without`,
      );
    }
  });
}
