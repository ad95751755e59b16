import assert from "node:assert/strict";
import type { AppIo } from "../src/core/app_io.ts";
import { openServices } from "../src/services.ts";
import { costOf, RECORD } from "./ledger/samples.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import { inTempDir } from "./temp_dir.ts";

const SMALL_LENGTH = 32 * 1024;

const IO: AppIo = {
  clock: { now: () => 1_000_000, monotonic: () => 0 },
  send: () => assert.fail("nothing is sent"),
  log: (_, event, f) => assert.fail(event + JSON.stringify(f)),
};

const names = (path: string) =>
  [...Deno.readDirSync(path)].map(({ name }) => name).sort();

Deno.test("openServices keeps originals and requests in files of the workspace, and closes them whole", () =>
  inTempDir(async (workspace) => {
    const config = resolveConfig({
      env: { SVC_WORKSPACE_DIR: workspace, SVC_BUDGET: "2" },
    });
    {
      await using services = await openServices(config, IO);
      assert.equal(services.store.stats().backend, "sqlite");
      assert.equal(services.ledger.state().backend, "sqlite");
      assert.deepEqual(services.ledger.budget?.state().budget, config.budget);
      assert.equal(services.ledger.limits, undefined, "a process of its own");
    }
    assert.deepEqual(names(workspace), ["ccr_store.db", "ledger.db"]);
  }));

Deno.test("openServices shares limits where several processes take requests", () =>
  inTempDir(async (workspace) => {
    const config = resolveConfig({ env: { SVC_WORKSPACE_DIR: workspace } });
    const share = { run: "r", pid: 77, slot: 0 };
    await using services = await openServices(config, { ...IO, share });
    assert.notEqual(services.ledger.limits, undefined);
    assert.equal(services.pid, 77);
  }));

Deno.test("openServices learns how long prompts are held where that is asked for, from the ledger", () =>
  inTempDir(async (workspace) => {
    const minute = 60_000;
    const turn = (i: number) => ({
      ...{ ...RECORD, id: `r${i}`, at: 7 * i * minute, conversation: "c" },
      usage: { input: 1, cacheRead: 2000 * (i - 1), cacheWrite: 2000 },
      cost: costOf(1),
    });
    for (const isOn of ["0", "1"]) {
      const config = resolveConfig({
        env: { SVC_WORKSPACE_DIR: workspace, SVC_CACHE_TTL_LEARN: isOn },
      });
      {
        await using services = await openServices(config, IO);
        for (const i of [1, 2, 3, 4]) {
          services.ledger.record({ ...turn(i), id: `${isOn}-${i}` });
        }
      }
      const files = names(workspace).filter((name) => /^cache_ttl/.test(name));
      assert.equal(files.includes("cache_ttl_learned.json"), isOn === "1");
      assert.equal(
        files.includes("cache_ttl_observations.jsonl"),
        isOn === "1",
      );
    }
    const config = resolveConfig({
      env: { SVC_WORKSPACE_DIR: workspace, SVC_CACHE_TTL_LEARN: "1" },
    });
    await using services = await openServices(config, IO);
    const { provider, model } = RECORD;
    assert.equal(
      services.memory.cacheLives.longest(provider, model, 5 * minute),
      7 * minute,
    );
  }));

Deno.test("openServices writes nothing when stateless", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  assert.equal(config.paths, undefined);
  await using services = await openServices(config, IO);
  assert.equal(services.store.stats().backend, "memory");
  assert.equal(services.ledger.state().backend, "memory");
  assert.equal(services.ledger.budget, undefined);
});

Deno.test("openServices cuts, decides and counts", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  await using services = await openServices(config, IO);
  const cut = await services.compute.cut(
    { original: "a\nb\nc", strategy: "log", toolName: "" },
    { lines: "2" },
  );
  assert.equal(cut.ok && cut.content, "b\n");
});

Deno.test("openServices ends the worker with the rest: what it was doing fails", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  const services = await openServices(config, IO);
  const original = "a line\n".repeat(SMALL_LENGTH / 7 + 1);
  const entry = { original, strategy: "log", toolName: "" };
  const pending = services.compute.cut(entry, { lines: "2" });
  await services[Symbol.asyncDispose]();
  assert.equal((await pending).ok, false);
});

Deno.test("openServices cuts off what is under way when it ends", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  const services = await openServices(config, IO);
  const call = services.calls.begin(new Request("http://x"), {});
  call.signal.addEventListener("abort", call.recorded);
  await services[Symbol.asyncDispose]();
  assert.equal(call.signal.aborted, true);
});

Deno.test("openServices keeps betas as configured", async () => {
  const config = resolveConfig({
    env: { SVC_STATELESS: "1", SVC_BETA_HEADER_STICKY: "on" },
  });
  await using services = await openServices(config, IO);
  assert.throws(
    () =>
      services.betas.betasFor({
        header: "b",
        headers: new Headers(),
        model: "",
        body: new Uint8Array(),
        conversation: undefined,
      }),
    /SVC_BETA_HEADER_STICKY/,
  );
});
