import assert from "node:assert/strict";
import {
  Writer,
  type WriterAnswer,
  type WriterRequest,
  type WriterThread,
} from "../../src/writer/writer.ts";

const RESULT = { rows: 1 };
const JOB = { type: "write" };
const SETTINGS = { path: "store.db" };

/** A thread whose answers and death are up to the test. */
class FakeThread implements WriterThread {
  onmessage: WriterThread["onmessage"] = null;
  onerror: WriterThread["onerror"] = null;
  onmessageerror: WriterThread["onmessageerror"] = null;
  readonly requests: WriterRequest[] = [];
  ended = false;

  postMessage(request: WriterRequest): void {
    this.requests.push(request);
  }

  terminate(): void {
    this.ended = true;
  }

  answer(data: WriterAnswer): void {
    this.onmessage?.(new MessageEvent("message", { data }));
  }

  die(message: string): void {
    this.onerror?.(new ErrorEvent("error", { message, cancelable: true }));
  }

  /** Ids of the jobs it was given. */
  get ids(): number[] {
    return this.requests.flatMap((one) => "id" in one ? [one.id] : []);
  }
}

function scene(timeoutMs = 60_000) {
  const threads: FakeThread[] = [];
  const events: string[] = [];
  const writer = new Writer({
    spawn: () => {
      const thread = new FakeThread();
      threads.push(thread);
      return thread;
    },
    timeoutMs,
  });
  const open = (database: string) =>
    writer.open<unknown, unknown>({
      database,
      settings: SETTINGS,
      title: `the ${database}`,
      slug: database,
      log: (_, event) => events.push(event),
    });
  return { writer: open("store"), owner: writer, open, threads, events };
}

Deno.test("Writer.start starts the thread that the first job uses, where a database is open", async () => {
  const { writer, owner, threads } = scene();
  owner.start();
  owner.start();
  assert.equal(threads.length, 1);
  const job = writer.run(JOB);
  assert.equal(threads.length, 1);
  threads[0]!.answer({ type: "done", id: 1, result: RESULT });
  assert.deepEqual(await job, RESULT);
});

Deno.test("Writer.start starts nothing where no database is open, and leaves a failure to the first job", async () => {
  let starts = 0;
  const owner = new Writer({
    spawn: () => {
      starts++;
      throw new Error("no thread");
    },
  });
  owner.start();
  assert.equal(starts, 0);
  const channel = owner.open<unknown, unknown>({
    ...{ database: "store", settings: SETTINGS, title: "the store" },
    ...{ slug: "store", log: () => {} },
  });
  owner.start();
  assert.equal(starts, 1);
  await assert.rejects(channel.run(JOB), /no thread/);
});

Deno.test("Writer starts one thread, at the first job, and tells it the settings first", async () => {
  const { writer, threads } = scene();
  assert.equal(threads.length, 0);
  writer.start();
  const job = writer.run(JOB);
  assert.equal(threads.length, 1);
  const [thread] = threads;
  assert.deepEqual(thread?.requests, [
    { type: "settings", database: "store", settings: SETTINGS },
    { type: "job", database: "store", id: 1, job: JOB },
  ]);
  thread?.answer({ type: "done", id: 1, result: RESULT });
  assert.equal(await job, RESULT);
});

