/** A day of traffic: whatever is asked about it says the same, and what the provider's bill says. */
import assert from "node:assert/strict";
import type { LoggedRequest } from "../../src/core/ledger_reader.ts";
import { type BilledAnswer, nanoUsdOf } from "./billing_provider.ts";
import { assertSavingsFile, rowsIn } from "./day_agreement.ts";
import { holdAll, send, SINGLES, steady, talksOf } from "./day_traffic.ts";
import { sumsOf } from "./day_truth.ts";
import { crashImage, withWorld, type World } from "./day_world.ts";

const HOUR_MS = 3_600_000;

const FIRST = talksOf("first", 6);
const SECOND = talksOf("second", 1);
const THIRD = talksOf("third", 2);

/** Requests of all kinds; a second proxy would not know what the first has in memory. */
async function sendSingles(world: World): Promise<void> {
  for (const single of SINGLES) await send(single, world);
}

/** One caller asks too often. */
async function hurry(world: World): Promise<void> {
  await world.proxies[0]!.reload(world.env({ SVC_RPM: "3" }));
  const headers = { "x-api-key": "in a hurry" };
  for (const status of [200, 200, 200, 429, 429]) {
    await send({ ...steady(`hurry ${status}`, status), headers }, world);
  }
}

/** The money of an hour is spent with its first request. */
async function overspend(world: World): Promise<void> {
  const budget = { SVC_BUDGET: "0.000001", SVC_BUDGET_PERIOD: "hourly" };
  await world.proxies[0]!.reload(world.env(budget));
  for (const hour of [1, 2]) {
    world.time.ms += HOUR_MS;
    for (const status of [200, 429, 429]) {
      await send(steady(`money ${hour} ${status}`, status), world);
      // The bill is in the ledger when the next one asks.
      await (await fetch(`${world.url()}/stats`)).bytes();
    }
  }
  await world.proxies[0]!.reload(world.env());
}

/** An original is given back through another door: no request of a model. */
async function lookAtAnOriginal(world: World): Promise<void> {
  const feed = await (await fetch(
    `${world.url()}/transformations/feed?limit=100`,
  )).json();
  const ids: string[] = feed.transformations
    .filter(({ blocks }: { blocks: number }) => blocks > 0)
    .map(({ request_id }: { request_id: string }) => request_id);
  for (const id of ids) {
    const request = await fetch(`${world.url()}/transformations/${id}`);
    const { blocks } = await request.json();
    const hash = blocks.find(({ hash }: { hash: string | null }) => hash)?.hash;
    if (hash === undefined) continue;
    const response = await fetch(`${world.url()}/v1/retrieve/${hash}`);
    assert.equal(response.status, 200);
    await response.bytes();
    return;
  }
  assert.fail("nothing was left out all day");
}

Deno.test("a day of traffic with failures, refusals, retrievals and restarts: every report says the same to the token and the nano-dollar, and so does the bill", async () => {
  await withWorld([...FIRST, ...SECOND, ...THIRD], async (world) => {
    await world.start();
    await holdAll(FIRST, world);
    await sendSingles(world);
    const first = await world.agree(0);
    await assertRetrievalsAreCharged(world.url());
    await world.stop();
    assert.deepEqual((await rowsIn(world.dir)).length, first.length);
    await assertSavingsFile(world.dir, first);

    await world.start();
    await hurry(world);
    await overspend(world);
    await holdAll(SECOND, world);
    await lookAtAnOriginal(world);
    const second = await world.agree(first.length);
    const reset = await fetch(`${world.url()}/stats/reset`, { method: "POST" });
    assert.equal(reset.status, 200);
    await reset.bytes();
    await send(steady("reset"), world);
    const third = await world.agree(second.length);
    const image = await crashImage(world.dir);
    await world.stop();
    world.dir = image;

    await world.start();
    await world.start();
    await holdAll(THIRD, world);
    const all = await world.agree(third.length);
    await world.stop();
    await assertSavingsFile(world.dir, all);

    assertDay(all);
    assertSeen(world, all);
    assertBill(world.provider.answers, all);
  });
});

