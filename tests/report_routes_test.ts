import assert from "node:assert/strict";
import type { AppIo } from "../src/core/app_io.ts";
import { openServices } from "../src/services.ts";
import { makeApp } from "../src/proxy/routes.ts";
import { reportRoutes } from "../src/report_routes.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import type { TextValues } from "../src/settings/row.ts";
import { recordWith } from "./proxy/call_parts.ts";

const IO: AppIo = {
  clock: { now: () => 1_700_000_000_000, monotonic: () => 0 },
  send: () => assert.fail("nothing is sent"),
  log: () => {},
};

const ENTRY = recordWith({
  id: "r1",
  at: 1_700_000_000_000,
  status: 200,
  model: "claude-sonnet-4-5",
  conversation: "c0ffee",
  project: "secret-project",
  tokensBefore: 900,
  tokensAfter: 200,
  savedTokens: { fresh: 700, kept: 0, addedFresh: 0, addedKept: 0 },
});

/** The routes on parts of their own, with one request counted. */
async function withReports(
  env: TextValues,
  use: (
    ask: (path: string, peer?: string, method?: string) => Promise<Response>,
  ) => Promise<void>,
) {
  const config = resolveConfig({ env: { SVC_STATELESS: "1", ...env } });
  await using services = await openServices(config, IO);
  services.ledger.record(ENTRY);
  const routes = reportRoutes(config, IO, {
    services,
    pricing: { priceOf: () => undefined },
    trust: { gateways: [], clients: [] },
    settled: () => services.ledger.flush(),
  });
  const app = makeApp(routes, {
    gates: [],
    onError: (error) => assert.fail(String(error)),
  });
  await use(async (path, address = "127.0.0.1", method = "GET") =>
    await app.request(`http://127.0.0.1:8787${path}`, {
      method,
      headers: { host: "127.0.0.1:8787" },
    }, { peer: { address } })
  );
}

Deno.test("reports agree on what was saved, and strangers learn no name", () =>
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

Deno.test("a reset empties the counts of this run at once, and leaves what is kept", () =>
  withReports({}, async (ask) => {
    const poll = async () => (await (await ask("/stats?cached=1")).json());
    assert.equal((await poll()).requests.total, 1);
    const reset = await ask("/stats/reset", "127.0.0.1", "POST");
    assert.deepEqual(await reset.json(), { status: "reset" });
    const stats = await poll();
    assert.equal(stats.requests.total, 0);
    assert.equal(stats.persistent_savings.lifetime.requests, 1);
  }));

Deno.test("conversations are shown to this machine only", () =>
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

Deno.test("the feed and the inspector show requests to this machine only", () =>
  withReports({}, async (ask) => {
    const feed = await (await ask("/transformations/feed")).json();
    assert.equal(feed.transformations[0].request_id, "r1");
    assert.equal(feed.transformations[0].request_messages, null);
    assert.equal((await (await ask("/transformations/r1")).json()).status, 200);
    for (const path of ["/transformations/feed", "/transformations/r1"]) {
      assert.equal((await ask(path, "203.0.113.9")).status, 404);
    }
  }));

Deno.test("settings in the report hold no secret", () =>
  withReports({
    MSG_TARGET_API_HEADERS: '{"x-key":"sesame"}',
    SVC_PROXY_TOKEN: "0123456789abcdef",
  }, async (ask) => {
    const text = await (await ask("/stats")).text();
    assert.doesNotMatch(text, /sesame|0123456789abcdef/);
    const { config } = JSON.parse(text);
    assert.equal(config.mode, "cache");
    assert.equal(config.rollout_channel, "stable");
  }));
