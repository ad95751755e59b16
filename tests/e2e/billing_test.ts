/** What the proxy says that requests cost is what the provider's bill says. */
import assert from "node:assert/strict";
import {
  type BilledAnswer,
  type BillingProvider,
  nanoUsdOf,
  startBillingProvider,
} from "./billing_provider.ts";
import { billedModel, hold } from "./billing_talk.ts";
import { TALKS } from "./billing_talks.ts";
import { startProxy } from "./proxy.ts";

/** Answers that their client leaves. */
const LEFT = 2;

/** Has all talks, one after the other, at `url`. */
async function holdAll(
  url: string,
  time: { ms: number },
): Promise<void> {
  const pass = (ms: number) => void (time.ms += ms);
  for (const talk of TALKS) await hold(talk, { url, pass });
}

/** Starts a provider, and stops it behind `test`. */
async function withProvider(
  test: (provider: BillingProvider, time: { ms: number }) => Promise<void>,
): Promise<readonly BilledAnswer[]> {
  const time = { ms: Date.UTC(2026, 2, 2) };
  const provider = await startBillingProvider(
    billedModel(TALKS),
    () => time.ms,
  );
  try {
    await test(provider, time);
  } finally {
    await provider.stop();
  }
  return provider.answers;
}

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

Deno.test("reported cost is the provider's bill, to the nano-dollar for whole answers, and savings are what a bill without the proxy is more; its cache is read no less, and no prefix breaks", async () => {
  const direct = await withProvider(({ url }, time) => holdAll(url, time));
  const proxied = await withProvider(async (provider, time) => {
    const proxy = await startProxy({
      MSG_TARGET_API_URL: provider.url,
      CHAT_TARGET_API_URL: provider.url,
    }, {
      clock: { now: () => time.ms, monotonic: () => performance.now() },
    });
    try {
      await holdAll(proxy.url, time);
      await provider.settled();
      const { cost, prefix_stability } =
        await (await fetch(`${proxy.url}/stats`)).json();
      const whole = provider.answers.filter(({ isWhole }) => isWhole);
      assert.equal(provider.answers.length - whole.length, LEFT);
      assert.equal(
        Math.round(cost.measured_cost_usd * NANO),
        nanoUsdOf(whole),
      );
      assertNear(cost.total_cost_usd, nanoUsdOf(provider.answers), 0.01);
      assertNear(cost.cost_without_svc_usd, nanoUsdOf(direct), 0.03);
      assert.equal(cost.unpriced_requests, 0);
      const { first, extended, client, ours } = prefix_stability;
      assert.deepEqual([first, client, ours], [TALKS.length, 0, 0]);
      assert(extended > 40, `only ${extended} are extended`);
    } finally {
      await proxy.stop();
    }
  });
  const turns = TALKS.reduce((sum, { turns }) => sum + turns, 0);
  const retrievals = proxied.length - turns - LEFT;
  assert(retrievals >= 2, `only ${retrievals} retrievals`);
  for (const model of ["claude-sonnet-4-5", "gpt-4o"]) {
    const [read, without] = [proxied, direct].map((answers) =>
      readShare(answers.filter((answer) => answer.model === model))
    );
    assert(read! >= without!, `${model}: read ${read} instead of ${without}`);
  }
});
