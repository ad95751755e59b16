import assert from "node:assert/strict";
import type { CliIo } from "../../src/cli/io.ts";
import { CliFailure } from "../../src/cli/failure.ts";
import {
  keepOriginals,
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
  withOriginals,
} from "../../src/cli/stores.ts";
import { fakeFiles, fakeIo } from "./fake_io.ts";
import { originalsScene } from "./originals/kept_originals.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";
import type { CcrEntry, CcrStore } from "../../src/core/store.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

Deno.test("ledgerPlace finds the ledger of the workspace and names unknown variables", () => {
  const env = { SVC_WORKSPACE_DIR: "/w", SVC_PROT: "1" };
  const io = fakeIo({ env });
  assert.equal(ledgerPlace(io).path, "/w/ledger.db");
  assert.match(io.err(), /SVC_PROT/);
});

Deno.test("ledgerPlace says whom to ask where nothing is on disk", () => {
  const env = { HOME: "/home/a", SVC_STATELESS: "1", SVC_PORT: "9000" };
  assert.throws(
    () => ledgerPlace(fakeIo({ env })),
    (error) =>
      error instanceof CliFailure && error.exitCode === 1 &&
      /SVC_STATELESS.*127\.0\.0\.1:9000\/dashboard.*9000\/transformations\/feed/
        .test(
          error.message,
        ),
  );
});

Deno.test("ledgerPlace refuses settings that make no sense", () => {
  const io = fakeIo({ env: { HOME: "/home/a", SVC_PORT: "x" } });
  assert.throws(
    () => ledgerPlace(io),
    (error) => error instanceof CliFailure && error.exitCode === 2,
  );
});

const place = (io: CliIo) => ledgerPlace(io);

/** A world in which a proxy answers. */
function beside(
  config: object,
  ledger: object,
  parts: Partial<CliIo> = {},
): CliIo {
  const bodies: Readonly<Record<string, object>> = {
    "/health": { service: "svc-proxy", config, checks: { ledger } },
    "/stats": { requests: { total: 12 } },
  };
  return fakeIo({
    env: { SVC_WORKSPACE_DIR: "/w" },
    ask: ({ pathname }) =>
      Promise.resolve({ status: 200, text: JSON.stringify(bodies[pathname]) }),
    ...parts,
  });
}

Deno.test("openedLedger names the file that it cannot use, and what to do", async () => {
  const openLedger = () => Promise.reject(new Error("file is not a database"));
  const io = fakeIo({ env: { SVC_WORKSPACE_DIR: "/w" }, openLedger });
  await assert.rejects(
    openedLedger(place(io), io),
    /^CliFailure: Cannot use the database \/w\/ledger\.db: file is not a database\. Stop the proxy, move the file away .*: it makes a new one$/,
  );
  const memory = beside({ workspace: "/w" }, {
    backend: "memory",
    degraded: true,
  }, { openLedger });
  await assert.rejects(
    openedLedger(place(memory), memory),
    /a new one\. The proxy at \S+:8787 cannot use its ledger and counts in memory: it has 12 requests/,
  );
  const none = fakeIo({ env: { SVC_WORKSPACE_DIR: "/w" } });
  assert.equal(await openedLedger(place(none), none), undefined);
});

Deno.test("noLedger says what to do", async () => {
  const io = fakeIo({ env: { SVC_WORKSPACE_DIR: "/w" } });
  assert.match(
    await noLedger(place(io), io),
    /no \/w\/ledger\.db\. Start svc proxy/,
  );
});

