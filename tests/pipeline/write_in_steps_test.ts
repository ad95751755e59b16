import assert from "node:assert/strict";
import {
  type BlockKey,
  type CcrBatch,
  type CcrEntry,
  type CcrKey,
  type ConversationKey,
  type FrozenForm,
  StoreLocked,
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
  {
    length = 10,
    begins = false,
    write = () => {},
    signal = new AbortController().signal,
  }: {
    readonly length?: number;
    readonly begins?: boolean;
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
  const given = { batch: batch(entries(count, length)), last, begins, signal };
  return { batches, written: writeInSteps({ store }, given) };
}

Deno.test("writeInSteps writes a few originals and all else in one batch", async () => {
  const { batches, written } = writing(50);
  assert.equal((await written).forms, forms);
  assert.deepEqual(batches, [{ ...batch(entries(50)), ...last }]);
});

Deno.test("writeInSteps writes many originals ahead, each once and in order, with what belongs to their conversation, and forms behind the last", async () => {
  const { batches, written } = writing(125);
  assert.equal((await written).forms, forms);
  assert.deepEqual(batches.map((one) => one.entries?.length), [50, 50, 25]);
  assert.deepEqual(batches.flatMap((one) => one.entries), entries(125));
  const [{ entries: first, ...ahead }, second, third] = batches as [
    CcrBatch,
    CcrBatch,
    CcrBatch,
  ];
  const { entries: _, ...own } = batch([]);
  assert.equal(first?.length, 50);
  assert.deepEqual(ahead, own);
  assert.equal(second.forms, undefined);
  assert.equal(third.forms, forms);
  assert.equal(third.responseIds?.size, 2);
});

Deno.test("writeInSteps counts long originals by their length", async () => {
  const { batches, written } = writing(5, { length: 100 * 1024 });
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

Deno.test("writeInSteps tries again while another process is writing: many originals and a new declaration more often than a few", async () => {
  const lockedUntil = (until: number) => (nth: number) => {
    if (nth < until) throw new StoreLocked("locked");
  };
  const many = writing(125, { write: lockedUntil(90) });
  assert.equal((await many.written).forms, forms);
  assert.equal(many.batches.length, 89 + 3);

  const begun = writing(1, { begins: true, write: lockedUntil(16) });
  assert.equal((await begun.written).forms, forms);
  assert.equal(begun.batches.length, 16);

  const usual = writing(1, { write: lockedUntil(16) });
  await assert.rejects(usual.written, StoreLocked);
  assert.equal(usual.batches.length, 2);
});
