import assert from "node:assert/strict";
import type { BudgetPeriod } from "../../src/core/cost.ts";
import type { LedgerJob, LedgerWritten } from "../../src/ledger/channel.ts";
import { Outbox } from "../../src/ledger/outbox.ts";
import { standingClock } from "./samples.ts";

/** An outbox whose transactions are up to the test. */
function scene(
  run: (job: LedgerJob) => Promise<LedgerWritten> = (job) =>
    Promise.resolve(writtenOf(job)),
  { period }: { period?: BudgetPeriod } = { period: "daily" },
) {
  const jobs: LedgerJob[] = [];
  const logged: string[] = [];
  let closed = 0;
  const outbox = new Outbox({
    channel: {
      start: () => {},
      run: (job) => (jobs.push(job), run(job)),
      [Symbol.asyncDispose]: () => (closed++, Promise.resolve()),
    },
    clock: standingClock(7),
    period: () => period,
    log: (_, event) => logged.push(event),
    onSpend: () => {},
  });
  return { outbox, jobs, logged, closed: () => closed };
}

const release = (id: string) => ({ type: "release" as const, id });
const take = (caller: string) => ({
  type: "take" as const,
  caller,
  perMinute: 1,
});

/** Every task is answered with its place in the transaction. */
function writtenOf({ tasks }: LedgerJob): LedgerWritten {
  return { answers: tasks.map((_, i) => i), spend: undefined };
}

Deno.test("Outbox writes one transaction at a time, with all that came meanwhile, in order", async () => {
  const first = Promise.withResolvers<void>();
  const { outbox, jobs } = scene(async (job) => {
    await first.promise;
    return writtenOf(job);
  });
  outbox.keep(release("a"));
  outbox.keep(release("b"));
  await null;
  outbox.keep(release("c"));
  const asked = outbox.ask(take("d"));
  assert.equal(jobs.length, 1);
  first.resolve();
  assert.equal(await asked, 1);
  assert.deepEqual(jobs, [
    { now: 7, period: "daily", tasks: [release("a"), release("b")] },
    { now: 7, period: "daily", tasks: [release("c"), take("d")] },
  ]);
  assert.equal(outbox.waiting, 0);
});

Deno.test("Outbox keeps what could not be written and goes on with the next task; who asked is told", async () => {
  let isBroken = true;
  const { outbox, jobs, logged } = scene((job) =>
    isBroken
      ? Promise.reject(new Error("disk is full"))
      : Promise.resolve(writtenOf(job))
  );
  outbox.keep(release("a"));
  await assert.rejects(outbox.ask(take("b")), /disk is full/);
  await outbox.flush();
  assert.deepEqual([outbox.waiting, outbox.healthy], [1, false]);
  isBroken = false;
  outbox.keep(release("c"));
  await outbox.flush();
  assert.deepEqual(jobs.at(-1)?.tasks, [release("a"), release("c")]);
  assert.deepEqual([outbox.waiting, outbox.healthy], [0, true]);
  assert.deepEqual(logged, ["ledger_write_failed"]);
});

Deno.test("Outbox tells what is not in the file, also while it is being written", async () => {
  const first = Promise.withResolvers<LedgerWritten>();
  const results = [first.promise, Promise.reject(new Error("no"))];
  results[1]!.catch(() => {});
  const { outbox } = scene(() => results.shift()!);
  outbox.keep(release("a"));
  await null;
  outbox.keep(release("b"));
  assert.deepEqual([...outbox.unwritten()], [release("a"), release("b")]);
  first.resolve({ answers: [undefined], spend: undefined });
  await outbox.flush();
  assert.deepEqual([...outbox.unwritten()], [release("b")]);
});

Deno.test("Outbox tries again while others hold the lock", async () => {
  let locked = 3;
  const { outbox, logged } = scene((job) =>
    locked-- > 0
      ? Promise.reject(new Error("database is locked"))
      : Promise.resolve(writtenOf(job))
  );
  assert.equal(await outbox.ask(take("a")), 0);
  assert.deepEqual(logged, []);
});

Deno.test("Outbox bounds a transaction, and what it keeps while nothing can be written", async () => {
  const { outbox, jobs } = scene();
  for (let i = 0; i < 600; i++) outbox.keep(release(`${i}`));
  await outbox.flush();
  assert.deepEqual(jobs.map(({ tasks }) => tasks.length), [256, 256, 88]);

  const broken = scene(() => Promise.reject(new Error("no")));
  for (let i = 0; i < 10_050; i++) broken.outbox.keep(release(`${i}`));
  await broken.outbox.flush();
  assert.equal(broken.outbox.waiting, 10_000);
  assert.deepEqual(broken.jobs[0]?.tasks[0], release("50"));
  assert.ok(broken.logged.includes("ledger_rows_lost"));
});

Deno.test("Outbox writes what is left before it closes the database", async () => {
  const { outbox, jobs, closed } = scene();
  outbox.keep(release("a"));
  await outbox[Symbol.asyncDispose]();
  assert.equal(jobs.length, 1);
  assert.equal(closed(), 1);
  const broken = scene(() => Promise.reject(new Error("no")));
  broken.outbox.keep(release("a"));
  await broken.outbox[Symbol.asyncDispose]();
  assert.equal(broken.closed(), 1);
  assert.ok(broken.logged.includes("ledger_rows_lost"));
});

Deno.test("Outbox lets tasks that nobody waits for gather, unless there is a budget, until there are 16, somebody asks or a while is over", async () => {
  const written = Promise.withResolvers<void>();
  const { outbox, jobs } = scene((job) => {
    if (job.tasks.length === 1) written.resolve();
    return Promise.resolve(writtenOf(job));
  }, {});
  for (let i = 0; i < 15; i++) outbox.keep(release(`${i}`));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([jobs.length, outbox.waiting], [0, 15]);
  outbox.keep(release("15"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(jobs.map(({ tasks }) => tasks.length), [16]);

  outbox.keep(release("16"));
  await outbox.ask(take("a"));
  assert.deepEqual(jobs[1]?.tasks, [release("16"), take("a")]);

  outbox.keep(release("65"));
  await written.promise;
  assert.deepEqual(jobs[2]?.tasks, [release("65")]);
});
