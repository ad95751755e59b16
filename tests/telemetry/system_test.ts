import assert from "node:assert/strict";
import { join } from "node:path";
import { BUILD_FACTS } from "../../src/build_info.ts";
import { isCheckout, systemFacts } from "../../src/telemetry/system.ts";

Deno.test("systemFacts says system and processor, and one of the ways to install", () => {
  const { os, arch, installMode } = systemFacts();
  assert.deepEqual([os, arch], [Deno.build.os, Deno.build.arch]);
  assert(["source", "package"].includes(installMode));
});

Deno.test("systemFacts calls a self-extracting file a binary", () => {
  const world = globalThis as { [BUILD_FACTS]?: unknown };
  world[BUILD_FACTS] = { way: "self-extracting file", file: "/opt/svc" };
  try {
    assert.equal(systemFacts().installMode, "binary");
  } finally {
    delete world[BUILD_FACTS];
  }
});

Deno.test("isCheckout looks for a repository, also one of a worktree", async () => {
  const root = await Deno.makeTempDir();
  try {
    assert.equal(isCheckout(root), false);
    await Deno.writeTextFile(join(root, ".git"), "gitdir: elsewhere");
    assert.equal(isCheckout(root), true);
    assert.equal(isCheckout(join(root, "no")), false);
    assert.equal(isCheckout(join(root, ".git")), false);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test({
  name: "systemFacts needs no permission",
  permissions: "none",
  fn() {
    assert.equal(systemFacts().installMode, "package");
  },
});
