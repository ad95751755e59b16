import assert from "node:assert/strict";
import { supervise } from "../../src/cli/supervisor.ts";
import type {
  FromWorker,
  ProcessEnd,
  SharedJob,
  ToWorker,
  WorkerProcess,
} from "../../src/cli/workers.ts";
import type { Reloaded } from "../../src/core/app_io.ts";
import { fakeSettings } from "./fake_io.ts";

/** A process made of literals. */
interface FakeWorker {
  readonly told: ToWorker[];
  readonly slot: number;
  readonly stored: unknown;
  say(message: FromWorker): void;
  end(how?: Partial<ProcessEnd>): void;
  isAlive(): boolean;
}

const JOB: SharedJob = {
  ...{ run: "r", pid: 77, port: 4321, workers: 2 },
  ...{ flags: {}, stored: { SVC_RPM: "1" } },
};
const READY: FromWorker = {
  type: "ready",
  port: 4321,
  storeBackend: "sqlite",
  ledgerBackend: "sqlite",
};

/** What a supervisor needs; `behave` is called for each process when it has its job. A deaf one does not stop. */
function lab(
  behave: (worker: FakeWorker, nth: number) => void,
  { isDeaf = false } = {},
) {
  const workers: FakeWorker[] = [];
  const waits: number[] = [];
  const logged: string[] = [];
  let now = 0;
  const changed = new Set<() => void>();
  const change = () => changed.forEach((wake) => wake());
  function start(): WorkerProcess {
    const told: ToWorker[] = [];
    const ended = Promise.withResolvers<ProcessEnd>();
    const { readable, writable } = new TransformStream<FromWorker>();
    const writer = writable.getWriter();
    let isAlive = true;
    const jobOf = () => {
      assert(told[0]?.type === "start");
      return told[0].job;
    };
    const worker: FakeWorker = {
      told,
      get slot() {
        return jobOf().slot;
      },
      get stored() {
        return jobOf().stored;
      },
      say: (message) => void writer.write(message),
      end({ code = 0, signal } = {}) {
        if (!isAlive) return;
        isAlive = false;
        void writer.close();
        ended.resolve({ code, signal });
      },
      isAlive: () => isAlive,
    };
    workers.push(worker);
    return {
      messages: readable,
      ended: ended.promise,
      send(message) {
        told.push(message);
        if (message.type === "start") behave(worker, workers.length - 1);
        if (message.type === "stop" && !isDeaf) worker.end();
        change();
      },
      kill: () => worker.end({ code: 137, signal: "SIGKILL" }),
    };
  }
  const parts = {
    start,
    wait(ms: number) {
      waits.push(ms);
      return ms >= 30_000 ? new Promise<void>(() => {}) : Promise.resolve();
    },
    monotonic: () => now,
    applySettings: (): Promise<Reloaded> =>
      Promise.resolve({ type: "reloaded", changed: ["SVC_RPM"], later: [] }),
    log: (_level: string, event: string) => {
      logged.push(event);
      change();
    },
  };
  /** Resolves when `isSo`. */
  const when = async (isSo: () => boolean) => {
    while (!isSo()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      changed.add(resolve);
      await promise;
      changed.delete(resolve);
    }
  };
  const pass = (ms: number) => void (now += ms);
  return { parts, workers, waits, logged, when, pass };
}

const ready = (worker: FakeWorker) => worker.say(READY);

Deno.test("supervise starts the workers with one job each, and resolves when all are ready", async () => {
  const { parts, workers } = lab(ready);
  const proxy = await supervise({ ...JOB, workers: 3 }, parts);
  assert.deepEqual(workers.map(({ slot }) => slot), [0, 1, 2]);
  assert.equal(proxy.processes, 3);
  assert.equal(proxy.port, 4321);
  await proxy.stop();
  for (const { told, isAlive } of workers) {
    assert.deepEqual(told.map(({ type }) => type), ["start", "stop"]);
    assert.equal(isAlive(), false);
  }
});

Deno.test("supervise starts no second worker where the first has no database", async () => {
  const { parts, workers } = lab((worker) =>
    worker.say({
      ...READY,
      storeBackend: "memory",
      ledgerBackend: "memory",
    })
  );
  const proxy = await supervise(JOB, parts);
  assert.equal(workers.length, 1);
  assert.equal(proxy.processes, 1);
  assert.equal(proxy.storeBackend, "memory");
  assert.equal(proxy.ledgerBackend, "memory");
  await proxy.stop();
});

Deno.test("supervise fails with what the first worker says, or how it ended", async () => {
  const failed = lab((worker) =>
    worker.say({ type: "failed", message: "Cannot listen" })
  );
  await assert.rejects(supervise(JOB, failed.parts), {
    name: "CliFailure",
    message: "Cannot listen",
  });
  const dead = lab((worker) => worker.end({ code: 70 }));
  await assert.rejects(supervise(JOB, dead.parts), /it ended with code 70$/);
  assert.equal(dead.workers.length, 1);
});

