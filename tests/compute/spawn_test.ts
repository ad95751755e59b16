import assert from "node:assert/strict";
import {
  PART_NAMES,
  partNamed,
  spawnComputeWorker,
} from "../../src/compute/spawn.ts";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import type { CcrKey } from "../../src/core/store.ts";
import { WorkerPool } from "../../src/pipeline/worker_pool.ts";
import { GOLDENS } from "../compressors/source_code/samples.ts";

/** Texts: a log, and code in many languages. */
const FILES = [
  {
    path: "",
    input: Array.from(
      { length: 500 },
      (_, i) =>
        `2026-01-01T00:00:${10 + i % 50}Z ${
          i === 250 ? "ERROR job failed" : "INFO job done"
        } in ${i * 37 % 180} ms`,
    ).join("\n"),
  },
  ...GOLDENS,
];

/** What a worker decides and counts. */
interface Answers {
  readonly forms: readonly (readonly [strategy: string, form: string])[];
  readonly counts: readonly number[];
}

function jobOf({ path, input }: typeof FILES[number]): BlockJob {
  return {
    text: input,
    original: "0123456789abcdef01234567" as CcrKey,
    toolName: "Bash",
    rule: "normal",
    path,
    query: "",
    mayElide: true,
    notElided: [],
    model: "gpt-4o",
    options: { exact: false, folds: true, codeAware: true },
  };
}

async function answers(): Promise<Answers> {
  using pool = new WorkerPool(spawnComputeWorker);
  const decisions = await pool.decide(FILES.map(jobOf));
  const counts: number[] = [];
  for (const model of ["gpt-4o", "gpt-4"]) {
    const bytes = new TextEncoder().encode("déjà vu, 12345 times");
    const ends = Uint32Array.of(6, bytes.length);
    await pool.count({ bytes, ends, model }, (_, tokens) => {
      counts.push(...tokens);
    });
  }
  return { forms: decisions.map(formOf), counts };
}

function formOf(decision: Decision): readonly [string, string] {
  return decision.type === "form"
    ? [decision.strategy, new TextDecoder().decode(decision.literal)]
    : [decision.reason, ""];
}

const read = await answers();

Deno.test({
  name:
    "spawnComputeWorker decides and counts the same without any permission, in every language",
  permissions: "none",
  async fn() {
    assert.deepEqual(await answers(), read);
    const strategies = read.forms.map(([strategy]) => strategy);
    const code = Array(GOLDENS.length).fill("code_aware");
    assert.deepEqual(strategies, ["log", ...code]);
    assert.equal(read.counts.length, 4);
  },
});

Deno.test({
  name: "partNamed loads every part without a permission",
  permissions: "none",
  async fn() {
    assert.equal(PART_NAMES.length, 2);
    for (const name of PART_NAMES) {
      const part = await partNamed(name) as Record<string, unknown>;
      const lengths = Object.values(part).map((text) => String(text).length);
      assert(Math.max(...lengths) > 10_000, name);
    }
  },
});

Deno.test("partNamed refuses any other name", async () => {
  for (const name of ["", "toString", "../main.ts"]) {
    await assert.rejects(
      partNamed(name),
      /^Error: Cannot load .*: no such part/,
    );
  }
});
