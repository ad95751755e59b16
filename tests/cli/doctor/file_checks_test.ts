import assert from "node:assert/strict";
import {
  checkLedger,
  checkOriginals,
  checkPermissions,
} from "../../../src/cli/doctor/file_checks.ts";
import { checkCases, fileOf, HEALTH } from "./world.ts";
import type { FileFacts, Machine } from "../../../src/cli/doctor/machine.ts";

const STORE = "/home/a/.svc/ccr_store.db";
const LEDGER = "/home/a/.svc/ledger.db";
const FILES = {
  [STORE]: fileOf({ size: 2_000_000 }),
  [`${STORE}-wal`]: fileOf({ size: 500_000 }),
  [LEDGER]: fileOf(),
};
const originals = (...cases: Parameters<typeof checkCases>[1]) =>
  checkCases(
    checkOriginals,
    cases.map(([parts, ...rest]) => [{ files: FILES, ...parts }, ...rest]),
  );
const ledger = (...cases: Parameters<typeof checkCases>[1]) =>
  checkCases(
    checkLedger,
    cases.map((
      [parts, ...rest],
    ) => [{ files: FILES, requests: [], ...parts }, ...rest]),
  );

Deno.test("checkOriginals and checkLedger pass for files that are whole and writable", async () => {
  await originals([{}, "pass", `${STORE}, 2.50 MB, intact, writable`]);
  await ledger([{}, "pass"]);
});

Deno.test("checkOriginals fails for a damaged file, one that is no database, and one that is not writable", async () => {
  const says = (machine: Partial<Machine>) => ({ machine });
  const damage = (found: Promise<string>) => says({ damage: () => found });
  await originals(
    [
      damage(Promise.resolve("row 5 missing from index i")),
      "fail",
      /is damaged: row 5 missing/,
    ],
    [
      says({ damage: () => Promise.reject(new Error("not a database")) }),
      "fail",
      /is damaged: not a database/,
    ],
    [
      says({ isWritable: (path) => Promise.resolve(path === STORE) }),
      "fail",
      "/home/a/.svc is not writable",
    ],
  );
});

Deno.test("checkOriginals does not call a file damaged that may not be read", async () => {
  const denied = new Deno.errors.NotCapable(
    'Requires read access to "/a", run again with the --allow-read flag',
  );
  const machine = { damage: () => Promise.reject(denied) };
  await assert.rejects(originals([{ machine }, "fail"]), denied);
});

Deno.test("checkOriginals does not read a huge file through", async () => {
  await originals([
    {
      files: { [STORE]: fileOf({ size: 2 ** 30 }) },
      machine: { damage: () => Promise.reject(new Error("read")) },
    },
    "pass",
    /too large to be checked/,
  ]);
});

/** Answers of a proxy whose originals are in memory. */
function running(degraded: boolean) {
  const store = { status: "healthy", backend: "memory", degraded };
  return { "/health": { ...HEALTH, checks: { ccr_store: store } } };
}

Deno.test("checkOriginals warns of a full disk, and of a proxy that uses memory or had to", async () => {
  const freeBytes = () => Promise.resolve(1_000_000);
  await originals(
    [{ machine: { freeBytes } }, "warn", /1\.00 MB left on the disk/],
    [
      { answers: running(false) },
      "warn",
      /^the running proxy keeps originals in memory/,
    ],
    [
      { answers: running(true) },
      "fail",
      `the running proxy cannot use ${STORE}`,
    ],
  );
});

Deno.test("checkOriginals and checkLedger skip what is not there or not wanted", async () => {
  const stateless = { env: { SVC_STATELESS: "1" } };
  const memory = { env: { SVC_CCR_BACKEND: "memory" } };
  await originals(
    [{ files: {} }, "skip"],
    [stateless, "skip"],
    [memory, "skip", /SVC_CCR_BACKEND is memory/],
  );
  await ledger([stateless, "skip"]);
});

Deno.test("checkLedger fails for a whole file that this version cannot read", async () => {
  const openLedger = () => Promise.reject(new Error("its schema 9 is newer"));
  await ledger([{ io: { openLedger } }, "fail", "its schema 9 is newer"]);
});

const WORKSPACE = "/home/a/.svc";
const SETTINGS = `${WORKSPACE}/settings.json`;
const closed = fileOf({ mode: 0o700 });
const open = fileOf({ mode: 0o755 });

Deno.test("checkPermissions passes for what only this user can reach, and warns or fails by what others may do", async () => {
  const files = (files: Record<string, FileFacts>) => ({ files });
  const workspace = files({ [WORKSPACE]: closed });
  await checkCases(checkPermissions, [
    [
      // Readable, but behind a closed door.
      files({ [WORKSPACE]: closed, [SETTINGS]: fileOf({ mode: 0o644 }) }),
      "pass",
      /^2 files and directories, which only you/,
    ],
    [
      files({ [WORKSPACE]: open, [SETTINGS]: fileOf() }),
      "warn",
      `others may read ${WORKSPACE} (0755)`,
    ],
    [
      files({ [WORKSPACE]: open, [SETTINGS]: fileOf({ mode: 0o666 }) }),
      "fail",
      `others may change ${SETTINGS} (0666)`,
    ],
    [
      files({ [WORKSPACE]: closed, [SETTINGS]: fileOf({ owner: 0 }) }),
      "warn",
      `${SETTINGS} belongs to user 0`,
    ],
    [{}, "skip"],
    [{ ...workspace, env: { SVC_STATELESS: "1" } }, "skip"],
    [{ ...workspace, machine: { userId: null } }, "skip"],
  ]);
});
