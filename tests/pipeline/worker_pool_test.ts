import assert from "node:assert/strict";
import { jobOf } from "./jobs.ts";
import { WorkerPool } from "../../src/pipeline/worker_pool.ts";
import type {
  WorkerLike,
  WorkerReply,
  WorkerRequest,
} from "../../src/pipeline/worker_messages.ts";

const job = jobOf("t");
const alone = (reason = "done") => [{ type: "alone", reason } as const];

/** A worker that answers when told to. */
class FakeWorker implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  terminated = false;
  readonly requests: WorkerRequest[] = [];
  postMessage(message: WorkerRequest): void {
    this.requests.push(message);
  }
  terminate(): void {
    this.terminated = true;
  }
  reply(data: WorkerReply): void {
    this.onmessage?.({ data });
  }
  /** Leaves the texts of a request alone, for this reason. */
  decided(id: number, reason = "done"): void {
    this.reply({ type: "decided", id, decisions: alone(reason) });
  }
  dies(message: string): void {
    this.onerror?.({ message, preventDefault() {} });
  }
}

function poolOf(watchdogMs?: number, cpuMs?: () => number) {
  const workers: FakeWorker[] = [];
  const pool = new WorkerPool(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    watchdogMs,
    cpuMs,
  );
  return { pool, workers };
}

Deno.test("WorkerPool matches answers to requests in any order", async () => {
  const { pool, workers } = poolOf();
  const first = pool.decide([job]);
  const second = pool.decide([job]);
  const [worker] = workers;
  for (const { id } of worker!.requests.toReversed()) {
    worker!.decided(id, `${id}`);
  }
  assert.deepEqual(await first, alone("0"));
  assert.deepEqual(await second, alone("1"));
  assert.equal(workers.length, 1);
});

Deno.test("WorkerPool fails what a dying worker held, and starts another", async () => {
  const { pool, workers } = poolOf();
  const lost = pool.decide([job, job]);
  workers[0]!.dies("out of memory");
  const failed = {
    type: "failed",
    reason: "worker_died: out of memory",
  };
  assert.deepEqual(await lost, [failed, failed]);
  const kept = pool.decide([job]);
  workers[1]!.reply({ type: "decided", id: 1, decisions: [] });
  assert.deepEqual(await kept, []);
});

Deno.test("WorkerPool hands what waits behind a hung decision to a new worker", async () => {
  const { pool, workers } = poolOf(0);
  const hung = pool.decide([job]);
  const behind = pool.decide([job]);
  assert.equal((await hung)[0]?.type, "failed");
  workers[1]!.decided(1);
  assert.deepEqual(await behind, alone());
  // A late error of the old worker must not touch the new one.
  workers[0]!.dies("late");
  assert.equal(workers[1]!.terminated, false);
});