Deno.test("supervise replaces a worker that died, in its slot, after a wait", async () => {
  const { parts, workers, waits, logged, when } = lab(ready);
  const proxy = await supervise(JOB, parts);
  workers[1]!.end({ code: 137, signal: "SIGKILL" });
  await when(() => workers.length === 3 && workers[2]!.told.length > 0);
  assert.equal(workers[2]!.slot, 1);
  assert.deepEqual(logged, ["worker_died"]);
  assert.deepEqual(waits, [100]);
  await proxy.stop();
  assert.deepEqual(logged, ["worker_died"]);
});

Deno.test("supervise gives a worker up that dies again and again soon after its start, and goes on with the others", async () => {
  const { parts, workers, waits, logged } = lab((worker, nth) => {
    if (nth === 0) ready(worker);
    else worker.end({ code: 1 });
  });
  const proxy = await supervise(JOB, parts);
  assert.equal(proxy.processes, 1);
  assert.deepEqual(waits, [100, 200, 400, 800, 1600]);
  assert.equal(workers.length, 7);
  assert.equal(logged.at(-1), "worker_given_up");
  assert.equal(logged.length, 6);
  await proxy.stop();
});

Deno.test("supervise does not count deaths of workers that lived long", async () => {
  const { parts, workers, waits, when, pass } = lab(ready);
  const proxy = await supervise({ ...JOB, workers: 1 }, parts);
  for (let nth = 0; nth < 8; nth++) {
    pass(10_000);
    workers[nth]!.end();
    await when(() => (workers[nth + 1]?.told.length ?? 0) > 0);
  }
  assert.deepEqual(waits, Array(8).fill(100));
  await proxy.stop();
});

Deno.test("supervise says when no worker is left", async () => {
  const { parts, workers } = lab((worker, nth) => {
    if (nth < 2) ready(worker);
    else worker.end({ code: 1 });
  });
  const proxy = await supervise(JOB, parts);
  for (const worker of [...workers]) worker.end({ code: 1 });
  await proxy.lost;
});

Deno.test("supervise gives new stored values to all, and to those that come later", async () => {
  const { parts, workers, when } = lab(ready);
  const proxy = await supervise(JOB, parts);
  const stored = { SVC_RPM: "2" };
  const answer = proxy.reload(fakeSettings({ stored }));
  for (const { told, say } of workers) {
    assert.deepEqual(told.at(-1), { type: "reload", stored });
    say({ type: "reloaded", later: ["SVC_PORT"] });
  }
  assert.deepEqual(await answer, ["SVC_PORT"]);
  workers[0]!.end();
  await when(() => (workers[2]?.told.length ?? 0) > 0);
  assert.deepEqual(workers[2]!.stored, stored);
  await proxy.stop();
});

Deno.test("supervise takes new values back from all when one worker cannot use them", async () => {
  const { parts, workers, when } = lab(ready);
  const proxy = await supervise(JOB, parts);
  const answer = proxy.reload(fakeSettings({ stored: { SVC_RPM: "2" } }));
  workers[0]!.say({ type: "reloaded", later: [] });
  workers[1]!.say({ type: "reload_failed", message: "Cannot use that" });
  await when(() => workers[0]!.told.length === 3);
  for (const { told, say } of workers) {
    assert.deepEqual(told.at(-1), { type: "reload", stored: JOB.stored });
    say({ type: "reloaded", later: [] });
  }
  await assert.rejects(answer, /Cannot use that/);
  await proxy.stop();
});

Deno.test("supervise does not wait for the answer of a worker that died", async () => {
  const { parts, workers } = lab(ready);
  const proxy = await supervise(JOB, parts);
  const answer = proxy.reload(fakeSettings());
  workers[0]!.end();
  workers[1]!.say({ type: "reloaded", later: [] });
  assert.deepEqual(await answer, []);
  await proxy.stop();
});

Deno.test("supervise kills all at once when abandoned, and replaces none", async () => {
  const { parts, workers, logged } = lab(ready);
  const proxy = await supervise(JOB, parts);
  proxy.abandon();
  assert(workers.every(({ isAlive }) => !isAlive()));
  await proxy.stop();
  assert.equal(workers.length, 2);
  assert.deepEqual(logged, []);
});

Deno.test("supervise kills workers that do not end when told", async () => {
  const { parts, workers, logged } = lab(ready, { isDeaf: true });
  const proxy = await supervise(JOB, {
    ...parts,
    wait: () => Promise.resolve(),
  });
  await proxy.stop();
  assert(workers.every(({ isAlive }) => !isAlive()));
  assert.deepEqual(logged, ["worker_not_ended"]);
});

Deno.test("a worker that asks for stored settings to be read again is told what became of them", async () => {
  const { parts, workers, when } = lab((worker, nth) => {
    worker.say(READY);
    if (nth === 1) worker.say({ type: "apply" });
  });
  const proxy = await supervise(JOB, parts);
  const answer = () =>
    workers[1]?.told.find((message) => message.type === "applied");
  await when(() => answer() !== undefined);
  assert.deepEqual(answer(), {
    type: "applied",
    reloaded: { type: "reloaded", changed: ["SVC_RPM"], later: [] },
  });
  assert.ok(workers[0]?.told.every(({ type }) => type !== "applied"));
  await proxy.stop();
});
