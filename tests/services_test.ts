import assert from "node:assert/strict";
import type { AppIo } from "../src/app_io.ts";
import { openLiving } from "../src/living.ts";
import { SMALL_LENGTH } from "../src/compute/open_compute.ts";
import { resolveConfig } from "../src/settings/resolve.ts";

const IO: AppIo = {
  clock: { now: () => 1_000_000, monotonic: () => 0 },
  send: () => assert.fail("nothing is sent"),
  log: (_, event) => assert.fail(event),
};

/** A directory of its own for as long as `use` takes. */
async function withDirectory(use: (path: string) => Promise<void>) {
  const path = await Deno.makeTempDir();
  try {
    await use(path);
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

const names = (path: string) =>
  [...Deno.readDirSync(path)].map(({ name }) => name).sort();

Deno.test("openLiving keeps originals and requests in files of the workspace, and closes them whole", () =>
  withDirectory(async (workspace) => {
    const config = resolveConfig({
      env: { SVC_WORKSPACE_DIR: workspace, SVC_BUDGET: "2" },
    });
    {
      await using living = await openLiving(config, IO);
      assert.equal(living.store.stats().backend, "sqlite");
      assert.equal(living.ledger.state().backend, "sqlite");
      assert.deepEqual(living.ledger.budget?.state().budget, config.budget);
      assert.equal(living.ledger.limits, undefined, "a process of its own");
    }
    assert.deepEqual(names(workspace), ["ccr_store.db", "ledger.db"]);
  }));

Deno.test("openLiving shares limits where several processes take requests", () =>
  withDirectory(async (workspace) => {
    const config = resolveConfig({ env: { SVC_WORKSPACE_DIR: workspace } });
    const share = { run: "r", pid: 77, slot: 0 };
    await using living = await openLiving(config, { ...IO, share });
    assert.notEqual(living.ledger.limits, undefined);
    assert.equal(living.pid, 77);
  }));

Deno.test("openLiving writes nothing when stateless", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  assert.equal(config.paths, undefined);
  await using living = await openLiving(config, IO);
  assert.equal(living.store.stats().backend, "memory");
  assert.equal(living.ledger.state().backend, "memory");
  assert.equal(living.ledger.budget, undefined);
});

Deno.test("openLiving cuts, decides and counts", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  await using living = await openLiving(config, IO);
  const cut = await living.compute.cut(
    { original: "a\nb\nc", strategy: "log", toolName: "" },
    { lines: "2" },
  );
  assert.equal(cut.ok && cut.content, "b\n");
});

Deno.test("openLiving ends the worker with the rest: what it was doing fails", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  const living = await openLiving(config, IO);
  const original = "a line\n".repeat(SMALL_LENGTH / 7 + 1);
  const entry = { original, strategy: "log", toolName: "" };
  const pending = living.compute.cut(entry, { lines: "2" });
  await living[Symbol.asyncDispose]();
  assert.equal((await pending).ok, false);
});

Deno.test("openLiving cuts off what is under way when it ends", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  const living = await openLiving(config, IO);
  const call = living.calls.begin(new Request("http://x"), {});
  call.signal.addEventListener("abort", call.recorded);
  await living[Symbol.asyncDispose]();
  assert.equal(call.signal.aborted, true);
});

Deno.test("openLiving keeps betas as configured", async () => {
  const config = resolveConfig({
    env: { SVC_STATELESS: "1", SVC_BETA_HEADER_STICKY: "on" },
  });
  await using living = await openLiving(config, IO);
  assert.throws(
    () =>
      living.betas.betasFor({
        header: "b",
        headers: new Headers(),
        model: "",
        body: new Uint8Array(),
        conversation: undefined,
      }),
    /SVC_BETA_HEADER_STICKY/,
  );
});
