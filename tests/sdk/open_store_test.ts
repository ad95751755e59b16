import assert from "node:assert/strict";
import { openSqliteStore } from "../../src/ccr/sqlite_store.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { ConfigurationError } from "../../src/sdk/errors.ts";
import {
  checkStoreOptions,
  openCcrStore,
  ttlSecondsOf,
} from "../../src/sdk/open_store.ts";
import type { Problem } from "../../src/sdk/failures.ts";
import type { CcrStoreOptions } from "../../src/sdk/svc_types.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { logOf, talk } from "./conversations.ts";
import { SYSTEM_CLOCK } from "../../src/system_clock.ts";
import { tempDir } from "../temp_dir.ts";

const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);

Deno.test("openCcrStore opens a store in memory unless told otherwise", async () => {
  await using store = await openCcrStore();
  assert.equal(store.stats().backend, "memory");
});

Deno.test("openCcrStore writes its file in this thread, and shares it with a proxy's store", async () => {
  await using temp = await tempDir();
  const place = temp.path;
  const path = `${place}/ccr.db`;
  await using svc = createSvc({ store: { backend: "sqlite", path } });
  const { ccrHashes: [hash] } = await svc.compress(elements);
  await using proxy = await openSqliteStore({
    path,
    ttlSeconds: 60,
    clock: SYSTEM_CLOCK,
    log: () => {},
    version: "0",
  });
  const entry = proxy.entry(ccrKey(logOf(200)), SYSTEM_CLOCK.now());
  assert("original" in entry);
  assert.equal(entry.key, hash);
  await svc.close();

  await using next = createSvc({ store: { backend: "sqlite", path } });
  const again = await next.retrieve(hash!);
  assert(again.success && again.originalContent === logOf(200));
});

Deno.test("openCcrStore gives the same forms after a restart", async () => {
  await using temp = await tempDir();
  const place = temp.path;
  const store = { backend: "sqlite", path: `${place}/deep/er/ccr.db` } as const;
  const made: unknown[] = [];
  for (let i = 0; i < 2; i++) {
    await using svc = createSvc({ store });
    made.push((await svc.compress(elements)).messages);
  }
  assert.deepEqual(made[1], made[0]);
});

Deno.test("openCcrStore takes memory where the file cannot be used, and says so once", async () => {
  await using temp = await tempDir();
  const place = temp.path;
  const problems: Problem[] = [];
  await using svc = createSvc({
    store: { backend: "sqlite", path: place },
    onProblem: (problem) => problems.push(problem),
  });
  assert((await svc.compress(elements)).ccrHashes.length === 1);
  assert.equal(problems.length, 1);
  assert.equal(problems[0]?.stage, "ccr_store_unavailable");
  assert(problems[0]?.reason.startsWith(`${place}: `));
});

Deno.test("checkStoreOptions refuses what cannot be opened", () => {
  const wrong: readonly unknown[] = [
    { backend: "redis" },
    { backend: "sqlite" },
    { backend: "sqlite", path: "" },
    { ttlSeconds: -1 },
    { ttlSeconds: 1.5 },
    { maxBytes: 0 },
  ];
  for (const options of wrong) {
    assert.throws(
      () => checkStoreOptions(options as CcrStoreOptions),
      ConfigurationError,
    );
  }
  checkStoreOptions({ backend: "sqlite", path: "x", ttlSeconds: 1 });
});

Deno.test("createSvc knows how long originals live in a store that it is given", async () => {
  await using store = await openCcrStore({ ttlSeconds: 60 });
  assert.equal(ttlSecondsOf(store), 60);
  await using svc = createSvc({ store });
  const result = await svc.retrieve("0".repeat(24));
  assert(!result.success);
  assert.equal(result.ttlSeconds, 60);
  assert.equal(ttlSecondsOf({ ...store }), 1800, "one of somebody else's");
});
