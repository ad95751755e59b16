import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { inHome, WORKSPACE } from "../uninstall/home.ts";

Deno.test("svc uninstall --dry-run lists and removes nothing", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const io = home.io();
    assert.equal(await runCli(["uninstall", "--dry-run"], io), 0, io.err());
    assert.match(io.out(), /ledger of requests/);
    assert.equal((await home.all()).length, Object.keys(WORKSPACE).length);
  });
});

Deno.test("svc uninstall --yes removes without a question, -y too", async () => {
  for (const flag of ["--yes", "-y"]) {
    await inHome(async (home) => {
      await home.write(WORKSPACE);
      const io = home.io();
      assert.equal(await runCli(["uninstall", flag], io), 0, io.err());
      assert.deepEqual(await home.all(), []);
    });
  }
});

Deno.test("svc uninstall --keep-data leaves the ledger", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const args = ["uninstall", "--yes", "--keep-data"];
    assert.equal(await runCli(args, home.io()), 0);
    assert((await home.all()).includes(".svc/ledger.db"));
  });
});

Deno.test("svc uninstall is proposed to who types nearly that, and removes nothing then", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    for (const args of [["uninstal"], ["uninstall", "--dryrun"]]) {
      const io = home.io();
      assert.equal(await runCli(args, io), 2);
      assert.match(io.err(), /Did you mean (uninstall|--dry-run)\?/);
    }
    assert.equal((await home.all()).length, Object.keys(WORKSPACE).length);
  });
});

Deno.test("svc uninstall --help says what it removes, and its exit codes", async () => {
  await inHome(async (home) => {
    const io = home.io();
    assert.equal(await runCli(["uninstall", "--help"], io), 0);
    assert.match(io.out(), /SVC_WORKSPACE_DIR/);
    assert.match(io.out(), /Exit codes: 0/);
  });
});