/** What a model was given back, and the tool for it, is taken off what was saved. */
async function assertRetrievalsAreCharged(url: string): Promise<void> {
  const { retrievals, tokens_saved_by_strategy, tokens } =
    await (await fetch(`${url}/stats`)).json();
  assert(retrievals.tokens > 0 && retrievals.further_input_tokens > 0);
  const added = -tokens_saved_by_strategy["(added)"];
  assert(added > retrievals.tokens, `${added} for ${retrievals.tokens}`);
  assert(tokens.added > 0, "a request that only added is told apart");
}

/** All that was to happen did. */
function assertDay(rows: readonly LoggedRequest[]): void {
  const count = (is: (row: LoggedRequest) => boolean) => rows.filter(is).length;
  const least = (
    what: string,
    n: number,
    is: (row: LoggedRequest) => boolean,
  ) => assert(count(is) >= n, `only ${count(is)} of ${what}`);
  for (const format of ["messages", "chat_completions", "responses"]) {
    least(format, 15, ({ provider }) => provider === format);
  }
  least("retrievals", 3, ({ retrievals }) => retrievals > 0);
  least("aborts", 3, ({ status }) => status === 499);
  least("500", 2, ({ status }) => status === 500);
  least("502", 1, ({ status }) => status === 502);
  least(
    "429 of the provider",
    1,
    ({ status, refusedBy }) => status === 429 && refusedBy === undefined,
  );
  least("cached", 1, ({ cached }) => cached);
  least("budget", 4, ({ refusedBy }) => refusedBy === "budget");
  least("rate", 2, ({ refusedBy }) => refusedBy === "rate_limit");
  least("unpriced", 5, ({ model }) => model === "mystery-1");
  least("passed", 3, ({ provider }) => provider === "passthrough");
  const names = (key: "project" | "stack" | "agent") =>
    [...new Set(rows.map((row) => row[key]))].sort();
  assert.deepEqual(names("project"), ["default", "my api", "shop", "tool"]);
  assert.deepEqual(names("stack"), ["", "batch", "web"]);
  const months = new Set(rows.map(({ at }) => new Date(at).getUTCMonth()));
  assert.deepEqual([...months], [4, 5]);
}

/** Every answer is a row; rows besides are of clients that left. */
function assertSeen(
  { statuses }: World,
  rows: readonly LoggedRequest[],
): void {
  const recorded = new Map<number, number>();
  for (const { status } of rows) {
    if (status === 499) continue;
    recorded.set(status, (recorded.get(status) ?? 0) + 1);
  }
  assert.deepEqual(
    [...recorded].sort(([a], [b]) => a - b),
    [...statuses].sort(([a], [b]) => a - b),
  );
  for (const { nanoUsd, savedGrossNanoUsd: gross, tokensRemoved } of rows) {
    // The same tokens, and their price.
    if (nanoUsd !== undefined) assert.equal(gross! > 0, tokensRemoved > 0);
  }
  const failed = rows.filter(({ status, cached, input }) =>
    cached || (status === 499 ? input === undefined : status >= 400)
  );
  for (const { tokensRemoved, tokensSaved, savedNetNanoUsd } of failed) {
    assert.deepEqual([tokensRemoved, tokensSaved], [0, 0]);
    assert.ok((savedNetNanoUsd ?? 0) === 0);
  }
}

/** What is reported is what is billed. */
function assertBill(
  answers: readonly BilledAnswer[],
  rows: readonly LoggedRequest[],
): void {
  const whole = answers.filter(({ isWhole, isReported }) =>
    isWhole && isReported
  );
  assert(answers.length - whole.length >= 4, "too few end without a report");
  const measured = sumsOf(
    rows.filter(({ costBasis }) => costBasis === "measured"),
  );
  assert.equal(measured.nanoUsd, nanoUsdOf(whole));
  const sent = rows.filter(({ costBasis }) => costBasis !== undefined);
  const further = rows.reduce((sum, row) => sum + row.furtherRounds, 0);
  assert.equal(answers.length, sent.length + further, "answers");
  const bill = nanoUsdOf(answers);
  const { nanoUsd } = sumsOf(rows);
  assert.ok(Math.abs(nanoUsd / bill - 1) < 0.01, `${nanoUsd} for ${bill}`);
  const prompts = (of: readonly BilledAnswer[]) =>
    of.reduce(
      (sum, { input, read, write5m, write1h }) =>
        sum + input + read + write5m + write1h,
      0,
    );
  assert.equal(measured.input, prompts(whole));
  const output = whole.reduce((sum, answer) => sum + answer.output, 0);
  assert.equal(measured.output, output);
}
