import { Random } from "../../e2e/random.ts";
import assert from "node:assert/strict";
import {
  estimateOutput,
  outputReport,
} from "../../../src/cli/savings/output.ts";
import type { AnsweredTurns } from "../../../src/core/ledger_reader.ts";

/** Conversations that say 50 tokens a turn where they are asked to be brief, else 100. */
function answers(n: number): AnsweredTurns[] {
  return Array.from({ length: n }, (_, i) => ({
    conversation: `${i}`,
    stratum: "m ask",
    isShaped: i % 2 === 0,
    turns: 2,
    output: (i % 2 === 0 ? 100 : 200) + i % 4,
  }));
}

Deno.test("outputReport gives an estimate with its interval, and claims nothing of few conversations", () => {
  const { text, rows } = outputReport(answers(60));
  assert.match(
    text(80),
    /^30 conversations asked for shorter answers, 30 did not \(SVC_OUTPUT_HOLDOUT\)\.\nEstimate: 3,030 tokens of output saved, 50\.0 % .* 95 % interval 3,\d+ to 3,\d+\.\n$/,
  );
  assert.deepEqual(Object.values(rows[0]!).slice(0, 3), [30, 30, 3030]);
  const few = outputReport(answers(20));
  assert.match(
    few.text(80),
    /^10 conversations .*\nNothing can be said yet: it takes 20 of each/,
  );
  assert.deepEqual(few.json, {
    shaped_conversations: 10,
    held_out_conversations: 10,
    output_tokens_saved: null,
    low_95: null,
    high_95: null,
    output_tokens_without: null,
  });
});

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
