import assert from "node:assert/strict";
import { takeInventory } from "../../../src/cli/uninstall/inventory.ts";
import { inHome, WORKSPACE, world } from "./home.ts";

Deno.test("takeInventory looks at the workspace of a stateless shell too, and changes nothing", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const before = await home.all();
    const io = home.io({ env: { HOME: home.path, SVC_STATELESS: "1" } });
    const { findings, inUse } = await takeInventory(io, world());
    assert.equal(
      findings.items.flatMap(({ paths }) => paths).length,
      Object.keys(WORKSPACE).length,
    );
    assert.equal(inUse, undefined);
    assert.deepEqual(await home.all(), before);
  });
});

Deno.test("takeInventory works with settings that no proxy would start with", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const io = home.io({ env: { HOME: home.path, SVC_RPM: "many" } });
    assert((await takeInventory(io, world())).findings.items.length > 0);
  });
});

Deno.test("takeInventory finds nothing to remove without a home directory", async () => {
  await inHome(async (home) => {
    const io = home.io({ env: { HOME: "", TMPDIR: home.path } });
    const { findings, installs } = await takeInventory(io, world());
    assert.deepEqual(findings.items, []);
    assert.deepEqual(installs, []);
  });
});
