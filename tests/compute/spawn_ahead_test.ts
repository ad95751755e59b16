import assert from "node:assert/strict";
import {
  discardAhead,
  firstComputeWorker,
  servesRequests,
  spawnAhead,
} from "../../src/compute/spawn_ahead.ts";
import type { WorkerLike } from "../../src/pipeline/worker_pool.ts";

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  isEnded = false;
  postMessage(): void {}
  terminate(): void {
    this.isEnded = true;
  }
}

/** Workers that were started, in that order. */
function scene() {
  const workers: FakeWorker[] = [];
  const spawn = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  return { workers, spawn };
}

Deno.test("servesRequests holds for the commands that compress until they are stopped, and for no other", () => {
  const served = [
    ["proxy"],
    ["proxy", "--port", "0"],
    ["proxy-worker"],
  ];
  const others = [
    [],
    ["--version"],
    ["compress"],
    ["demo"],
    ["mcp", "serve"],
    ["doctor", "proxy"],
    ["proxy", "--help"],
    ["proxy", "-h"],
  ];
  for (const args of served) {
    assert.equal(servesRequests(args), true, `${args}`);
  }
  for (const args of others) {
    assert.equal(servesRequests(args), false, `${args}`);
  }
});

Deno.test("firstComputeWorker takes the worker that was started ahead once, then starts others", () => {
  const { workers, spawn } = scene();
  spawnAhead(spawn);
  assert.equal(workers.length, 1);
  assert.equal(firstComputeWorker(spawn), workers[0]);
  assert.equal(workers.length, 1);
  assert.equal(firstComputeWorker(spawn), workers[1]);
  assert.equal(workers.length, 2);
});

Deno.test("firstComputeWorker starts a worker where none was started ahead, or it was discarded", () => {
  const { workers, spawn } = scene();
  assert.equal(firstComputeWorker(spawn), workers[0]);
  spawnAhead(spawn);
  discardAhead();
  assert.equal(workers[1]?.isEnded, true);
  assert.equal(firstComputeWorker(spawn), workers[2]);
  discardAhead();
  assert.equal(workers[2]?.isEnded, false, "it is in use");
});

Deno.test("spawnAhead absorbs a worker that dies before it is taken, and one that cannot be started", () => {
  const { workers, spawn } = scene();
  spawnAhead(spawn);
  let isPrevented = false;
  workers[0]?.onerror?.({
    message: "no memory",
    preventDefault: () => isPrevented = true,
  });
  assert.equal(isPrevented, true, "else it ends the program");
  assert.equal(firstComputeWorker(spawn), workers[1]);
  spawnAhead(() => {
    throw new Error("no thread");
  });
  assert.equal(firstComputeWorker(spawn), workers[2]);
});
