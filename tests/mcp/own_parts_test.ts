import { ccrKey } from "../../src/ccr/key.ts";
import type { CcrBatch, CcrEntry } from "../../src/core/store.ts";
import { onDemand, ownParts } from "../../src/mcp/own_parts.ts";
import type { LibraryParts } from "../../src/sdk/library.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
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

/** A library that hands an entry to `keep` for what it leaves out, and a store that notes its batches. */
function world(
  { elided, write, open = () => {} }: {
    readonly elided?: CcrEntry;
    readonly write?: () => Promise<never>;
    /** Fails as opening the library does. */
    readonly open?: () => void;
  } = {},
) {
  const batches: CcrBatch[] = [];
  const refused: (readonly [event: string, error: unknown])[] = [];
  const store = {
    write: write ?? ((batch: CcrBatch) => {
      batches.push(batch);
      return Promise.resolve({ forms: new Map(), inserted: [] });
    }),
    retrievalCount: () => 0,
    stats: () => assert.fail("not asked for"),
  };
  const { compress } = ownParts(
    resolveConfig({ env: { SVC_STATELESS: "1" } }),
    {
      clock: { now: () => 7 },
      store: () => Promise.resolve(store),
      async library({ keep }: LibraryParts) {
        await Promise.resolve(open());
        return {
          async compressText() {
            if (elided !== undefined) await keep(elided).catch(() => {});
            return FORM;
          },
        };
      },
      onUnwritten: (event, error) => void refused.push([event, error]),
    },
  );
  return { compress, batches, refused };
}

Deno.test("compress keeps the library's entry when something is left out, as long as forms live", async () => {
  let opened = 0;
  const open = () => void opened++;
  const { compress, batches } = world({ elided: ELIDED, open });
  assert.equal(opened, 0);
  assert.deepEqual(await compress(TEXT, ""), { ...FORM, hash: ELIDED.key });
  const batch = { now: 5, entries: [ELIDED], keepsState: true };
  assert.deepEqual(batches, [batch]);
  await compress(TEXT, "");
  assert.equal(opened, 1, "the library is opened once");
});

Deno.test("compress keeps the original also when nothing is left out", async () => {
  const { compress, batches } = world();
  const { hash } = await compress(TEXT, "");
  assert.equal(hash, ccrKey(TEXT));
  assert.deepEqual(batches[0]?.entries, [
    { ...ELIDED, keptItems: 2, storedAt: 7 },
  ]);
  await compress(TEXT, "");
  assert.equal(batches.length, 2, "the second time renews it");
});

Deno.test("compress names no key when the original cannot be kept, and says why", async () => {
  const locked = new Error("locked");
  const write = () => Promise.reject(locked);
  const { compress, refused } = world({ elided: ELIDED, write });
  assert.deepEqual(await compress(TEXT, ""), { ...FORM, hash: undefined });
  assert.deepEqual(refused[0], ["original_not_kept", locked]);
});

Deno.test("compress leaves a text with half a character as it is, and keeps nothing of it", async () => {
  const broken = TEXT + "\ud800";
  const elided = { ...ELIDED, original: broken, key: ccrKey(broken) };
  const { compress, batches } = world({ elided });
  assert.deepEqual(await compress(broken, ""), {
    text: broken,
    hash: undefined,
    tokensBefore: 9,
    tokensAfter: 9,
    strategy: "",
    reason: "not_well_formed_unicode",
  });
  assert.deepEqual(batches, []);
});

Deno.test("onDemand opens once, with the first who asks, and tries again after a failure", async () => {
  let count = 0;
  const one = onDemand(() =>
    ++count === 1 ? Promise.reject(new Error("locked")) : Promise.resolve(count)
  );
  assert.equal(await one.opened(), undefined);
  assert.equal(count, 0);
  await assert.rejects(one.get(), /locked/);
  assert.equal(await one.opened(), undefined);
  assert.deepEqual(await Promise.all([one.get(), one.get()]), [2, 2]);
  assert.equal(await one.opened(), 2);
});
