/** Law 2 on real ports: whatever clients, proxies and the model do, requests only extend one another. */
import assert from "node:assert/strict";
import { FORMATS } from "../pipeline/harness.ts";
import { assertAllAppendOnly, forked, grow, property } from "./properties.ts";
import type { Habits } from "./simulated_model.ts";
import {
  ask,
  bodiesOf,
  type Exchange,
  leave,
  post,
  proceed,
  requestName,
  type Talk,
} from "./simulation.ts";

const CURIOUS: Habits = { retrieve: 0.4, beside: 0.4 };
const INCURIOUS: Habits = { retrieve: 0, beside: 0 };

property("P1", "parallel conversations with retrievals only ever append", {
  habits: CURIOUS,
  perFormat: 2,
  async test({ world, talks }) {
    talks = await grow(
      talks,
      6,
      async (talk) => proceed(talk, await ask(world, talk)),
    );
    const { continued } = await assertAllAppendOnly(world, talks);
    assert(continued > 0, `${talks[0]!.name}: nothing was retrieved`);
  },
});

property("P2", "restarts on the same files change no byte", {
  habits: CURIOUS,
  async test({ world, random, talks }) {
    for (let n = 0; n < 5; n++) {
      talks = await grow(
        talks,
        1,
        async (talk) => proceed(talk, await ask(world, talk)),
      );
      if (random.chance(0.5)) await world.restart();
    }
    await assertAllAppendOnly(world, talks);
  },
});

property("P3", "requests that were abandoned or repeated change no byte", {
  habits: { retrieve: 0.8, beside: 0.1, repeat: 0.95 },
  perFormat: 2,
  async test({ world, talks }) {
    talks = await grow(talks, 5, async (talk) => {
      if (talk.random.chance(0.5)) await leave(world, talk);
      // The client does not like the first answer.
      if (talk.random.chance(0.5)) await ask(world, talk);
      return proceed(talk, await ask(world, talk));
    });
    await assertAllAppendOnly(world, talks);
  },
});

property(
  "P4",
  "a rewind or a fork under another session, in any process, extends the past that it shares, retrievals included",
  {
    habits: { retrieve: 0.4, beside: 0.5 },
    proxies: 2,
    async test({ world, seed, random, talks }) {
      const turn = async (talk: Talk) => {
        const proxy = talk.random.pick(world.proxies);
        return proceed(talk, await ask(world, talk, proxy));
      };
      const stages: (readonly Talk[])[] = [];
      for (let n = 0; n < 5; n++) {
        talks = await grow(talks, 1, turn);
        stages.push(talks);
      }
      if (seed % 2 === 1) await world.restart();
      const branches = talks.flatMap((_, i) => {
        const pasts = stages.map((talks) => talks[i]!);
        return [random.pick(pasts), forked(pasts)];
      });
      const ended = [...talks, ...await grow(branches, 2, turn)];
      // Branches have their origin's name: what the provider got is of all of them.
      const originals = ended.flatMap((talk) => talk.originals);
      const all = ended.map((talk) => ({ ...talk, originals }));
      const { continued } = await assertAllAppendOnly(world, all);
      assert(continued > 0, `${talks[0]!.name}: nothing was retrieved`);
    },
  },
);

property(
  "P5",
  "every byte but tool results, our tool and the request for usage is the client's",
  {
    habits: INCURIOUS,
    async test({ world, talks }) {
      talks = await grow(talks, 5, async (talk) => {
        const exchange = await ask(world, talk);
        assertOnlyResultsDiffer(talk, exchange);
        return proceed(talk, exchange);
      });
      await assertAllAppendOnly(world, talks);
    },
  },
);

/** Literals below this many bytes are never rewritten. */
const MIN_LITERAL_BYTES = 256;

/** Cuts the client's body at its long tool results: what was sent is the pieces, with one literal between each two. */
function assertOnlyResultsDiffer(
  talk: Talk,
  { body, rounds: [sent] }: Exchange,
): void {
  const where = requestName(talk);
  const { definition } = FORMATS[talk.client.format.id]!.retrieval;
  const parts = sent!.split(`,${definition}`);
  assert.equal(parts.length, 2, `${where} does not declare our tool once`);
  const rest = withoutUsageRequest(parts.join(""), body);
  const pieces = cut(
    body,
    talk.originals.map((text) => JSON.stringify(text))
      .filter((literal) => literal.length >= MIN_LITERAL_BYTES),
  );
  const literal = /"(?:[^"\\]|\\.)*"/y;
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) {
      literal.lastIndex = at;
      assert(literal.test(rest), `${where} has no result ${i}`);
      at = literal.lastIndex;
    }
    assert.equal(
      rest.slice(at, at + piece.length),
      piece,
      `${where}, piece ${i}`,
    );
    at += piece.length;
  }
  assert.equal(at, rest.length, `${where} has more bytes than the client's`);
}

/** Without what asks for usage in a stream whose client did not. */
function withoutUsageRequest(sent: string, body: string): string {
  const added = ',"stream_options":{"include_usage":true}}';
  return sent.endsWith(added) && !body.includes("stream_options")
    ? `${sent.slice(0, -added.length)}}`
    : sent;
}

/** What stands before, between and after `literals`, which stand in `body` once and in this order. */
function cut(body: string, literals: readonly string[]): readonly string[] {
  const pieces = [];
  let rest = body;
  for (const literal of literals) {
    const [before, after, ...more] = rest.split(literal);
    assert(after !== undefined && more.length === 0, `Not once: ${literal}`);
    pieces.push(before!);
    rest = after;
  }
  return [...pieces, rest];
}

property("P6", "two proxies on the same files act as one", {
  habits: CURIOUS,
  proxies: 2,
  async test({ world, talks }) {
    talks = await grow(talks, 5, async (talk) => {
      const proxy = talk.random.pick(world.proxies);
      return proceed(talk, await ask(world, talk, proxy));
    });
    await assertAllAppendOnly(world, talks);
  },
});

property("P7", "a request sent several times at once is the same upstream", {
  habits: INCURIOUS,
  proxies: 2,
  async test({ world, talks }) {
    const [first, second] = world.proxies;
    talks = await grow(talks, 4, async (talk) => {
      const before = bodiesOf(world, talk).length;
      const others = [first!, second!, first!].map(async (proxy) =>
        await (await post(talk, proxy)).bytes()
      );
      const [exchange] = await Promise.all([
        ask(world, talk, second),
        ...others,
      ]);
      const sent = bodiesOf(world, talk).slice(before);
      assert.equal(sent.length, 4, requestName(talk));
      for (const body of sent) assert.equal(body, sent[0], requestName(talk));
      return proceed(talk, exchange);
    });
    await assertAllAppendOnly(world, talks);
  },
});

property("P8", "clients that leave all the time and restarts change no byte", {
  habits: { retrieve: 0.3, beside: 0.4 },
  async test({ world, talks }) {
    for (let n = 0; n < 6; n++) {
      talks = await grow(talks, 1, async (talk) => {
        const left = [1, 2, 3].map(() => leave(world, talk));
        const [exchange] = await Promise.all([ask(world, talk), ...left]);
        return proceed(talk, exchange);
      });
      await world.restart();
    }
    await assertAllAppendOnly(world, talks);
  },
});
