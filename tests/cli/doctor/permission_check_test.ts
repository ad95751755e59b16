import assert from "node:assert/strict";
import { checkPermissions } from "../../../src/cli/doctor/permission_check.ts";
import type { FileFacts } from "../../../src/cli/doctor/machine.ts";
import { fileOf, foundIn, type WorldParts } from "./world.ts";

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
