/** What callers from elsewhere learn from the open routes: sums, no names. */
import assert from "node:assert/strict";
import { printed } from "./bodies.ts";
import { bodyFor, GENERATIONS } from "./world.ts";
import { LOCAL } from "./gated_app.ts";
import { openApp } from "../../src/app.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const PATHS = [
  "/stats",
  "/stats?cached=1",
  "/stats-lifetime",
  "/stats-history",
  "/stats-history?history_mode=full",
  "/stats-history?format=csv",
  "/stats-history?format=csv&series=hourly",
  "/metrics",
  "/health",
  "/readyz",
  "/dashboard",
];
/** Routes that are not there for strangers. */
const HIDDEN = [
  "/settings",
  "/settings/schema",
  "/dashboard/settings",
  "/transformations/feed",
  "/admin/upstream",
];
/** Names that a request brings with it, and where it goes. */
const NAMES = /sekret-|claude-|"upstreams?"|request_id|"messages"/;

const [route] = GENERATIONS;

Deno.test("67: callers from other machines see no request, setting, project, stack, client or model; those of a trusted network do", async () => {
  const config = resolveConfig({
    env: {
      SVC_STATELESS: "true",
      SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS: "10.1.0.0/16",
    },
  });
  const app = await openApp(config, {
    clock: { now: () => 1_800_000_000_000, monotonic: () => 0 },
    send: () =>
      Promise.resolve(
        Response.json({ usage: { input_tokens: 9, output_tokens: 1 } }),
      ),
    log: () => {},
  });
  const ask = async (path: string, address: string, host: string) => {
    const request = new Request(`http://127.0.0.1:8787${path}`, {
      headers: { host },
    });
    const response = await app.fetch(request, { peer: { address } });
    return { status: response.status, text: await response.text() };
  };
  try {
    const request = new Request("http://127.0.0.1:8787/v1/messages", {
      method: "POST",
      headers: {
        host: LOCAL.host,
        "content-type": "application/json",
        "x-svc-project": "sekret-project",
        "x-svc-stack": "sekret-stack",
        "user-agent": "sekret-agent/1",
      },
      body: bodyFor(route!, printed("x"), 1) as BodyInit,
    });
    const peer = { address: LOCAL.peer };
    await (await app.fetch(request, { peer })).bytes();
    for (
      const [address, host] of [
        ["203.0.113.9", "127.0.0.1:8787"],
        ["10.2.0.1", "10.1.0.1:8787"],
        ["10.1.2.3", "rebound.example"],
        ["127.0.0.1", "rebound.example"],
      ] as const
    ) {
      for (const path of PATHS) {
        const { status, text } = await ask(path, address, host);
        assert.equal(status, 200, path);
        if (path !== "/dashboard") assert.doesNotMatch(text, NAMES, path);
      }
      for (const path of HIDDEN) {
        assert.equal((await ask(path, address, host)).status, 404, path);
      }
    }
    const stats = await ask("/stats", "203.0.113.9", "127.0.0.1:8787");
    const { recent_requests, request_logs, config, requests } = JSON.parse(
      stats.text,
    );
    assert.deepEqual([recent_requests, request_logs, config], [
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(requests.total, 1);
    for (
      const [address, host] of [
        ["10.1.2.3", "10.1.0.1:8787"],
        ["127.0.0.1", "127.0.0.1:8787"],
      ] as const
    ) {
      const { text } = await ask("/stats", address, host);
      const trusted = JSON.parse(text);
      assert.equal(trusted.recent_requests[0].project, "sekret-project");
      assert.equal(trusted.request_logs.length, 1);
      assert.equal(typeof trusted.config, "object");
      assert.equal(trusted.requests.by_agent["sekret-agent"], 1);
      assert.equal((await ask("/settings", address, host)).status, 200);
    }
    // Texts are for this machine only.
    const feed = "/transformations/feed";
    assert.equal((await ask(feed, "10.1.2.3", "10.1.0.1")).status, 404);
    assert.equal((await ask(feed, "127.0.0.1", "127.0.0.1")).status, 200);
  } finally {
    await app.close();
  }
});
