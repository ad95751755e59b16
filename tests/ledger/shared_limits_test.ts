import assert from "node:assert/strict";
import fc from "fast-check";
import type { AskedTask, TaskAnswer } from "../../src/ledger/channel.ts";
import {
  makeHeartbeat,
  type SharedLimitParts,
  SharedPlaces,
  SharedRate,
} from "../../src/ledger/shared_limits.ts";
import { standingClock } from "./samples.ts";

/** What the processes have in the database; the rule of the worker. */
function commonPool() {
  const places = new Map<number, number>();
  const grant = (process: number, task: AskedTask): number => {
    assert(task.type === "places");
    let others = 0;
    for (const [id, count] of places) if (id !== process) others += count;
    const granted = Math.min(task.wanted, Math.max(0, task.limit - others));
    places.set(process, granted);
    return granted;
  };
  return { places, grant };
}

function partsOf(
  ask: (task: AskedTask) => Promise<TaskAnswer>,
  failures: unknown[] = [],
): SharedLimitParts {
  return {
    clock: standingClock(),
    ask,
    onFailure: (error) => void failures.push(error),
    onHeld: () => {},
  };
}

Deno.test("SharedPlaces never lets more in than the limit, in whatever order answers come", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.oneof(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 60, max: 200 }),
      ),
      fc.array(
        fc.tuple(
          fc.nat(2),
          fc.constantFrom("come" as const, "leave", "answer"),
        ),
        { maxLength: 80 },
      ),
      async (scheduler, limit, steps) => {
        const { grant } = commonPool();
        const processes = [0, 1, 2].map((id) =>
          new SharedPlaces(
            limit,
            partsOf((task) =>
              scheduler.schedule(Promise.resolve()).then(() => grant(id, task))
            ),
          )
        );
        const leaves: (() => void)[][] = [[], [], []];
        const entering: Promise<void>[] = [];
        const check = () => {
          const taken = processes.reduce((sum, { taken }) => sum + taken, 0);
          assert.ok(taken <= limit, `${taken} of ${limit}`);
        };
        for (const [id, what] of steps) {
          if (what === "come") {
            entering.push(
              processes[id]!.enter().then((leave) => {
                if (leave !== undefined) leaves[id]!.push(leave);
                check();
              }),
            );
          } else if (what === "leave") {
            leaves[id]!.pop()?.();
          } else if (scheduler.count() > 0) await scheduler.waitOne();
          // Whoever has an answer goes on, as far as it leads.
          for (let turn = 0; turn < 10; turn++) await null;
          check();
        }
        await scheduler.waitFor(Promise.all(entering));
        check();
      },
    ),
    { numRuns: 1000 },
  );
});

Deno.test("SharedPlaces of one process has all places, and each again when it was left", async () => {
  for (const limit of [1, 3, 64, 1000]) {
    const { grant, places } = commonPool();
    const one = new SharedPlaces(
      limit,
      partsOf((task) => Promise.resolve(grant(0, task))),
    );
    const leaves = [];
    for (let i = 0; i < limit; i++) leaves.push(await one.enter());
    assert.equal(await one.enter(), undefined);
    const [first] = leaves;
    first?.();
    // Twice is once.
    first?.();
    assert.ok(await one.enter());
    assert.equal(await one.enter(), undefined);
    leaves.slice(1).forEach((leave) => leave?.());
    await one.renew();
    assert.ok(places.get(0)! <= 1 + Math.floor(limit / 64));
  }
});

Deno.test("SharedPlaces asks once for many requests when the limit is large", async () => {
  const { grant } = commonPool();
  let asked = 0;
  const one = new SharedPlaces(
    6400,
    partsOf((task) => (asked++, Promise.resolve(grant(0, task)))),
  );
  for (let i = 0; i < 500; i++) (await one.enter())?.();
  assert.equal(asked, 1);
});

Deno.test("SharedPlaces asks again when its places may be thought to be a dead process's", async () => {
  const { grant } = commonPool();
  let asked = 0;
  const clock = standingClock();
  const one = new SharedPlaces(6400, {
    ...partsOf((task) => (asked++, Promise.resolve(grant(0, task)))),
    clock,
  });
  await one.enter();
  clock.time += 30_001;
  await one.enter();
  assert.equal(asked, 2);
});

Deno.test("shared limits let requests pass when there is no answer, up to the places of one process", async () => {
  const failures: unknown[] = [];
  const parts = partsOf(() => Promise.reject(new Error("no")), failures);
  const places = new SharedPlaces(1, parts);
  const leave = await places.enter();
  assert.ok(leave);
  assert.equal(await places.enter(), undefined);
  leave();
  assert.ok(await places.enter());
  assert.equal(await new SharedRate(1, parts).take("a"), 0);
  assert.ok(failures.length >= 4);
});

Deno.test("SharedRate tells how long a caller has to wait", async () => {
  const tasks: AskedTask[] = [];
  const rate = new SharedRate(
    7,
    partsOf((task) => (tasks.push(task), Promise.resolve(12))),
  );
  assert.equal(await rate.take("a"), 12);
  assert.deepEqual(tasks, [{ type: "take", caller: "a", perMinute: 7 }]);
});

Deno.test("makeHeartbeat beats while something is held, and leaves no timer behind", async () => {
  let held = false;
  let beats = 0;
  const third = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const holds = () => {
    if (beats === 3) stopped.resolve();
    return held;
  };
  const heartbeat = makeHeartbeat(holds, () => {
    if (++beats === 3) third.resolve();
  }, 1);
  heartbeat.update();
  held = true;
  heartbeat.update();
  heartbeat.update();
  await third.promise;
  held = false;
  // Then it stops by itself: the runner of tests would find the timer.
  await stopped.promise;
  assert.equal(beats, 3);
  held = true;
  heartbeat.update();
  heartbeat[Symbol.dispose]();
});
