import assert from "node:assert/strict";
import { join } from "node:path";
import { denoSystem } from "../../../src/cli/wrap/system.ts";
import { freePort } from "../../e2e/proxy_process.ts";
import { until } from "../../e2e/proxy_process.ts";
import { test } from "../uninstall/home.ts";

const system = denoSystem();

test("hold marks a file until it is released", async ({ path }) => {
  const file = join(path, "wraps/1-2.lease");
  assert.equal(await system.isHeld(file), false);
  const held = await system.hold(file, "mine");
  assert.equal(await system.isHeld(file), true);
  assert.equal(await Deno.readTextFile(file), "mine");
  await held.release();
  assert.equal(await system.isHeld(file), false);
  await assert.rejects(Deno.stat(file), { code: "ENOENT" });
  await Deno.writeTextFile(file, "what a killed program left");
  assert.equal(await system.isHeld(file), false);
});

test("findProgram gives the first file of PATH that can be run", async (home) => {
  await home.write({ "a/agent": "", "b/agent": "", "c/agent/x": "" });
  const PATH = ["c", "a", "b"].map((name) => join(home.path, name)).join(":");
  await Deno.chmod(join(home.path, "b/agent"), 0o755);
  const found = await system.findProgram("agent", { PATH });
  assert.equal(found, join(home.path, "b/agent"));
  assert.equal(await system.findProgram("other", { PATH }), undefined);
  assert.equal(await system.findProgram("agent", {}), undefined);
});

Deno.test("startBackground starts a session of its own, and askToEnd ends it", async () => {
  const background = system.startBackground({
    command: [
      ...["/bin/sh", "-c"],
      "ps -o sid= -p $$ >&2; while :; do sleep 0.1; done",
    ],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
  });
  const { pid } = background;
  try {
    await until(() => background.said().includes("\n"), "its session");
    assert.equal(Number(background.said()), pid);
    assert.equal(background.hasEnded(), false);
    background.letGo();
    assert.ok(await system.isRunning(pid));
  } finally {
    system.askToEnd(pid);
  }
  await until(async () => !await system.isRunning(pid), "its end");
  system.askToEnd(pid);
});

Deno.test("isFree is false while something listens", () => {
  const port = freePort();
  assert.ok(system.isFree("127.0.0.1", port));
  using _listener = Deno.listen({ hostname: "127.0.0.1", port });
  assert.ok(!system.isFree("127.0.0.1", port));
});
