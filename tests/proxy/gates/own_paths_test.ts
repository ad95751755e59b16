import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  isOwnPath,
  refuseOwnPaths,
} from "../../../src/proxy/gates/own_paths.ts";

Deno.test("isOwnPath knows own paths in every spelling, and no others", () => {
  for (
    const path of [
      "/mcp",
      "/mcp/",
      "//mcp",
      "/MCP/x",
      "/v1/compress/",
      "/v1//compress",
      "/v1/x/../compress",
      "/v1/retrieve/stats/",
      "/v1/retrieve",
      "/%6dcp",
      "/%6dcp/%ff",
      "/cache/clear",
      "/cache//Clear/",
      "/p/shop/v1/retrieve/",
      "/stats/reset/",
      "/Admin/upstream",
      "/settings/apply/",
      "/transformations/feed/",
      "/dashboard/settings/",
      "/debug/memory",
      "/v1/telemetry/import",
      "/v1/feedback",
      "/v1/toin/stats",
      "/stats/",
      "/stats/foo",
      "/Stats",
      "//stats",
      "/%73tats",
      "/stats-range/x",
      "/stats-history/",
      "/stats-lifetime/",
      "/stats-conversations/x",
      "/metrics/",
      "/health/",
      "/healthz/x",
      "/livez/x",
      "/readyz",
      "/dashboard/x",
      "/DASHBOARD",
      "/cache",
      "/favicon.ico/",
      "//.well-known/x",
      "/.WELL-KNOWN/x",
    ]
  ) assert.equal(isOwnPath(`http://h${path}`), true, path);
  for (
    const path of [
      "/",
      "/mcpx",
      "/v1/mcp",
      "/v1/messages",
      "/v1/compression",
      "/x/v1/retrieve",
      "/%zz",
      "/v1/cache/clear",
      "/v1/stats",
      "/statsx",
      "/stats-other",
      "/healthy",
      "/faviconxico",
    ]
  ) assert.equal(isOwnPath(`http://h${path}`), false, path);
});

Deno.test("refuseOwnPaths answers 404 in place of what it guards", async () => {
  const app = new Hono<ProxyEnv>()
    .all("*", refuseOwnPaths(), (c) => c.text("forwarded"));
  assert.equal((await app.request("http://h/mcp/")).status, 404);
  const other = await app.request("http://h/v1/models");
  assert.equal(await other.text(), "forwarded");
});
