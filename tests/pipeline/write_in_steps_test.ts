import assert from "node:assert/strict";
import type {
  BlockKey,
  CcrBatch,
  CcrEntry,
  CcrKey,
  ConversationKey,
  FrozenForm,
} from "../../src/core/store.ts";
import type { CompressParts } from "../../src/pipeline/compress_parts.ts";
import { writeInSteps } from "../../src/pipeline/write_in_steps.ts";

const entries = (count: number, length = 10) =>
  Array.from({ length: count }, (_, i) => ({
    key: `k${i}` as CcrKey,
    original: "x".repeat(length),
  } as CcrEntry));

const forms = new Map([["b" as BlockKey, {} as FrozenForm]]);
const batch = (entries: readonly CcrEntry[]) => ({
  conversation: "c" as ConversationKey,
  now: 5,
  definition: "d",
  keepsState: true,
  entries,
  responseIds: new Map([["turn", "1"]]),
});
const last = { forms, responseIds: new Map([["turn", "1"], ["note", "2"]]) };

/** Writes, and what the store was given; `write` says what it answers to the nth batch. */
function writing(
  count: number,
  { length = 10, write = () => {}, signal = new AbortController().signal }: {
    readonly length?: number;
    readonly write?: (nth: number) => void;
    readonly signal?: AbortSignal;
  } = {},
) {
  const batches: CcrBatch[] = [];
  const store = {
    write: (one: CcrBatch) => {
      batches.push(one);
      write(batches.length);
      return Promise.resolve({ forms: one.forms ?? new Map(), inserted: [] });
    },
  } as unknown as CompressParts["store"];
  const given = { batch: batch(entries(count, length)), last, signal };
  return { batches, written: writeInSteps({ store }, given) };
}

Deno.test("writeInSteps writes a few originals and all else in one batch", async () => {
  const { batches, written } = writing(100);
  assert.equal((await written).forms, forms);
  assert.deepEqual(batches, [{ ...batch(entries(100)), ...last }]);
});

Deno.test("writeInSteps writes many originals ahead, each once and in order, with what belongs to their conversation, and forms behind the last", async () => {
  const { batches, written } = writing(250);
  assert.equal((await written).forms, forms);
  assert.deepEqual(batches.map((one) => one.entries?.length), [100, 100, 50]);
  assert.deepEqual(batches.flatMap((one) => one.entries), entries(250));
  const [{ entries: first, ...ahead }, second, third] = batches as [
    CcrBatch,
    CcrBatch,
    CcrBatch,
  ];
  const { entries: _, ...own } = batch([]);
  assert.equal(first?.length, 100);
  assert.deepEqual(ahead, own);
  assert.equal(second.forms, undefined);
  assert.equal(third.forms, forms);
  assert.equal(third.responseIds?.size, 2);
});

Deno.test("writeInSteps counts long originals by their length", async () => {
  const { batches, written } = writing(5, { length: 200 * 1024 });
  await written;
  assert.deepEqual(batches.map((one) => one.entries?.length), [2, 2, 1]);
});

Deno.test("writeInSteps writes no form once the store refused or the client has left", async () => {
  const refused = writing(250, {
    write: (nth) => {
      if (nth === 2) throw new Error("full");
    },
  });
  await assert.rejects(refused.written, /full/);
  assert.equal(refused.batches.length, 2);
  const client = new AbortController();
  const left = writing(250, {
    signal: client.signal,
    write: () => client.abort(new DOMException("gone", "AbortError")),
  });
  await assert.rejects(left.written, { name: "AbortError" });
  assert.deepEqual(left.batches.map((one) => one.forms), [undefined]);
});
