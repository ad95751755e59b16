/** What the proxy says that requests cost is what the provider's bill says. */
import assert from "node:assert/strict";
import { type BilledAnswer, nanoUsdOf, withBill } from "./billing_provider.ts";
import { billedModel, hold } from "./billing_talk.ts";
import { TALKS } from "./billing_talks.ts";

/** Answers that their client leaves. */
const LEFT = TALKS.flatMap(({ incidents }) => Object.values(incidents))
  .filter((incident) => "leaves" in incident).length;

/** Share of the prompts that was read from the cache. */
function readShare(answers: readonly BilledAnswer[]): number {
  let [read, all] = [0, 0];
  for (const answer of answers) {
    read += answer.read;
    all += answer.read + answer.input + answer.write5m + answer.write1h;
  }
  return read / all;
}

const NANO = 1e9;

/** Asserts that `reported` dollars are `nanoUsd`, off by `share` of them at most. */
function assertNear(reported: number, nanoUsd: number, share: number): void {
  const part = reported * NANO / nanoUsd;
  assert(Math.abs(part - 1) <= share, `reported ${part} of what is paid`);
}

/** Has all talks, one after the other. */
function billed(env?: Record<string, string>) {
  const script = billedModel(TALKS);
  return withBill({ script, ...env && { env } }, async (place) => {
    const { url, pass, provider: { answers }, stats } = place;
    for (const talk of TALKS) await hold(talk, { url, pass });
    return { answers, stats: env && await stats() };
  });
}

Deno.test("reported cost is the provider's bill, to the nano-dollar for whole answers, and savings are what a bill without the proxy is more; its cache is read no less, and no prefix breaks", async () => {
  const { answers: direct } = await billed();
  const { answers: proxied, stats } = await billed({});
  const { cost, prefix_stability } = stats!;
  const whole = proxied.filter(({ isWhole }) => isWhole);
  assert.equal(proxied.length - whole.length, LEFT);
  assert.equal(Math.round(cost.measured_cost_usd * NANO), nanoUsdOf(whole));
  assertNear(cost.total_cost_usd, nanoUsdOf(proxied), 0.01);
  assertNear(cost.cost_without_svc_usd, nanoUsdOf(direct), 0.03);
  assert.equal(cost.unpriced_requests, 0);
  const { first, extended, client, ours } = prefix_stability;
  assert.deepEqual([first, client, ours], [TALKS.length, 0, 0]);
  assert(extended > 40, `only ${extended} are extended`);
  const turns = TALKS.reduce((sum, { turns }) => sum + turns, 0);
  const retrievals = proxied.length - turns - LEFT;
  assert(retrievals >= 2, `only ${retrievals} retrievals`);
  for (const model of ["claude-sonnet-4-5", "gpt-4o"]) {
    const [read, without] = [proxied, direct].map((answers) =>
      readShare(answers.filter((answer) => answer.model === model))
    );
    // An automatic cache is read in steps, which are a larger share of a shorter prompt.
    const least = model === "gpt-4o" ? without! - 0.005 : without!;
    assert(read! >= least, `${model}: read ${read} instead of ${without}`);
  }
});
