import assert from "node:assert/strict";
import type { AnsweredTurns } from "../../../src/core/ledger_reader.ts";
import { estimateOutput } from "../../../src/cli/savings/output_estimate.ts";
import { Random } from "../../e2e/random.ts";

/** Draws from a normal distribution. */
function normal(random: Random): number {
  const uniform = () => (random.below(1e9) + 0.5) / 1e9;
  return Math.sqrt(-2 * Math.log(uniform())) *
    Math.cos(2 * Math.PI * uniform());
}

/** Mean tokens of an answer in each stratum. */
const MEANS = { "opus ask": 600, "opus results": 150, "haiku ask": 300 };
/** Spread of conversations, and of turns within one, as the standard deviation of a logarithm. */
const BETWEEN = 0.5;
const WITHIN = 0.6;

/** Conversations of which a share is held out, and what the others save in truth. */
function world(seed: string, share: number, effect: number) {
  const random = new Random(seed);
  const conversations: AnsweredTurns[] = [];
  let saved = 0;
  for (let i = 0; i < 300; i++) {
    const isShaped = random.below(1000) >= share * 1000;
    const own = BETWEEN * normal(random);
    for (const [stratum, mean] of Object.entries(MEANS)) {
      const turns = 1 + random.below(12);
      let output = 0;
      for (let t = 0; t < turns; t++) {
        const spread = own + WITHIN * normal(random) -
          (BETWEEN ** 2 + WITHIN ** 2) / 2;
        output += mean * (isShaped ? effect : 1) * Math.exp(spread);
      }
      if (isShaped) saved += turns * mean * (1 - effect);
      const conversation = `${i}`;
      conversations.push({ conversation, stratum, isShaped, turns, output });
    }
  }
  return { conversations, saved };
}

Deno.test("estimateOutput gives an interval that has the true saving in 93 to 97 of 100 cases", () => {
  let covered = 0;
  for (let i = 0; i < 1000; i++) {
    const { conversations, saved } = world(`w${i}`, 0.3, 0.8);
    const { low, high } = estimateOutput(conversations)!;
    if (low <= saved && saved <= high) covered++;
  }
  assert.ok(covered >= 930 && covered <= 970, `${covered} of 1000`);
});

Deno.test("estimateOutput adds up strata, and finds no saving where there is none", () => {
  const { conversations, saved } = world("many", 0.4, 0.7);
  const found = estimateOutput(conversations)!;
  assert.ok(found.low > 0 && Math.abs(found.saved / saved - 1) < 0.5);
  assert.ok(found.without > found.saved);
  const none = estimateOutput(world("none", 0.4, 1).conversations)!;
  assert.ok(none.low < 0 && none.high > 0, JSON.stringify(none));
});

Deno.test("estimateOutput says nothing of few conversations, nor of strata with one group only", () => {
  const { conversations } = world("few", 0.4, 0.7);
  assert.equal(estimateOutput(conversations.slice(0, 60)), undefined);
  assert.equal(estimateOutput([]), undefined);
  const shaped = conversations.filter(({ isShaped }) => isShaped);
  assert.equal(estimateOutput(shaped), undefined);
  const odd = {
    conversation: "o",
    stratum: "odd",
    isShaped: true,
    turns: 1,
    output: 1e9,
  };
  assert.deepEqual(
    estimateOutput([...conversations, odd]),
    estimateOutput(conversations),
  );
});
