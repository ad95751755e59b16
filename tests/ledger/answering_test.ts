import assert from "node:assert/strict";
import { Answering, within } from "../../src/ledger/answering.ts";
import type { AskedTask, TaskAnswer } from "../../src/ledger/channel.ts";
import { standingClock } from "./samples.ts";

/** A database that answers when the test says so. */
function scene(more: { timeoutMs?: number; pauseMs?: number } = {}) {
  const asked: string[] = [];
  const database = {
    answer: (_: AskedTask): Promise<TaskAnswer> => Promise.resolve(7),
  };
  const recovered = { times: 0, next: Promise.withResolvers<void>() };
  const probed = { next: Promise.withResolvers<void>() };
  const clock = standingClock();
  const answering = new Answering({
    outbox: {
      ask(task) {
        asked.push(task.type);
        if (task.type === "probe") probed.next.resolve();
        return database.answer(task);
      },
    },
    clock,
    onRecovery() {
      recovered.times++;
      recovered.next.resolve();
    },
    timeoutMs: 5,
    pauseMs: 1,
    ...more,
  });
  return { answering, asked, database, recovered, probed, clock };
}

const BEAT = { type: "heartbeat" } as const;
const refuse = () => Promise.reject(new Error("disk is full"));
const hang = () => new Promise<never>(() => {});

Deno.test("Answering hands answers on", async () => {
  const { answering } = scene();
  using _ = answering;
  assert.equal(await answering.ask(BEAT), 7);
  assert.equal(await answering.waitFor(() => Promise.resolve("x")), "x");
  assert.equal(answering.answers, true);
});

Deno.test("Answering waits once for a database that does not answer, and asks it no more but in the background", async () => {
  const { answering, asked, database } = scene({ pauseMs: 60_000 });
  using _ = answering;
  database.answer = hang;
  await assert.rejects(answering.ask(BEAT), /no answer within 5 ms/);
  assert.equal(answering.answers, false);
  for (let i = 0; i < 3; i++) {
    await assert.rejects(answering.ask(BEAT), /no answer within 5 ms/);
  }
  const never = () => assert.fail("must not begin");
  await assert.rejects(answering.waitFor(never), /no answer/);
  assert.deepEqual(asked, ["heartbeat"]);
});

Deno.test("Answering probes until there is an answer, and tells of it", async () => {
  const { answering, asked, database, recovered, probed } = scene();
  using _ = answering;
  database.answer = refuse;
  await assert.rejects(answering.ask(BEAT), /disk is full/);
  await probed.next.promise;
  assert.equal(answering.answers, false);
  database.answer = () => Promise.resolve(8);
  await recovered.next.promise;
  assert.equal(await answering.ask(BEAT), 8);
  assert.deepEqual(new Set(asked.slice(1, -1)), new Set(["probe"]));
  // A failure after that is a new one.
  recovered.next = Promise.withResolvers();
  database.answer = refuse;
  await assert.rejects(answering.ask(BEAT), /disk is full/);
  database.answer = () => Promise.resolve(9);
  await recovered.next.promise;
  assert.equal(recovered.times, 2);
});

Deno.test("Answering waits for a slow probe as long as it takes", async () => {
  const { answering, database, recovered, probed, asked } = scene();
  using _ = answering;
  const slow = Promise.withResolvers<TaskAnswer>();
  database.answer = ({ type }) => type === "probe" ? slow.promise : refuse();
  await assert.rejects(answering.ask(BEAT), /disk is full/);
  await probed.next.promise;
  slow.resolve(undefined);
  await recovered.next.promise;
  assert.deepEqual(asked, ["heartbeat", "probe"]);
});

Deno.test("Answering probes no more once it is closed", async () => {
  const { answering, database, recovered, probed } = scene();
  const slow = Promise.withResolvers<TaskAnswer>();
  database.answer = ({ type }) => type === "probe" ? slow.promise : refuse();
  await assert.rejects(answering.ask(BEAT), /disk is full/);
  await probed.next.promise;
  answering[Symbol.dispose]();
  slow.resolve(undefined);
  await slow.promise;
  await null;
  assert.equal(recovered.times, 0);
  await assert.rejects(answering.ask(BEAT), /disk is full/);
});

Deno.test("within settles as its promise does, or with an error after the time", async () => {
  assert.equal(await within(Promise.resolve(1), 60_000), 1);
  await assert.rejects(within(Promise.reject(new Error("no")), 60_000), /no/);
  const never = new Promise(() => {});
  await assert.rejects(within(never, 1), /no answer within 1 ms/);
});