/** Runs `test` with timers that fire when it lets time pass, in milliseconds. */
async function withTimers(
  test: (pass: (ms: number) => void) => Promise<void>,
): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  let now = 0;
  let lastId = 0;
  const timers = new Map<number, { at: number; fire: () => void }>();
  const start = (fire: () => void, ms: number) => {
    timers.set(++lastId, { at: now + ms, fire });
    return lastId;
  };
  const stop = (id: number) => void timers.delete(id);
  Object.assign(globalThis, { setTimeout: start, clearTimeout: stop });
  try {
    await test((ms) => {
      now += ms;
      for (const [id, { at, fire }] of timers) {
        if (at <= now && timers.delete(id)) fire();
      }
    });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

Deno.test("WorkerPool gives each decision its time, however long it has waited behind others", () =>
  withTimers(async (pass) => {
    const { pool, workers } = poolOf(100);
    const decided = [1, 2, 3].map(() => pool.decide([job]));
    for (const id of [0, 1, 2]) {
      pass(60);
      workers[0]!.decided(id);
    }
    pass(1000);
    assert.deepEqual(
      (await Promise.all(decided)).flat(),
      [1, 2, 3].flatMap(() => alone()),
    );
    assert.equal(workers.length, 1);
    assert.equal(workers[0]!.terminated, false);
  }));

Deno.test("WorkerPool does not give up a worker that waits for the processor of a busy machine", () =>
  withTimers(async (pass) => {
    let cpuMs = 5;
    const { pool, workers } = poolOf(100, () => cpuMs);
    const decided = pool.decide([job]);
    pass(100);
    cpuMs += 40;
    pass(100);
    cpuMs += 59;
    pass(100);
    workers[0]!.decided(0);
    assert.deepEqual(await decided, alone());
    assert.equal(workers[0]!.terminated, false);
  }));

Deno.test("WorkerPool gives up a worker that has used its CPU time, or uses none for long", async () => {
  for (const share of [1, 0]) {
    await withTimers(async (pass) => {
      let cpuMs = 5;
      const { pool, workers } = poolOf(100, () => cpuMs);
      const hung = pool.decide([job]);
      for (let round = 0; !workers[0]!.terminated; round++) {
        assert.ok(round < 6, "it was never given up");
        cpuMs += 100 * share;
        pass(100);
      }
      assert.equal((await hung)[0]?.type, "failed");
    });
  }
});

Deno.test("WorkerPool lets a worker rest that has nothing to do, and starts another for what comes", async () => {
  const { pool, workers } = poolOf();
  const first = pool.decide([job]);
  pool.rest();
  assert.equal(workers[0]!.terminated, false);
  workers[0]!.decided(0);
  await first;
  pool.rest();
  assert.equal(workers[0]!.terminated, true);
  const second = pool.decide([job]);
  workers[1]!.decided(1);
  assert.deepEqual(await second, alone());
});

Deno.test("WorkerPool ends a worker that does not answer", async () => {
  const { pool, workers } = poolOf(0);
  const [decision] = await pool.decide([job]);
  assert.deepEqual(decision, {
    type: "failed",
    reason: "worker_hung: no answer in 0 ms",
  });
  assert(workers[0]!.terminated);
});

Deno.test("WorkerPool hands on counts in parts and resolves with the last", async () => {
  const { pool, workers } = poolOf();
  const ends = Uint32Array.of(1, 2, 3);
  const pieces = { bytes: new Uint8Array(3), ends, model: "m" };
  const counted: unknown[] = [];
  const done = pool.count(pieces, (...part) => counted.push(part));
  assert.deepEqual(workers[0]!.requests, [{ type: "count", id: 0, pieces }]);
  const reply = (from: number, tokens: number[]) =>
    workers[0]!.reply({ type: "counted", id: 0, from, tokens });
  reply(0, [7, 8]);
  reply(2, [9]);
  await done;
  assert.deepEqual(counted, [[0, [7, 8]], [2, [9]]]);
});

Deno.test("WorkerPool settles open counts when it is closed", async () => {
  const { pool } = poolOf();
  const ends = Uint32Array.of(1);
  const pieces = { bytes: new Uint8Array(1), ends, model: "m" };
  const done = pool.count(pieces, () => assert.fail("nothing was counted"));
  pool[Symbol.dispose]();
  await done;
});

Deno.test("WorkerPool asks for long texts one by one, and answers in their order", async () => {
  const { pool, workers } = poolOf();
  const long = (word: string) => jobOf(word.repeat(100_000));
  const answer = pool.decide([long("a b "), long("c d ")]);
  const [worker] = workers;
  assert.equal(worker!.requests.length, 2);
  for (const { id } of worker!.requests.toReversed()) {
    worker!.decided(id, `${id}`);
  }
  const reasons = (await answer).map((decision) =>
    decision.type === "alone" ? decision.reason : ""
  );
  assert.deepEqual(reasons, ["0", "1"]);
});

Deno.test("WorkerPool hands a cut to the worker and its answer back", async () => {
  const { pool, workers } = poolOf();
  const sent = { original: "a\nb", strategy: "log", toolName: "Bash" };
  const entry = { ...sent, other: "not sent" };
  const cut = pool.cut(entry, { lines: "2" });
  const [request] = workers[0]!.requests;
  assert.deepEqual(request, {
    type: "cut",
    id: 0,
    entry: sent,
    wanted: { lines: "2" },
  });
  const part = { ok: true, content: "b", items: 1, part: "line 2" } as const;
  workers[0]!.reply({ type: "cut", id: 0, cut: part });
  assert.deepEqual(await cut, part);
});

Deno.test("WorkerPool says that a part could not be cut out when the worker died", async () => {
  const { pool, workers } = poolOf();
  const cut = pool.cut(
    { original: "a", strategy: "log", toolName: "" },
    { lines: "1" },
  );
  workers[0]!.dies("out of memory");
  const lost = await cut;
  assert.ok(!lost.ok);
  assert.match(lost.error, /ask for the whole original/);
});

Deno.test("WorkerPool sends the worker a bounded length of texts at a time, in order, and the rest after a death", async () => {
  const { pool, workers } = poolOf();
  const long = jobOf("a b ".repeat(100_000));
  const answers = Array.from({ length: 6 }, () => pool.decide([long]));
  const [worker] = workers as [FakeWorker];
  const sent = () => worker.requests.map(({ id }) => id);
  assert.deepEqual(sent(), [0, 1]);
  worker.decided(0);
  assert.deepEqual(sent(), [0, 1, 2]);
  worker.dies("gone");
  const again = workers[1]!;
  assert.deepEqual(again.requests.map(({ id }) => id), [2, 3]);
  for (const id of [2, 3, 4, 5]) {
    again.decided(id);
  }
  const types = (await Promise.all(answers)).map(([one]) => one?.type);
  assert.deepEqual(types, ["alone", "failed", ...Array(4).fill("alone")]);
});

Deno.test("WorkerPool sends the worker a bounded number of texts at a time, and what is left in order", async () => {
  const { pool, workers } = poolOf();
  const answer = pool.decide(
    Array.from({ length: 300 }, () => jobOf("a b ".repeat(300))),
  );
  const { requests } = workers[0]!;
  assert.equal(requests.length, 100);
  for (let i = 0; i < 300; i++) {
    const { id } = requests[i]!;
    workers[0]!.decided(id, `${id}`);
    assert.equal(requests.length, Math.min(300, 101 + i));
  }
  assert.deepEqual(
    (await answer).map((one) => one.type === "alone" && one.reason),
    Array.from({ length: 300 }, (_, i) => `${i}`),
  );
});

Deno.test("WorkerPool sends a text that is longer than the bound", async () => {
  const { pool, workers } = poolOf();
  const answer = pool.decide([jobOf("a b ".repeat(1_000_000))]);
  assert.equal(workers[0]!.requests.length, 1);
  workers[0]!.reply({ type: "decided", id: 0, decisions: [] });
  await answer;
});

Deno.test("WorkerPool gives a long text more time, and what waits for a large count", () =>
  withTimers(async (wait) => {
    let cpuMs = 0;
    const pass = (ms: number) => {
      cpuMs += ms;
      wait(ms);
    };
    const { pool, workers } = poolOf(100, () => cpuMs);
    const long = pool.decide([jobOf("a".repeat(1_000_000))]);
    pass(5000);
    workers[0]!.decided(0);
    assert.deepEqual(await long, alone());
    const bytes = new Uint8Array(1_000_000);
    const ends = Uint32Array.of(bytes.length);
    void pool.count({ bytes, ends, model: "m" }, () => {});
    const behind = pool.decide([job]);
    pass(5099);
    assert.equal(workers.length, 1);
    pass(1);
    assert.equal((await behind)[0]?.type, "failed");
  }));
