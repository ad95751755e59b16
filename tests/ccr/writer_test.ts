import assert from "node:assert/strict";
import type { CcrWritten } from "../../src/core/store.ts";
import {
  Writer,
  type WriterAnswer,
  type WriterJob,
  type WriterRequest,
  type WriterThread,
} from "../../src/ccr/writer.ts";

const NOTHING: CcrWritten = { forms: new Map(), inserted: [] };
const JOB: WriterJob = { type: "write", batch: { now: 0 } };

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
    return this.requests.flatMap((one) => one.type === "job" ? [one.id] : []);
  }
}

function scene(patienceMs = 60_000) {
  const threads: FakeThread[] = [];
  const events: string[] = [];
  const writer = new Writer({
    path: "store.db",
    ttlMs: 1,
    maxBytes: 2,
    log: (_, event) => events.push(event),
    spawn: () => {
      const thread = new FakeThread();
      threads.push(thread);
      return thread;
    },
    patienceMs,
  });
  return { writer, threads, events };
}

Deno.test("Writer starts one thread, at the first job, and tells it the settings first", async () => {
  const { writer, threads } = scene();
  assert.equal(threads.length, 0);
  writer.start();
  const job = writer.run(JOB);
  assert.equal(threads.length, 1);
  const [thread] = threads;
  assert.deepEqual(thread?.requests, [
    {
      type: "settings",
      settings: { path: "store.db", ttlMs: 1, maxBytes: 2 },
    },
    { type: "job", id: 1, job: JOB },
  ]);
  thread?.answer({ type: "done", id: 1, written: NOTHING });
  assert.equal(await job, NOTHING);
});

Deno.test("Writer gives every caller its own answer", async () => {
  const { writer, threads } = scene();
  const jobs = [writer.run(JOB), writer.run(JOB), writer.run(JOB)];
  const thread = threads[0]!;
  const [first, second, third] = thread.ids as [number, number, number];
  thread.answer({ type: "done", id: third, written: NOTHING });
  thread.answer({ type: "refused", id: first, reason: "disk is full" });
  thread.answer({ type: "done", id: second, written: NOTHING });
  const states = await Promise.allSettled(jobs);
  assert.deepEqual(states.map(({ status }) => status), [
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  await assert.rejects(
    jobs[0]!,
    /^Error: Cannot write to the CCR store: disk is full$/,
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
  threads[1]!.answer({ type: "done", id: id!, written: NOTHING });
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
    type: "job",
    id: last,
    job: { type: "close" },
  });
  thread.answer({ type: "done", id: first, written: NOTHING });
  await job;
  assert.equal(thread.ended, false);
  thread.answer({ type: "done", id: last, written: NOTHING });
  await closed;
  assert.ok(thread.ended);
});

Deno.test("Writer logs what failed beside the jobs", async () => {
  const { writer, threads, events } = scene();
  writer.start();
  threads[0]!.answer({ type: "sweep_failed", reason: "locked" });
  assert.deepEqual(events, ["ccr_store_sweep_failed"]);
  const failing = new Writer({
    path: "",
    ttlMs: 1,
    maxBytes: 1,
    log: (_, event) => events.push(event),
    spawn: () => {
      throw new Error("no threads");
    },
  });
  failing.start();
  assert.equal(events.at(-1), "ccr_store_writer_failed");
  await assert.rejects(failing.run(JOB), /no threads/);
});
