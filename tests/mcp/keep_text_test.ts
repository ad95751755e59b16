import { ccrKey } from "../../src/ccr/key.ts";
import type { CcrBatch, CcrEntry } from "../../src/core/store.ts";
import {
  keepingCompression,
  type KeepTextParts,
  onDemand,
} from "../../src/mcp/keep_text.ts";
import assert from "node:assert/strict";

const TEXT = "one\ntwo\n";
const FORM = { text: "o", tokensBefore: 9, tokensAfter: 1, strategy: "log" };
const ELIDED: CcrEntry = {
  key: ccrKey(TEXT),
  original: TEXT,
  strategy: "log",
  toolName: "",
  originalTokens: 9,
  formTokens: 1,
  originalItems: 2,
  keptItems: 1,
  storedAt: 5,
};

/** A library that leaves something out when `elides`, and a store that notes its batches. */
function world(elides: boolean, parts: Partial<KeepTextParts> = {}) {
  const batches: CcrBatch[] = [];
  let opened = 0;
  const compress = keepingCompression({
    open: (keep) => {
      opened++;
      return Promise.resolve(async () => {
        if (elides) await keep(ELIDED);
        return FORM;
      });
    },
    write: (batch) => Promise.resolve(batches.push(batch)),
    keyOf: ccrKey,
    now: () => 7,
    ...parts,
  });
  return { compress, batches, opened: () => opened };
}

Deno.test("keepingCompression opens the library once, with the first text", async () => {
  const { compress, opened } = world(true);
  assert.equal(opened(), 0);
  await compress(TEXT, "");
  await compress(TEXT, "");
  assert.equal(opened(), 1);
});

Deno.test("keepingCompression keeps the library's entry when something is left out, as long as forms live", async () => {
  const { compress, batches } = world(true);
  assert.deepEqual(await compress(TEXT, ""), { ...FORM, hash: ELIDED.key });
  assert.deepEqual(batches, [
    { now: 5, entries: [ELIDED], keepsState: true },
  ]);
});

Deno.test("keepingCompression keeps the original also when nothing is left out", async () => {
  const { compress, batches } = world(false);
  const { hash } = await compress(TEXT, "");
  assert.equal(hash, ccrKey(TEXT));
  assert.deepEqual(batches[0]?.entries, [
    { ...ELIDED, keptItems: 2, storedAt: 7 },
  ]);
  await compress(TEXT, "");
  assert.equal(batches.length, 2, "the second time renews it");
});

Deno.test("keepingCompression names no key when the original cannot be kept", async () => {
  const { compress } = world(false, {
    write: () => Promise.reject(new Error("locked")),
  });
  assert.deepEqual(await compress(TEXT, ""), { ...FORM, hash: undefined });
});

Deno.test("keepingCompression leaves a text with half a character as it is, and keeps nothing of it", async () => {
  const broken = TEXT + "\ud800";
  let keeping: Promise<void> | undefined;
  const { compress, batches } = world(true, {
    open: (keep) =>
      Promise.resolve(async (text) => {
        const original = { ...ELIDED, original: text, key: ccrKey(text) };
        await (keeping = keep(original)).catch(() => {});
        return FORM;
      }),
  });
  assert.deepEqual(await compress(broken, ""), {
    text: broken,
    hash: undefined,
    tokensBefore: 9,
    tokensAfter: 9,
    strategy: "",
    reason: "not_well_formed_unicode",
  });
  await assert.rejects(keeping!, /not well-formed/);
  assert.deepEqual(batches, []);
});

Deno.test("keepingCompression tells the library that an original cannot be kept", async () => {
  let reason = "";
  const { compress } = world(true, {
    open: (keep) =>
      Promise.resolve(async () => {
        await keep(ELIDED).catch((error: Error) => reason = error.message);
        return FORM;
      }),
    write: () => Promise.reject(new Error("locked")),
  });
  await compress(TEXT, "");
  assert.equal(reason, "locked");
});

Deno.test("keepingCompression tries again to open a library that could not be opened", async () => {
  let tries = 0;
  const { compress } = world(true, {
    open: () =>
      ++tries === 1
        ? Promise.reject(new Error("no tables"))
        : Promise.resolve(() => Promise.resolve(FORM)),
  });
  await assert.rejects(compress(TEXT, ""), /no tables/);
  assert.equal((await compress(TEXT, "")).text, FORM.text);
});

Deno.test("onDemand opens once, with the first who asks", async () => {
  let count = 0;
  const one = onDemand(() => Promise.resolve(++count));
  assert.equal(await one.opened(), undefined);
  assert.equal(count, 0);
  assert.deepEqual(await Promise.all([one.get(), one.get()]), [1, 1]);
  assert.equal(await one.opened(), 1);
});

Deno.test("onDemand tries again after a failure", async () => {
  let count = 0;
  const one = onDemand(() =>
    ++count === 1
      ? Promise.reject(new Error("locked"))
      : Promise.resolve("open")
  );
  await assert.rejects(one.get(), /locked/);
  assert.equal(await one.opened(), undefined);
  assert.equal(await one.get(), "open");
});
