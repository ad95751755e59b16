import assert from "node:assert/strict";
import {
  checkLedger,
  checkOriginals,
  checkPermissions,
} from "../../../src/cli/doctor/file_checks.ts";
import { fileOf, foundIn, HEALTH, type WorldParts } from "./world.ts";
import type { FileFacts } from "../../../src/cli/doctor/machine.ts";

const STORE = "/home/a/.svc/ccr_store.db";
const LEDGER = "/home/a/.svc/ledger.db";
const FILES = {
  [STORE]: fileOf({ size: 2_000_000 }),
  [`${STORE}-wal`]: fileOf({ size: 500_000 }),
  [LEDGER]: fileOf(),
};
const originals = async (parts: WorldParts) =>
  await checkOriginals(await foundIn({ files: FILES, ...parts }));
const ledger = async (parts: WorldParts) =>
  await checkLedger(await foundIn({ files: FILES, requests: [], ...parts }));

Deno.test("checkOriginals and checkLedger pass for files that are whole and writable", async () => {
  const { status, summary } = await originals({});
  assert.equal(status, "pass");
  assert.equal(summary, `${STORE}, 2.50 MB, intact, writable`);
  assert.equal((await ledger({})).status, "pass");
});

Deno.test("checkOriginals fails for a damaged file, one that is no database, and one that is not writable", async () => {
  const damaged = await originals({
    machine: { damage: () => Promise.resolve("row 5 missing from index i") },
  });
  assert.equal(damaged.status, "fail");
  assert.match(damaged.summary, /is damaged: row 5 missing/);
  const none = await originals({
    machine: { damage: () => Promise.reject(new Error("not a database")) },
  });
  assert.match(none.summary, /is damaged: not a database/);
  const closed = await originals({
    machine: { isWritable: (path) => Promise.resolve(path === STORE) },
  });
  assert.equal(closed.status, "fail");
  assert.equal(closed.summary, "/home/a/.svc is not writable");
});

Deno.test("checkOriginals does not call a file damaged that may not be read", async () => {
  const denied = new Deno.errors.NotCapable(
    'Requires read access to "/a", run again with the --allow-read flag',
  );
  await assert.rejects(
    originals({ machine: { damage: () => Promise.reject(denied) } }),
    denied,
  );
});

Deno.test("checkOriginals does not read a huge file through", async () => {
  const files = { [STORE]: fileOf({ size: 2 ** 30 }) };
  const { status, summary } = await originals({
    files,
    machine: { damage: () => Promise.reject(new Error("read")) },
  });
  assert.equal(status, "pass");
  assert.match(summary, /too large to be checked/);
});

Deno.test("checkOriginals warns of a full disk, and of a proxy that uses memory instead", async () => {
  const full = await originals({
    machine: { freeBytes: () => Promise.resolve(1_000_000) },
  });
  assert.equal(full.status, "warn");
  assert.match(full.summary, /1\.00 MB left on the disk/);
  const memory = await originals({ answers: running({ degraded: false }) });
  assert.equal(memory.status, "warn");
  assert.match(memory.summary, /^the running proxy keeps originals in memory/);
});

Deno.test("checkOriginals fails when the running proxy had to take memory instead of the file", async () => {
  const { status, summary } = await originals({
    answers: running({ degraded: true }),
  });
  assert.equal(status, "fail");
  assert.equal(summary, `the running proxy cannot use ${STORE}`);
});

/** Answers of a proxy whose originals are in memory. */
function running(parts: { readonly degraded: boolean }) {
  const store = { status: "healthy", backend: "memory", ...parts };
  return { "/health": { ...HEALTH, checks: { ccr_store: store } } };
}

Deno.test("checkOriginals and checkLedger skip what is not there or not wanted", async () => {
  assert.equal((await originals({ files: {} })).status, "skip");
  const env = { SVC_STATELESS: "1" };
  assert.equal((await originals({ env })).status, "skip");
  assert.equal((await ledger({ env })).status, "skip");
  const memory = await originals({ env: { SVC_CCR_BACKEND: "memory" } });
  assert.match(memory.summary, /SVC_CCR_BACKEND is memory/);
});

Deno.test("checkLedger fails for a whole file that this version cannot read", async () => {
  const openLedger = () => Promise.reject(new Error("its schema 9 is newer"));
  const { status, summary } = await ledger({ io: { openLedger } });
  assert.deepEqual([status, summary], ["fail", "its schema 9 is newer"]);
});

const WORKSPACE = "/home/a/.svc";
const SETTINGS = `${WORKSPACE}/settings.json`;
const check = async (
  files: Record<string, FileFacts>,
  parts: WorldParts = {},
) => await checkPermissions(await foundIn({ files, ...parts }));
const closed = fileOf({ mode: 0o700 });

Deno.test("checkPermissions passes for files that nobody else can reach", async () => {
  const { status, summary } = await check({
    [WORKSPACE]: closed,
    // Readable, but behind a closed door.
    [SETTINGS]: fileOf({ mode: 0o644 }),
  });
  assert.equal(status, "pass");
  assert.match(summary, /^2 files and directories, which only you/);
});

Deno.test("checkPermissions warns of files that others may read, and fails for those that they may change", async () => {
  const open = fileOf({ mode: 0o755 });
  const readable = await check({ [WORKSPACE]: open, [SETTINGS]: fileOf() });
  assert.equal(readable.status, "warn");
  assert.equal(readable.summary, `others may read ${WORKSPACE} (0755)`);
  const writable = await check({
    [WORKSPACE]: open,
    [SETTINGS]: fileOf({ mode: 0o666 }),
  });
  assert.equal(writable.status, "fail");
  assert.equal(writable.summary, `others may change ${SETTINGS} (0666)`);
});

Deno.test("checkPermissions warns of files of another user", async () => {
  const { status, summary } = await check({
    [WORKSPACE]: closed,
    [SETTINGS]: fileOf({ owner: 0 }),
  });
  assert.equal(status, "warn");
  assert.equal(summary, `${SETTINGS} belongs to user 0`);
});

Deno.test("checkPermissions skips where there are no files or no permissions", async () => {
  assert.equal((await check({})).status, "skip");
  const files = { [WORKSPACE]: closed };
  const env = { SVC_STATELESS: "1" };
  assert.equal((await check(files, { env })).status, "skip");
  const machine = { userId: null };
  assert.equal((await check(files, { machine })).status, "skip");
});
