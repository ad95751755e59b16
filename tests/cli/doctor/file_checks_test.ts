import assert from "node:assert/strict";
import {
  checkLedger,
  checkOriginals,
  checkPermissions,
} from "../../../src/cli/doctor/file_checks.ts";
import type { Machine } from "../../../src/cli/doctor/machine.ts";
import { fileOf, foundIn, HEALTH, testCheck } from "./world.ts";

const STORE = "/home/a/.svc/ccr_store.db";
const LEDGER = "/home/a/.svc/ledger.db";
const files = {
  [STORE]: fileOf({ size: 2_000_000 }),
  [`${STORE}-wal`]: fileOf({ size: 500_000 }),
  [LEDGER]: fileOf(),
};
const stateless = { SVC_STATELESS: "1" };
const on = (machine: Partial<Machine>) => ({ files, machine });
const rejects = (message: string) => () => Promise.reject(new Error(message));

/** A proxy whose originals are in memory. */
function inMemory(degraded: boolean) {
  const store = { status: "healthy", backend: "memory", degraded };
  const health = { ...HEALTH, checks: { ccr_store: store } };
  return { files, answers: { "/health": health } };
}

testCheck("checkOriginals", checkOriginals, {
  "whole and writable": { files },
  "damaged": on({
    damage: () => Promise.resolve("row 5 missing from index i"),
  }),
  "no database": on({ damage: rejects("not a database") }),
  "a directory that is not writable": on({
    isWritable: (path) => Promise.resolve(path === STORE),
  }),
  "huge, which is not read through": {
    files: { [STORE]: fileOf({ size: 2 ** 30 }) },
    machine: { damage: rejects("read") },
  },
  "a full disk": on({ freeBytes: () => Promise.resolve(1_000_000) }),
  "a disk of unknown size": on({
    freeBytes: () => Promise.resolve(undefined),
  }),
  "a proxy that uses memory": inMemory(false),
  "a proxy that had to use memory": inMemory(true),
  "no file": {},
  "stateless": { files, env: stateless },
  "in memory": { files, env: { SVC_CCR_BACKEND: "memory" } },
});

Deno.test("checkOriginals does not call a file damaged that may not be read", async () => {
  const denied = new Deno.errors.NotCapable(
    'Requires read access to "/a", run again with the --allow-read flag',
  );
  const found = await foundIn(on({ damage: () => Promise.reject(denied) }));
  await assert.rejects(checkOriginals(found), denied);
});

testCheck("checkLedger", checkLedger, {
  "whole and writable": { files, requests: [] },
  "stateless": { files, requests: [], env: stateless },
  "of another version": {
    files,
    io: { openLedger: rejects("its schema 9 is newer") },
  },
  "of another version, and damaged": {
    ...on({ damage: rejects("not a database") }),
    io: { openLedger: rejects("its schema 9 is newer") },
  },
});

const WORKSPACE = "/home/a/.svc";
const SETTINGS = `${WORKSPACE}/settings.json`;
const closed = fileOf({ mode: 0o700 });
const open = fileOf({ mode: 0o755 });
const workspace = { [WORKSPACE]: closed };

testCheck("checkPermissions", checkPermissions, {
  "readable, but behind a closed door": {
    files: { ...workspace, [SETTINGS]: fileOf({ mode: 0o644 }) },
  },
  "others may read": { files: { [WORKSPACE]: open, [SETTINGS]: fileOf() } },
  "others may change": {
    files: { [WORKSPACE]: open, [SETTINGS]: fileOf({ mode: 0o666 }) },
  },
  "another user's": {
    files: { ...workspace, [SETTINGS]: fileOf({ owner: 0 }) },
  },
  "no files": {},
  "stateless": { files: workspace, env: stateless },
  "no permission bits": { files: workspace, machine: { userId: null } },
});
