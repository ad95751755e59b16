import assert from "node:assert/strict";
import { BodyBytes } from "../src/proxy/body_bytes.ts";
import type { AppIo } from "../src/core/app_io.ts";
import { openServices, type Services } from "../src/services.ts";
import { openRetriever, ownRoutes } from "../src/own_routes.ts";
import { makeCompression } from "../src/open_compression.ts";
import { requireToken } from "../src/proxy/gates/proxy_token.ts";
import { makeApp } from "../src/proxy/routes.ts";
import { type Config, resolveConfig } from "../src/settings/resolve.ts";
import type { TextValues } from "../src/settings/row.ts";
import { entryOf } from "./ccr/samples.ts";

const IO: AppIo = {
  clock: { now: () => 1_000_000, monotonic: () => 0 },
  send: () => assert.fail("nothing is sent"),
  log: () => {},
};

/** The proxy's own routes on parts of their own, for as long as `use` takes. */
async function withRoutes(
  env: TextValues,
  use: (routes: ReturnType<typeof routesOf>) => Promise<void>,
) {
  const config = resolveConfig({ env: { SVC_STATELESS: "1", ...env } });
  await using services = await openServices(config, IO);
  await use(routesOf(config, services));
}

function routesOf(config: Config, services: Services, io = IO) {
  const settled: string[] = [];
  const trust = { gateways: [], clients: [] };
  const surroundings = { ...services, clock: IO.clock, log: IO.log };
  const retriever = openRetriever(config, services, IO);
  const routes = ownRoutes(config, io, {
    services,
    compression: makeCompression(config, surroundings, services.memory),
    retriever,
    pricing: { priceOf: () => undefined },
    trust,
    bodies: new BodyBytes(1_000_000),
    settled: () => Promise.resolve(void settled.push("settled")),
  });
  const app = makeApp(routes, {
    gates: [requireToken({ token: config.trust.token, trust })],
    onError: (error) => assert.fail(String(error)),
  });
  const ask = async (
    [method, path]: readonly [string, string],
    headers: HeadersInit = {},
    address = "127.0.0.1",
  ) =>
    await app.request(`http://127.0.0.1:8787${path}`, {
      method,
      headers: { host: "127.0.0.1:8787", ...headers },
      ...method === "POST" && { body: "{}" },
    }, { peer: { address } });
  return { services, routes, retriever, settled, ask };
}

/** Routes that anybody may ask. */
const REPORTS =
  /^\/(|p\/:project|favicon\.ico|health|healthz|livez|readyz|stats|stats-lifetime|stats-history|stats-range|metrics|dashboard|\.well-known\/\*)$/;

Deno.test("ownRoutes has a gate for the caller and one for the origin on every route but the reports", () =>
  // deno-lint-ignore require-await
  withRoutes({}, async ({ routes }) => {
    const guarded = routes.filter(({ path }) => !REPORTS.test(path));
    assert.ok(guarded.length > 15, `${guarded.length}`);
    for (const { path, gates } of guarded) {
      // A link on another page may lead to the settings.
      const least = path === "/dashboard/settings" ? 1 : 2;
      assert.ok((gates?.length ?? 0) >= least, path);
    }
  }));

Deno.test("ownRoutes answers for the store before it takes a word for a hash", () =>
  withRoutes({}, async ({ ask }) => {
    const response = await ask(["GET", "/v1/retrieve/stats"]);
    assert.equal(response.status, 200);
    assert.ok("store" in await response.json());
  }));

Deno.test("ownRoutes reports to all, after every ended request is counted", () =>
  withRoutes({}, async ({ ask, settled }) => {
    for (const path of ["/health", "/livez", "/readyz"]) {
      assert.equal((await ask(["GET", path], {}, "203.0.113.9")).status, 200);
    }
    assert.deepEqual(settled, []);
    const page = await ask(["GET", "/dashboard"], {}, "203.0.113.9");
    assert.match(await page.text(), /^<!doctype html>/i);
    const stats = await (await ask(["GET", "/stats"])).json();
    assert.equal(stats.cache.entries, 0);
    assert.ok("mcp" in stats.summary);
    assert.deepEqual(settled, ["settled"]);
    const metrics = await ask(["GET", "/metrics"]);
    assert.match(await metrics.text(), /^# HELP /);
    assert.deepEqual(settled, ["settled", "settled"]);
  }));

Deno.test("ownRoutes says of a response cache that is off that there is none", () =>
  withRoutes({ SVC_CACHE_ENABLED: "0" }, async ({ ask }) => {
    assert.equal((await (await ask(["GET", "/stats"])).json()).cache, null);
  }));

Deno.test("ownRoutes names what health depends on", () =>
  withRoutes({}, async ({ ask }) => {
    const { checks } = await (await ask(["GET", "/health"])).json();
    assert.deepEqual(Object.keys(checks), ["ccr_store", "ledger"]);
    assert.equal(checks.ledger.backend, "memory");
  }));

Deno.test("ownRoutes tells a launcher on this machine, and nobody else, what runs and in which process", () =>
  withRoutes({}, async ({ ask }) => {
    const health = ["GET", "/health"] as const;
    const { config } = await (await ask(health)).json();
    assert.equal(config.pid, Deno.pid);
    assert.equal(config.mode, "cache");
    assert.equal(config.stateless, true);
    assert.equal(config.runtime_env.SVC_VERBOSITY_LEVEL, null);
    const remote = await (await ask(health, {}, "203.0.113.9")).json();
    assert.equal("config" in remote, false);
    const rebound = await ask(health, { host: "evil.test:8787" });
    assert.equal("config" in await rebound.json(), false);
  }));

Deno.test("ownRoutes counts the time since the start also after the settings were read again", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  await using services = await openServices(config, IO);
  const later: AppIo = {
    ...IO,
    clock: { ...IO.clock, monotonic: () => 61_900 },
  };
  const { ask } = routesOf(config, services, later);
  const { uptime_seconds: uptime } = await (await ask(["GET", "/health"]))
    .json();
  assert.equal(uptime, 61);
});

Deno.test("ownRoutes has no login at well-known addresses", () =>
  withRoutes({}, async ({ ask }) => {
    const path = "/.well-known/oauth-protected-resource/mcp";
    assert.equal((await ask(["GET", path])).status, 404);
  }));

Deno.test("openRetriever cuts parts out of short and long originals alike, and counts what it gives back", () =>
  withRoutes({}, async ({ services, retriever }) => {
    for (const lines of [100, 10_000]) {
      const original = Array.from(
        { length: lines },
        (_, i) => `${lines} line ${i + 1}`,
      ).join("\n");
      const entry = entryOf(original, 1_000_000);
      await services.store.write({ now: 1_000_000, entries: [entry] });
      const wanted = { hash: entry.key, lines: "7" };
      const given = await retriever.give(wanted, "http");
      assert.ok(given.success);
      assert.equal(given.data.original_content, `${lines} line 7\n`);
    }
    assert.equal(services.ledger.report().retrievals.total, 2);
  }));
