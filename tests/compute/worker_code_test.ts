import assert from "node:assert/strict";
import { computeWorkerCode } from "../../scripts/build_compute_worker.ts";

const FILE = new URL("../../src/compute/worker_code.json", import.meta.url);
/** Bytes of the whole: it is part of every package of this program. */
const MAX_SIZE = 800_000;

Deno.test("worker_code.json is what the sources of the compute worker give", async () => {
  const text = await Deno.readTextFile(FILE);
  assert(
    await computeWorkerCode() === text,
    "src/compute/worker_code.json is old: run deno run -A scripts/build_compute_worker.ts",
  );
});

Deno.test("worker_code.json imports nothing but what the runtime brings", async () => {
  const { code } = JSON.parse(await Deno.readTextFile(FILE));
  assert(code.length < MAX_SIZE, `${code.length}`);
  const names = [
    ...code.matchAll(
      /\bimport\b[\w{},*$ ]*?from"([^"]+)"|\bimport\("([^"]+)"\)/g,
    ),
  ]
    .map(([, name, lazy]) => name ?? lazy);
  assert(names.includes("node:zlib"), names.join());
  assert.deepEqual(names.filter((name) => !name.startsWith("node:")), []);
});
