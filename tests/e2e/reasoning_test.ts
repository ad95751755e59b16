/** Plain reasoning on real ports: whatever is set, retrieved, repeated or forgotten, requests only extend one another. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { assertAllAppendOnly, forked, grow, property } from "./properties.ts";
import type { Habits } from "./simulated_model.ts";
import {
  ask,
  bodiesOf,
  leave,
  proceed,
  requestName,
  type Talk,
} from "./simulation.ts";
import type { World } from "./world.ts";

/** New reasoning is shortened. */
const SHORTENS: TextValues = {
  SVC_THINKING_COMPACT: "1",
  SVC_THINKING_COMPACT_KEEP_LAST: "0",
};
const THOUGHTFUL: Habits = { retrieve: 0.3, beside: 0.4, thinks: 0.8 };

/** How many markers stand in what the model thought. */
function shortenedThoughts(world: World, talks: readonly Talk[]): number {
  return talks.flatMap((talk) => bodiesOf(world, talk).slice(-1))
    .flatMap((body) => body.match(THOUGHT) ?? [])
    .filter((literal) => literal.includes("Retrieve more: hash=")).length;
}
const THOUGHT =
  /(?:"thinking"|"reasoning_content"|"reasoning_text","text"):"(?:[^"\\]|\\.)*"/g;

property(
  "R1",
  "reasoning that is shortened changes no byte, also where its model retrieves, and after forks and restarts",
  {
    habits: THOUGHTFUL,
    proxies: 2,
    env: SHORTENS,
    async test({ world, random, talks }) {
      const stages: (readonly Talk[])[] = [];
      for (let n = 0; n < 5; n++) {
        talks = await grow(talks, 1, async (talk) => {
          if (talk.random.chance(0.3)) await leave(world, talk);
          const proxy = talk.random.pick(world.proxies);
          return proceed(talk, await ask(world, talk, proxy));
        });
        stages.push(talks);
        if (random.chance(0.3)) await world.restart();
      }
      const branches = talks.flatMap((_, i) => {
        const pasts = stages.map((talks) => talks[i]!);
        return [random.pick(pasts), forked(pasts)];
      });
      const grown = await grow(
        branches,
        2,
        async (talk) => proceed(talk, await ask(world, talk)),
      );
      const ended = [...talks, ...grown];
      const originals = ended.flatMap((talk) => talk.originals);
      const all = ended.map((talk) => ({ ...talk, originals }));
      const { continued } = await assertAllAppendOnly(world, all);
      assert(continued > 0, `${talks[0]!.name}: nothing was retrieved`);
      const count = shortenedThoughts(world, talks);
      assert(count > 0, `${talks[0]!.name}: no reasoning was shortened`);
    },
  },
);

const SWITCHED: Record<string, string> = {
  ...SHORTENS,
  SVC_THINKING_COMPACT: "0",
};

property(
  "R2",
  "switching the shortening of reasoning on and off changes no byte that was sent",
  {
    habits: { ...THOUGHTFUL, thinks: 1 },
    env: SWITCHED,
    async test({ world, talks }) {
      for (let n = 0; n < 4; n++) {
        const before = new Map<string, string>();
        talks = await grow(talks, 1, async (talk) => {
          const next = proceed(talk, await ask(world, talk));
          // Its answer is lost: the request comes again under the other setting.
          before.set(next.name, (await ask(world, next)).rounds[0]!);
          return next;
        });
        SWITCHED["SVC_THINKING_COMPACT"] = n % 2 === 0 ? "1" : "0";
        await world.restart();
        await grow(talks, 1, async (talk) => {
          const { rounds: [again] } = await ask(world, talk);
          assert.equal(again, before.get(talk.name), requestName(talk));
          return talk;
        });
      }
      await assertAllAppendOnly(world, talks);
      const count = shortenedThoughts(world, talks);
      assert(count > 0, `${talks[0]!.name}: no reasoning was shortened`);
    },
  },
);

/** Longer than any provider holds a prompt. */
const LONG_MS = 26 * 3_600_000;

property(
  "R3",
  "reasoning that is left out on a cold turn changes no byte after it, also where its model retrieves",
  {
    habits: { retrieve: 0.5, beside: 0.4, thinks: 1 },
    env: SHORTENS,
    isTimed: true,
    async test({ world, talks }) {
      const turn = async (talk: Talk) => proceed(talk, await ask(world, talk));
      const early = await grow(talks, 4, turn);
      await assertAllAppendOnly(world, early);
      world.time.ms += LONG_MS;
      const later = (await grow(early, 3, turn)).map((talk) => ({
        ...talk,
        requests: talk.requests.slice(4),
      }));
      await assertAllAppendOnly(world, later);
      // A conversation without a result has no cold turns.
      const cold = later.filter((talk) =>
        bodiesOf(world, talk).at(-1)!.includes("words omitted")
      );
      assert(cold.length > 0, `${talks[0]!.name}: nothing was left out`);
      const url = `${world.proxies[0]!.url}/stats`;
      const { prefix_stability } = await (await fetch(url)).json();
      assert.equal(prefix_stability.ours, 0);
      assert.equal(prefix_stability.decided, cold.length);
    },
  },
);
