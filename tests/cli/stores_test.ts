import assert from "node:assert/strict";
import type { CliIo } from "../../src/cli/io.ts";
import { keepOriginals } from "../../src/cli/stores.ts";
import { fakeFiles, type FakeIo, fakeIo, refused, svc } from "./fake_io.ts";
import { originalsScene } from "./originals/kept_originals.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";
import type { CcrEntry, CcrStore } from "../../src/core/store.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { readerOf } from "./inspect/samples.ts";

const W = { SVC_WORKSPACE_DIR: "/w" };
const unusable = () => Promise.reject(new Error("file is not a database"));
const empty = () =>
  Promise.resolve({ reader: readerOf([]), [Symbol.dispose]: () => {} });

/** A world in which a proxy answers. */
function beside(
  config: object,
  ledger: object,
  parts: Partial<CliIo> = {},
): FakeIo {
  const bodies: Readonly<Record<string, object>> = {
    "/health": { service: "svc-proxy", config, checks: { ledger } },
    "/stats": { requests: { total: 12 } },
  };
  return fakeIo({
    env: W,
    ask: ({ pathname }) =>
      Promise.resolve({ status: 200, text: JSON.stringify(bodies[pathname]) }),
    ...parts,
  });
}

/** Why a ledger or originals cannot be looked at, by command. */
const REFUSALS: readonly (readonly [string, FakeIo, 1 | 2, RegExp])[] = [
  [
    "log",
    fakeIo({ env: { HOME: "/a", SVC_STATELESS: "1", SVC_PORT: "9000" } }),
    1,
    /SVC_STATELESS.*127\.0\.0\.1:9000\/dashboard.*9000\/transformations\/feed/,
  ],
  [
    "log",
    fakeIo({ env: W, openLedger: unusable }),
    1,
    /Cannot use the database \/w\/ledger\.db: file is not a database\. Stop the proxy, move the file away .*: it makes a new one\n$/,
  ],
  [
    "log",
    beside({ workspace: "/w" }, { backend: "memory", degraded: true }, {
      openLedger: unusable,
    }),
    1,
    /a new one\. The proxy at \S+:8787 cannot use its ledger and counts in memory: it has 12 requests/,
  ],
  ...["SVC_STATELESS", "SVC_CCR_BACKEND"].map((name) =>
    [
      "ccr list",
      fakeIo({
        env: {
          ...{ HOME: "/home/a", SVC_PORT: "9" },
          [name]: name === "SVC_STATELESS" ? "1" : "memory",
        },
        openOriginals: () => assert.fail("opened"),
      }),
      1,
      new RegExp(`${name}.*http://127\\.0\\.0\\.1:9/v1/retrieve/`),
    ] as const
  ),
  [
    "ccr list",
    fakeIo({ openOriginals: unusable }),
    1,
    /Cannot use the database \/home\/a\/\.svc\/ccr_store\.db: file is not a database\. Stop the proxy, move the file away/,
  ],
  ...["log", "ccr list"].map((line) =>
    [
      line,
      fakeIo({ env: { HOME: "/a", SVC_PORT: "x" } }),
      2,
      /SVC_PORT="x"/,
    ] as const
  ),
];

Deno.test("a ledger or originals that cannot be looked at are named, with what to do", async () => {
  for (const [line, io, exitCode, message] of REFUSALS) {
    await refused(line, io, [exitCode, message]);
  }
});

/** What is said where there are no requests. */
const NOTES: readonly (readonly [FakeIo, RegExp])[] = [
  [fakeIo({ env: W }), /no \/w\/ledger\.db\. Start svc proxy/],
  [
    beside({ workspace: null, stateless: true }, { backend: "memory" }),
    /there is no \/w\/ledger\.db\. The proxy at http:\/\/127\.0\.0\.1:8787 keeps nothing on disk: it has 12 requests, until it stops; see \S+\/dashboard, or curl \S+\/stats and/,
  ],
  [
    beside({ workspace: "/b" }, { backend: "sqlite" }, { openLedger: empty }),
    /yet\. The proxy at \S+ keeps its files in \/b: set SVC_WORKSPACE_DIR to that\n$/,
  ],
  [
    beside({ workspace: "/w" }, { backend: "sqlite" }, { openLedger: empty }),
    /^No requests in \/w\/ledger\.db yet\n$/,
  ],
];

Deno.test("where there are no requests, it is said what to do, and where a running proxy has its own", async () => {
  for (const [io, note] of NOTES) {
    assert.equal(await svc("log", io), 0);
    assert.match(io.err(), note);
  }
  const asked: string[] = [];
  const io = fakeIo({
    env: { ...W, SVC_PROT: "1" },
    files: fakeFiles(new Map([["/w/settings.json", '{"port": 9001}']])),
    ask(url) {
      asked.push(url.host);
      return Promise.resolve(undefined);
    },
  });
  await svc("log", io);
  // At the port that is stored.
  assert.deepEqual(asked, ["127.0.0.1:9001"]);
  assert.match(io.err(), /^Warning: SVC_PROT/);
});

Deno.test("originals are opened where the environment says, and closed, also after a failure", async () => {
  const { io, opened } = originalsScene();
  assert.equal(await svc("ccr list", io), 0);
  assert.deepEqual(opened, { times: 1, closed: 1 });
  await refused("ccr show abcdef", io, [1, /no original begins like that/]);
  assert.deepEqual(opened, { times: 2, closed: 2 });
  const paths: string[] = [];
  const other = fakeIo({
    env: { ...W, SVC_CCR_TTL_SECONDS: "5", SVC_WORKSPACE: "/w" },
    openOriginals: (path, config) => {
      paths.push(path);
      assert.equal(config.ccr.ttlSeconds, 5);
      return Promise.resolve(undefined);
    },
  });
  assert.equal(await svc("ccr list", other), 0);
  assert.deepEqual(paths, ["/w/ccr_store.db"]);
  assert.match(other.err(), /^Warning: SVC_WORKSPACE .*\n.*\/w\/ccr_store\.db/);
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
