import assert from "node:assert/strict";
import { runWorker } from "../../../src/cli/commands/proxy_worker.ts";
import { systemError } from "../../../src/cli/failure.ts";
import type {
  ApplySettings,
  CliIo,
  ProxySettings,
  WorkerPlace,
} from "../../../src/cli/io.ts";
import {
  type FromWorker,
  lineOf,
  messageIn,
  type ToWorker,
} from "../../../src/cli/workers.ts";
import { fakeIo, fakeProxy } from "../fake_io.ts";

const START: ToWorker = {
  type: "start",
  job: {
    ...{ run: "r", pid: 77, slot: 1, port: 4321 },
    flags: { mode: "token" },
    stored: { SVC_RPM: "7" },
  },
};

/** A worker that hears `lines`, and then nothing until the test calls `end`. */
function worker(lines: readonly ToWorker[], parts: Partial<CliIo> = {}) {
  const end = Promise.withResolvers<void>();
  let stops = 0;
  const reloads: ProxySettings[] = [];
  const places: (WorkerPlace | undefined)[] = [];
  const asks: ApplySettings[] = [];
  const io = fakeIo({
    stdinLines: async function* () {
      yield* lines.map((line) => lineOf(line).trim());
      await end.promise;
    },
    startProxy(config, applySettings, place) {
      asks.push(applySettings!);
      assert.equal(config.mode, "token");
      assert.equal(config.limits.requestsPerMinute, 7);
      places.push(place);
      return Promise.resolve(fakeProxy(() => {
        stops++;
        return Promise.resolve();
      }, {
        reload(settings) {
          reloads.push(settings);
          if (settings.config.limits.requestsPerMinute !== 8) {
            throw new Error("Cannot use that");
          }
          return Promise.resolve(["SVC_X"]);
        },
      }));
    },
    ...parts,
  });
  const said = () =>
    io.out().split("\n").filter((line) => line !== "").map(
      messageIn,
    ) as FromWorker[];
  return {
    io,
    said,
    end: end.resolve,
    stops: () => stops,
    reloads,
    places,
    asks,
  };
}

Deno.test("runWorker says where it listens, and ends when it is told to stop", async () => {
  const { io, said, stops, places } = worker([START, { type: "stop" }]);
  assert.equal(await runWorker(io), 0);
  assert.deepEqual(said(), [
    {
      type: "ready",
      port: 4321,
      storeBackend: "sqlite",
      ledgerBackend: "sqlite",
    },
  ]);
  assert.equal(stops(), 1);
  assert.partialDeepStrictEqual(places[0], {
    ...{ run: "r", pid: 77, slot: 1, port: 4321 },
  });
  assert.equal(io.handlers(), 0);
});

Deno.test("runWorker ends when its supervisor has gone", async () => {
  const { io, end, stops } = worker([START]);
  const exit = runWorker(io);
  end();
  assert.equal(await exit, 0);
  assert.equal(stops(), 1);
});

Deno.test("runWorker ends on SIGTERM, and leaves Ctrl-C and SIGHUP to the supervisor", async () => {
  const signalled = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { io, said, stops } = worker([], {
    stdinLines: async function* () {
      yield lineOf(START);
      await signalled.promise;
      yield lineOf({ type: "reload", stored: { SVC_RPM: "8" } });
      answered.resolve();
      await new Promise(() => {});
    },
  });
  const exit = runWorker(io);
  await io.listening;
  io.signal("SIGINT");
  io.hangUp();
  signalled.resolve();
  await answered.promise;
  assert.deepEqual(said().map(({ type }) => type), ["ready", "reloaded"]);
  assert.equal(stops(), 0);
  io.signal("SIGTERM");
  assert.equal(await exit, 0);
  assert.equal(stops(), 1);
});

Deno.test("runWorker uses other stored values when told, and says when it cannot", async () => {
  const { io, said, reloads } = worker([
    START,
    { type: "reload", stored: { SVC_RPM: "8" } },
    { type: "reload", stored: { SVC_RPM: "x" } },
    { type: "reload", stored: {} },
    { type: "stop" },
  ]);
  assert.equal(await runWorker(io), 0);
  const [, first, second, third] = said();
  assert.deepEqual(first, { type: "reloaded", later: ["SVC_X"] });
  assert.equal(second?.type, "reload_failed");
  assert.deepEqual(third, {
    type: "reload_failed",
    message: "Cannot use that",
  });
  assert.equal(reloads.length, 2);
  assert.equal(reloads[0]?.config.mode, "token");
});

Deno.test("runWorker says why it could not start, and ends with 1", async () => {
  const { io, said } = worker([START], {
    startProxy: () => Promise.reject(new Error("Cannot listen")),
  });
  assert.equal(await runWorker(io), 1);
  assert.deepEqual(said(), [{ type: "failed", message: "Cannot listen" }]);
});

Deno.test("runWorker goes on when its supervisor does not listen any more: the end of its input ends it", async () => {
  const { io, end, stops } = worker([START], {
    stdout: () => {
      throw systemError("EPIPE", "Broken pipe");
    },
  });
  const exit = runWorker(io);
  end();
  assert.equal(await exit, 0);
  assert.equal(stops(), 1);
});

Deno.test("runWorker refuses to run without a supervisor", async () => {
  for (const lines of [[], [{ type: "stop" }]] as const) {
    const { io, end } = worker(lines);
    end();
    await assert.rejects(runWorker(io), { name: "CliFailure", exitCode: 2 });
  }
});

Deno.test("runWorker asks the supervisor to have stored settings read again, and hands on what became of them", async () => {
  const reloaded = {
    type: "reloaded",
    changed: ["SVC_RPM"],
    later: [],
  } as const;
  const { io, said, end, asks } = worker([START, {
    type: "applied",
    reloaded,
  }]);
  // Asked before the answer is read.
  const start = io.startProxy;
  let answer: Promise<unknown> | undefined;
  const asking: CliIo = {
    ...io,
    async startProxy(...args) {
      const proxy = await start(...args);
      answer = asks[0]!();
      return proxy;
    },
  };
  const done = runWorker(asking);
  while (answer === undefined) await Promise.resolve();
  assert.deepEqual(await answer, reloaded);
  end();
  assert.equal(await done, 0);
  assert.deepEqual(said().map(({ type }) => type), ["apply", "ready"]);
});