Deno.test("noLedger and noneFound say where the requests of a running proxy are", async () => {
  const stateless = beside({ workspace: null, stateless: true }, {
    backend: "memory",
  });
  assert.match(
    await noLedger(place(stateless), stateless),
    /^there is no \/w\/ledger\.db\. The proxy at http:\/\/127\.0\.0\.1:8787 keeps nothing on disk: it has 12 requests, until it stops; see \S+\/dashboard, or curl \S+\/stats and/,
  );
  const other = beside({ workspace: "/b" }, { backend: "sqlite" });
  assert.match(
    await noneFound("No requests", place(other), other),
    /^No requests\. The proxy at \S+ keeps its files in \/b: set SVC_WORKSPACE_DIR to that$/,
  );
  const same = beside({ workspace: "/w" }, { backend: "sqlite" });
  assert.equal(
    await noneFound("No requests", place(same), same),
    "No requests",
  );
});

Deno.test("noLedger asks at the port that is stored", async () => {
  const asked: string[] = [];
  const io = fakeIo({
    env: { SVC_WORKSPACE_DIR: "/w" },
    files: fakeFiles(new Map([["/w/settings.json", '{"port": 9001}']])),
    ask(url) {
      asked.push(url.host);
      return Promise.resolve(undefined);
    },
  });
  await noLedger(place(io), io);
  assert.deepEqual(asked, ["127.0.0.1:9001"]);
});

const USE = {
  there: () => "there",
  missing: ({ path }: { path: string }) => path,
};

Deno.test("withOriginals opens the database of the workspace and closes it, also after a failure", async () => {
  const { io, opened } = originalsScene();
  assert.equal(await withOriginals(io, USE), "there");
  assert.deepEqual(opened, { times: 1, closed: 1 });
  const failing = { ...USE, there: () => Promise.reject(new Error("no")) };
  await assert.rejects(withOriginals(io, failing), /^Error: no$/);
  assert.deepEqual(opened, { times: 2, closed: 2 });
});

Deno.test("withOriginals says where there is no database", async () => {
  const paths: string[] = [];
  const io = fakeIo({
    env: { SVC_WORKSPACE_DIR: "/w", SVC_CCR_TTL_SECONDS: "5" },
    openOriginals: (path, config) => {
      paths.push(path);
      assert.equal(config.ccr.ttlSeconds, 5);
      return Promise.resolve(undefined);
    },
  });
  assert.equal(await withOriginals(io, USE), "/w/ccr_store.db");
  assert.deepEqual(paths, ["/w/ccr_store.db"]);
});

Deno.test("withOriginals opens nothing where originals are in memory, and says whom to ask", async () => {
  const settings = { SVC_STATELESS: "1", SVC_CCR_BACKEND: "memory" };
  for (const [name, value] of Object.entries(settings)) {
    const io = fakeIo({
      env: { HOME: "/home/a", SVC_PORT: "9", [name]: value },
      openOriginals: () => Promise.reject(new Error("opened")),
    });
    await assert.rejects(
      withOriginals(io, USE),
      (error: CliFailure) =>
        error instanceof CliFailure && error.exitCode === 1 &&
        error.message.includes(name) &&
        error.message.includes("http://127.0.0.1:9/v1/retrieve/"),
    );
  }
});

Deno.test("withOriginals names a setting that cannot be used, and warns of one that it does not know", async () => {
  const wrong = fakeIo({ env: { HOME: "/a", SVC_PORT: "x" } });
  await assert.rejects(
    withOriginals(wrong, USE),
    (error: CliFailure) =>
      error.exitCode === 2 && error.message.includes("SVC_PORT"),
  );
  const unknown = fakeIo({ env: { HOME: "/a", SVC_WORKSPACE: "/w" } });
  await withOriginals(unknown, USE);
  assert.match(unknown.err(), /^Warning: .*SVC_WORKSPACE/);
});

Deno.test("withOriginals names a database that cannot be used", async () => {
  const io = fakeIo({
    openOriginals: () => Promise.reject(new Error("file is not a database")),
  });
  await assert.rejects(
    withOriginals(io, USE),
    /^CliFailure: Cannot use the database \/home\/a\/\.svc\/ccr_store\.db: file is not a database\. Stop the proxy, move the file away/,
  );
});

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
