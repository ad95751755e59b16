import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import { keepOriginals } from "../../src/cli/keep_originals.ts";
import type { CcrEntry, CcrStore } from "../../src/core/store.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";

const NOW = 1_000_000;
const entry: CcrEntry = {
  key: ccrKey("text"),
  original: "text",
  strategy: "log",
  toolName: "",
  formTokens: 9,
  originalTokens: 1,
  originalItems: 1,
  keptItems: 0,
  storedAt: NOW,
};

/** A keeper on a store in memory, and what happened to it. */
function keeper(env: Record<string, string>, failure?: Error) {
  const clock = { now: () => NOW, monotonic: () => 0 };
  const store = openMemoryStore({ ttlSeconds: 60, clock, log: () => {} });
  const opened: string[] = [];
  const logged: string[] = [];
  let closed = 0;
  const counting: CcrStore = Object.create(store, {
    write: { value: store.write.bind(store) },
    [Symbol.asyncDispose]: { value: () => Promise.resolve(void closed++) },
  });
  const keeper = keepOriginals({
    config: () => resolveConfig({ env }),
    open: (path) => {
      opened.push(path);
      return failure ? Promise.reject(failure) : Promise.resolve(counting);
    },
    log: (_, event) => void logged.push(event),
  });
  return { ...keeper, store, opened, logged, closed: () => closed };
}

Deno.test("keepOriginals stores an original where the proxy looks for it", async () => {
  const { keep, close, store, opened, closed } = keeper({
    SVC_WORKSPACE_DIR: "/w",
  });
  await keep(entry);
  await keep(entry);
  assert.deepEqual(opened, ["/w/ccr_store.db"]);
  const found = store.entry(entry.key, NOW);
  assert.ok("original" in found && found.original === "text");
  await close();
  assert.equal(closed(), 1);
  await store[Symbol.asyncDispose]();
});

Deno.test("keepOriginals opens nothing when there is nothing to keep", async () => {
  const { close, store, opened, closed } = keeper({ SVC_WORKSPACE_DIR: "/w" });
  await close();
  assert.deepEqual(opened, []);
  assert.equal(closed(), 0);
  await store[Symbol.asyncDispose]();
});

Deno.test("keepOriginals refuses what would not outlive the process, and says so", async () => {
  const memoryOnly: [string, Record<string, string>][] = [
    ["SVC_STATELESS", { SVC_STATELESS: "1" }],
    ["SVC_CCR_BACKEND", { SVC_WORKSPACE_DIR: "/w", SVC_CCR_BACKEND: "memory" }],
  ];
  for (const [setting, env] of memoryOnly) {
    const { keep, close, store, opened, logged } = keeper(env);
    await assert.rejects(keep(entry), new RegExp(`${setting} is .*Unset it`));
    assert.deepEqual(opened, []);
    assert.deepEqual(logged, ["original_not_kept"]);
    await close();
    await store[Symbol.asyncDispose]();
  }
});

Deno.test("keepOriginals rejects when the store cannot be opened", async () => {
  const { keep, close, store, logged } = keeper(
    { SVC_WORKSPACE_DIR: "/w" },
    new Error("Disk full"),
  );
  await assert.rejects(
    keep(entry),
    /^Error: \/w\/ccr_store\.db .*Disk full.*Set SVC_WORKSPACE_DIR/,
  );
  assert.deepEqual(logged, ["original_not_kept"]);
  await close();
  await store[Symbol.asyncDispose]();
});
