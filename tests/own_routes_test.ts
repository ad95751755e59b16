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
import { recordWith } from "./proxy/call_parts.ts";
import { tempDir } from "./temp_dir.ts";

const NOW = 1_700_000_000_000;
const IO: AppIo = {
  clock: { now: () => NOW, monotonic: () => 0 },
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
    pricing: { priceOf: () => undefined, contextLimit: () => undefined },
    trust,
    bodies: new BodyBytes(1_000_000),
    settled: async () => {
      settled.push("settled");
      await services.ledger.flush();
    },
  });
  const app = makeApp(routes, {
    gates: [requireToken({ token: config.trust.token, trust })],
    onError: (error) => assert.fail(String(error)),
  });
  const ask = async (
    [method, path]: readonly [string, string],
    headers: HeadersInit = {},
    address = "127.0.0.1",
    body: unknown = {},
  ) =>
    await app.request(`http://127.0.0.1:8787${path}`, {
      method,
      headers: { host: "127.0.0.1:8787", ...headers },
      ...method === "POST" && { body: JSON.stringify(body) },
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
    assert.equal(config.runtime_env.SVC_VERBOSITY_LEVEL, 2);
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
      const entry = entryOf(original, NOW);
      await services.store.write({ now: NOW, entries: [entry] });
      const wanted = { hash: entry.key, lines: "7" };
      const given = await retriever.give(wanted, "http");
      assert.ok(given.success);
      assert.equal(given.data.original_content, `${lines} line 7\n`);
    }
    assert.equal(services.ledger.report().retrievals.total, 2);
  }));

Deno.test("ownRoutes says so where the proxy cannot read its settings again", () =>
  withRoutes({}, async ({ ask }) => {
    const response = await ask(["POST", "/settings/apply"]);
    assert.equal(response.status, 409);
    assert.match(await response.text(), /cannot read its settings again/);
  }));

Deno.test("ownRoutes stores no setting in a stateless proxy", async () => {
  await using temp = await tempDir();
  const workspace = temp.path;
  await withRoutes({ SVC_WORKSPACE_DIR: workspace }, async ({ ask }) => {
    const values = { values: { rpm: 60 } };
    const save = ["POST", "/settings"] as const;
    assert.equal((await ask(save, {}, undefined, values)).status, 409);
  });
  assert.deepEqual(await Array.fromAsync(Deno.readDir(workspace)), []);
});

Deno.test("ownRoutes shows where requests go, without credentials", () =>
  withRoutes({
    CHAT_TARGET_API_URL: "http://127.0.0.1:1/base",
  }, async ({ ask }) => {
    const body = await (await ask(["GET", "/admin/upstream"])).json();
    assert.equal(body.openai, "http://127.0.0.1:1/base");
  }));

const ENTRY = recordWith({
  id: "r1",
  at: NOW,
  status: 200,
  model: "claude-sonnet-4-5",
  conversation: "c0ffee",
  project: "secret-project",
  tokensBefore: 900,
  tokensAfter: 200,
  savedTokens: { fresh: 700, kept: 0, addedFresh: 0, addedKept: 0 },
});

/** The routes with one request counted. */
const withReports = (
  env: TextValues,
  use: (
    ask: (path: string, peer?: string, method?: string) => Promise<Response>,
  ) => Promise<void>,
) =>
  withRoutes(env, async ({ services, ask }) => {
    services.ledger.record(ENTRY);
    await use((path, address, method = "GET") =>
      ask([method, path], {}, address)
    );
  });

Deno.test("ownRoutes has reports that agree on what was saved, and strangers learn no name", () =>
  withReports({}, async (ask) => {
    const stats = await (await ask("/stats")).json();
    assert.equal(stats.tokens.saved, 700);
    assert.equal(stats.requests.by_project["secret-project"], 1);
    assert.equal(stats.recent_requests[0].request_id, "r1");
    assert.equal(stats.beacon.decided_by, "SVC_TELEMETRY_ENDPOINT");
    const lifetime = await (await ask("/stats-lifetime")).json();
    assert.equal(lifetime.tokens.saved, 700);
    const history = await (await ask("/stats-history")).json();
    assert.equal(history.lifetime.tokens_saved, 700);
    const csv = await ask("/stats-history?format=csv&series=daily");
    assert.match(await csv.text(), /,700,/);
    const range = "/stats-range?edges=0,1800000000000&by=project";
    const { total, by } = await (await ask(range)).json();
    assert.equal(total.tokens_saved, 700);
    assert.equal(by["secret-project"].requests, 1);
    const text = await (await ask("/metrics")).text();
    assert.match(text, /^svc_tokens_saved_total 700$/m);
    const paths = [
      "/stats",
      "/stats-lifetime",
      "/stats-history",
      range,
      "/metrics",
    ];
    for (const path of paths) {
      const shown = await (await ask(path, "203.0.113.9")).text();
      assert.doesNotMatch(shown, /secret-project|claude|"r1"/, path);
    }
  }));

Deno.test("ownRoutes has a reset that empties the counts of this run at once, and leaves what is kept", () =>
  withReports({}, async (ask) => {
    const poll = async () => (await (await ask("/stats?cached=1")).json());
    assert.equal((await poll()).requests.total, 1);
    const reset = await ask("/stats/reset", "127.0.0.1", "POST");
    assert.deepEqual(await reset.json(), { status: "reset" });
    const stats = await poll();
    assert.equal(stats.requests.total, 0);
    assert.equal(stats.persistent_savings.lifetime.requests, 1);
  }));

Deno.test("ownRoutes shows conversations to this machine only", () =>
  withReports({}, async (ask) => {
    const body = await (await ask("/stats-conversations")).json();
    const [row] = body.conversations;
    assert.deepEqual([row.conversation, row.tokens_saved], ["c0ffee", 700]);
    const path = "/transformations/feed?conversation=c0ffee";
    const { transformations } = await (await ask(path)).json();
    assert.equal(transformations[0].request_id, "r1");
    const stranger = await ask("/stats-conversations", "203.0.113.9");
    assert.equal(stranger.status, 404);
  }));
