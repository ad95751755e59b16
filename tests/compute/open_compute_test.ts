import assert from "node:assert/strict";
import { spawnComputeWorker } from "../../src/compute/spawn.ts";
import type { Decision } from "../../src/core/decision.ts";
import { openCompute } from "../../src/compute/open_compute.ts";
import { cutOriginal, openRouter } from "../../src/compute/open_router.ts";
import { WorkerPool } from "../../src/pipeline/worker_pool.ts";
import { jobOf } from "../pipeline/jobs.ts";
import { loadCorpus } from "../quality/corpus.ts";

const SMALL_LENGTH = 32 * 1024;

const corpus = await loadCorpus(new URL("../corpus/", import.meta.url));

async function load() {
  return { ...await openRouter(), cut: cutOriginal };
}

/** A worker that must not be asked, and one that says what it was asked. */
function fakePool() {
  const asked: string[] = [];
  return {
    asked,
    decide: () => {
      asked.push("decide");
      return Promise.resolve([]);
    },
    count: () => {
      asked.push("count");
      return Promise.resolve();
    },
    cut: () => {
      asked.push("cut");
      return Promise.resolve({ ok: false, error: "" } as const);
    },
    rest: () => void asked.push("rest"),
    [Symbol.dispose]: () => void asked.push("end"),
  };
}

/** Of a line's bytes and of its characters, both at most the given number. */
const ofLength = (length: number) =>
  "a word and more\n".repeat(length / 16 + 1).slice(0, length);

const piecesOf = (length: number) => ({
  bytes: new TextEncoder().encode(ofLength(length)),
  ends: Uint32Array.of(length),
  model: "gpt-5",
});

Deno.test("openCompute gives the worker what is large, by size alone", async () => {
  const pool = fakePool();
  const compute = openCompute(load, pool);
  const half = jobOf(ofLength(SMALL_LENGTH / 2));
  const entryOf = (original: string) => ({
    original,
    strategy: "log",
    toolName: "",
  });
  assert.equal((await compute.decide([half, half])).length, 2);
  const cut = await compute.cut(entryOf(ofLength(SMALL_LENGTH)), {
    lines: "1",
  });
  assert.equal(cut.ok && cut.content, "a word and more\n");
  const tokens: number[] = [];
  await compute.count(piecesOf(65_536), (_, some) => tokens.push(...some));
  assert.equal(tokens.length, 1);
  assert.deepEqual(pool.asked, []);

  await compute.decide([half, half, jobOf("x")]);
  await compute.cut(entryOf(ofLength(SMALL_LENGTH + 1)), { lines: "1" });
  await compute.count(piecesOf(65_537), () => {});
  compute[Symbol.dispose]();
  assert.deepEqual(pool.asked, ["decide", "cut", "count", "end"]);
});

Deno.test("openCompute decides each text of the corpus as the worker does, byte for byte", async () => {
  using worker = new WorkerPool(spawnComputeWorker);
  const compute = openCompute(load, fakePool());
  // Larger ones never come to this thread.
  const small = corpus.filter(({ text }) => text.length <= SMALL_LENGTH);
  for (const { text, tool, query, file } of small) {
    const job = jobOf(text, { toolName: tool, query, model: "gpt-5" });
    const [here] = await compute.decide([job]);
    const [there] = await worker.decide([job]);
    assert.deepEqual(bytesOf(here), bytesOf(there), file);
  }
});

function bytesOf(decision: Decision | undefined) {
  return decision?.type === "form"
    ? { ...decision, literal: new TextDecoder().decode(decision.literal) }
    : decision;
}

Deno.test("openCompute warms up until it is not to go on", async () => {
  const compute = openCompute(load, fakePool());
  let asked = 0;
  await compute.warm(() => Promise.resolve(asked++ < 3));
  assert.equal(asked, 4);
});

Deno.test("openCompute tries again to load what could not be loaded", async () => {
  let tries = 0;
  const compute = openCompute(() => {
    tries++;
    return Promise.reject(new Error("no file descriptor"));
  }, fakePool());
  for (let i = 0; i < 2; i++) {
    await assert.rejects(compute.decide([jobOf("x")]), /no file descriptor/);
  }
  assert.equal(tries, 2);
});

Deno.test("openCompute ends the worker once nothing was asked of it for a while", async () => {
  const pool = fakePool();
  let fire: (() => void) | undefined;
  const compute = openCompute(load, pool, (run) => {
    fire = run;
    return () => void (fire = undefined);
  });
  const large = jobOf(ofLength(SMALL_LENGTH + 1));
  await compute.decide([large]);
  const again = compute.decide([large]);
  assert.equal(fire, undefined, "it is at work");
  await again;
  fire!();
  compute[Symbol.dispose]();
  assert.deepEqual(pool.asked, ["decide", "decide", "rest", "end"]);
  await compute.decide([large]);
  assert.equal(fire, undefined, "nothing is left behind");
});