Deno.test("Writer gives every caller its own answer", async () => {
  const { writer, threads } = scene();
  const jobs = [writer.run(JOB), writer.run(JOB), writer.run(JOB)];
  const thread = threads[0]!;
  const [first, second, third] = thread.ids as [number, number, number];
  thread.answer({ type: "done", id: third, result: RESULT });
  thread.answer({ type: "refused", id: first, reason: "disk is full" });
  thread.answer({ type: "done", id: second, result: RESULT });
  const states = await Promise.allSettled(jobs);
  assert.deepEqual(states.map(({ status }) => status), [
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  await assert.rejects(
    jobs[0]!,
    /^Error: Cannot write to the store: disk is full$/,
  );
});

Deno.test("Writer rejects everything under way when its thread dies, and starts another for the next job", async () => {
  const { writer, threads } = scene();
  const jobs = [writer.run(JOB), writer.run(JOB)];
  threads[0]!.die("out of luck");
  for (const job of jobs) {
    await assert.rejects(job, /its worker died: out of luck/);
  }
  assert.ok(threads[0]!.ended);
  const job = writer.run(JOB);
  assert.equal(threads.length, 2);
  const [id] = threads[1]!.ids;
  threads[1]!.answer({ type: "done", id: id!, result: RESULT });
  await job;
});

Deno.test("Writer stops starting threads that die without an answer", async () => {
  const { writer, threads } = scene();
  for (let i = 0; i < 2; i++) {
    const job = writer.run(JOB);
    threads[i]!.die("again");
    await assert.rejects(job, /again/);
  }
  await assert.rejects(writer.run(JOB), /died 2 times in a row/);
  assert.equal(threads.length, 2);
  writer.start();
  await writer[Symbol.asyncDispose]();
});

Deno.test("Writer ends a thread that does not answer", async () => {
  const { writer, threads } = scene(1);
  await assert.rejects(writer.run(JOB), /no answer within 1 ms/);
  assert.ok(threads[0]!.ended);
});

Deno.test("Writer waits for earlier jobs before it ends the thread, and takes none after", async () => {
  const { writer, threads } = scene();
  const job = writer.run(JOB);
  const closed = writer[Symbol.asyncDispose]();
  await assert.rejects(writer.run(JOB), /it is closed/);
  const thread = threads[0]!;
  const [first, last] = thread.ids as [number, number];
  assert.deepEqual(thread.requests.at(-1), {
    type: "close",
    database: "store",
    id: last,
  });
  thread.answer({ type: "done", id: first, result: RESULT });
  await job;
  assert.equal(thread.ended, false);
  thread.answer({ type: "done", id: last, result: RESULT });
  await closed;
  assert.ok(thread.ended);
});

Deno.test("Writer logs what failed beside the jobs under the name of the database", async () => {
  const { writer, open, threads, events } = scene();
  writer.start();
  const ledger = open("ledger");
  ledger.start();
  const failed = (database: string) =>
    threads[0]!.answer({ type: "sweep_failed", database, reason: "locked" });
  failed("ledger");
  failed("store");
  failed("nobody");
  assert.deepEqual(events, ["ledger_sweep_failed", "store_sweep_failed"]);
  const failing = new Writer({
    spawn: () => {
      throw new Error("no threads");
    },
  }).open<unknown, unknown>({
    database: "store",
    settings: SETTINGS,
    title: "the store",
    slug: "store",
    log: (_, event) => events.push(event),
  });
  failing.start();
  assert.equal(events.at(-1), "store_writer_failed");
  await assert.rejects(failing.run(JOB), /no threads/);
});

Deno.test("Writer has one thread for all databases and ends it with the last of them", async () => {
  const { writer, open, threads } = scene();
  const ledger = open("ledger");
  assert.throws(() => open("ledger"), /ledger twice/);
  const jobs = [writer.run(JOB), ledger.run(JOB)];
  assert.equal(threads.length, 1);
  const [thread] = threads as [FakeThread];
  assert.deepEqual(
    thread.requests.map(({ type, database }) => `${type} ${database}`),
    ["settings store", "job store", "settings ledger", "job ledger"],
  );
  for (const id of thread.ids) thread.answer({ type: "done", id, result: id });
  assert.deepEqual(await Promise.all(jobs), thread.ids);

  const close = async (channel: AsyncDisposable) => {
    const closed = channel[Symbol.asyncDispose]();
    const id = thread.ids.at(-1)!;
    thread.answer({ type: "done", id, result: undefined });
    await closed;
  };
  await close(writer);
  assert.equal(thread.ended, false);
  const job = ledger.run(JOB);
  thread.answer({ type: "refused", id: thread.ids.at(-1)!, reason: "no" });
  await assert.rejects(job, /Cannot write to the ledger: no/);
  await close(ledger);
  assert.ok(thread.ended);
});

Deno.test("Writer tells a new thread the settings of each database again", async () => {
  const { writer, open, threads } = scene();
  const ledger = open("ledger");
  const jobs = [writer.run(JOB), ledger.run(JOB)];
  threads[0]!.die("gone");
  for (const job of jobs) await assert.rejects(job, /died: gone/);
  void ledger.run(JOB);
  void writer.run(JOB);
  assert.deepEqual(
    threads[1]!.requests.map(({ type, database }) => `${type} ${database}`),
    ["settings ledger", "job ledger", "settings store", "job store"],
  );
  for (const id of threads[1]!.ids) {
    threads[1]!.answer({ type: "done", id, result: undefined });
  }
});

Deno.test("Writer gives a thread few jobs at a time, the others in their order", async () => {
  const { writer, threads } = scene();
  const jobs = Array.from({ length: 10 }, () => writer.run(JOB));
  const [thread] = threads as [FakeThread];
  const given = thread.ids.length;
  assert.ok(given < jobs.length);
  for (let i = 0; i < jobs.length; i++) {
    assert.equal(thread.ids.length, Math.min(jobs.length, given + i));
    const id = thread.ids[i]!;
    thread.answer({ type: "done", id, result: id });
  }
  assert.deepEqual(await Promise.all(jobs), thread.ids);
});

Deno.test("Writer refuses the jobs that its thread did not have yet when that dies", async () => {
  const { writer, threads } = scene();
  const jobs = Array.from({ length: 10 }, () => writer.run(JOB));
  threads[0]!.die("gone");
  for (const job of jobs) await assert.rejects(job, /died: gone/);
  const next = writer.run(JOB);
  const [id] = threads[1]!.ids;
  threads[1]!.answer({ type: "done", id: id!, result: 1 });
  assert.equal(await next, 1);
});
