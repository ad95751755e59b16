import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { NOBODY, type Trust } from "../../../src/proxy/gates/caller.ts";
import {
  isOwnPath,
  refuseForeignPages,
  refuseOwnPaths,
} from "../../../src/proxy/gates/foreign_pages.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const ALLOWED = [
  "http://localhost:3000",
  "null",
  "chrome-extension://abcdef",
  "app.example",
];

/** A service behind the gate; `reached` counts what passed it. */
function behind(
  allowed: readonly string[] = ALLOWED,
  trust: Trust = NOBODY,
  holdsToken = false,
) {
  const logged: unknown[] = [];
  const app = new Hono<ProxyEnv>();
  let reached = 0;
  app.use("*", async (c, next) => {
    c.set("holdsToken", holdsToken);
    await next();
  });
  app.use(
    "*",
    refuseForeignPages({
      allowed,
      trust,
      refuse: (_, message) => new Response(message, { status: 403 }),
      log: (...record) => void logged.push(record),
    }),
  );
  app.all("*", () => {
    reached++;
    return new Response("passed", { headers: { vary: "accept" } });
  });
  const ask = async (
    headers: Record<string, string>,
    { method = "POST", address = "127.0.0.1" } = {},
  ) => {
    const before = reached;
    const response = await app.request("http://127.0.0.1:8787/v1/x", {
      method,
      headers: { host: "127.0.0.1:8787", ...headers },
    }, { peer: { address } });
    const text = await response.text();
    return { ...response, response, text, passed: reached > before };
  };
  return { ask, logged };
}

const CLIENTS: readonly Record<string, string>[] = [
  {},
  // As the fetch of Node sends it.
  { "sec-fetch-mode": "cors", "accept-language": "*" },
  { origin: "http://127.0.0.1:8787" },
  { origin: "http://127.0.0.1:8787", "sec-fetch-site": "same-origin" },
  { host: "localhost:8787", origin: "http://localhost:8787" },
  { "sec-fetch-site": "none", "sec-fetch-mode": "cors" },
  // Other containers and machines reach the proxy by a name.
  { host: "svc.internal:8787" },
  { host: "host.docker.internal" },
  { host: "svc:8787" },
  { host: "svc.localhost:8787" },
  { host: "LOCALHOST.:8787" },
  { host: "[::1]:8787" },
  { host: "192.168.1.9:8787" },
  { host: "127.1:8787" },
  { host: "" },
  { host: "app.example:8787" },
];
for (const headers of CLIENTS) {
  Deno.test(`refuseForeignPages passes ${JSON.stringify(headers)}, without a field for browsers`, async () => {
    const { ask, logged } = behind();
    const { passed, response } = await ask(headers);
    assert.ok(passed);
    const names = [...response.headers.keys()];
    assert.ok(!names.some((name) => name.startsWith("access-control-")));
    assert.deepEqual(logged, []);
  });
}

const REFUSED: readonly Record<string, string>[] = [
  { cookie: "a=b" },
  { cookie: "" },
  { cookie: "a=b", origin: "http://localhost:3000" },
  { "sec-fetch-mode": "navigate" },
  { "sec-fetch-mode": "Navigate", "sec-fetch-site": "none" },
  { "sec-fetch-mode": "navigate", origin: "http://localhost:3000" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "http://evil.example" },
  { origin: "" },
  { origin: "http://127.0.0.1:3000" },
  { origin: "https://127.0.0.1:8787" },
  { origin: "http://localhost:3001" },
  { origin: "https://localhost:3000" },
  { origin: "http://localhost:3000.evil.example" },
  { origin: "http://localhost:3000/" },
  { origin: "http://localhost:3000, http://evil.example" },
  { origin: "http://sub.app.example" },
  { origin: "app.example" },
  { origin: "file://" },
  { origin: "chrome-extension://abcdefg" },
  { origin: "vscode-webview://abcdef" },
  // A stranger's DNS points the name here: its pages have the same origin.
  { host: "evil.example:8787", origin: "http://evil.example:8787" },
  { host: "evil.example:8787", "sec-fetch-site": "same-origin" },
  // Browsers send neither field with a GET to the page's own origin over http.
  { host: "evil.example:8787" },
  { host: "EVIL.example." },
  { host: "127.0.0.1.evil.example" },
  { host: "localhost.evil.example:8787" },
  { host: "internal.example" },
  { host: "evil.example:99999" },
];
for (const headers of REFUSED) {
  Deno.test(`refuseForeignPages refuses ${JSON.stringify(headers)}`, async () => {
    const { ask, logged } = behind();
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const { passed, response, text } = await ask(headers, { method });
      assert.equal(response.status, 403);
      assert.equal(passed, false);
      assert.match(text, /^Cannot forward /);
      assert.doesNotMatch([...response.headers.keys()].join(), /access-con/);
    }
    assert.equal(logged.length, 1, "logged once");
  });
}

for (
  const origin of [
    "http://localhost:3000",
    "null",
    "chrome-extension://abcdef",
    "http://app.example",
    "https://app.example:8443",
    "HTTP://LocalHost:3000",
  ]
) {
  Deno.test(`refuseForeignPages lets pages of the listed origin ${origin} send and read`, async () => {
    const { ask } = behind();
    const cross = { origin, "sec-fetch-site": "cross-site" };
    const { passed, response } = await ask(cross);
    assert.ok(passed);
    assert.equal(response.headers.get("access-control-allow-origin"), origin);
    assert.equal(response.headers.get("vary"), "accept, origin");
  });
}

Deno.test("refuseForeignPages answers preflights of listed origins itself, and none of others", async () => {
  const { ask } = behind();
  const preflight = {
    origin: "http://localhost:3000",
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-api-key,content-type",
    "access-control-request-private-network": "true",
  };
  const options = { method: "OPTIONS" };
  const { response, passed } = await ask(preflight, options);
  assert.equal(response.status, 204);
  assert.equal(passed, false);
  const allow = (name: string) =>
    response.headers.get(`access-control-allow-${name}`);
  assert.equal(allow("origin"), "http://localhost:3000");
  assert.equal(allow("headers"), "x-api-key,content-type");
  assert.equal(allow("private-network"), "true");
  assert.equal(allow("credentials"), null);
  assert.match(allow("methods") ?? "", /\bPOST\b/);
  const other = await ask(
    { ...preflight, origin: "http://localhost:5173" },
    options,
  );
  assert.equal(other.response.status, 403);
  assert.equal(other.passed, false);
  const plain = await ask({ origin: "http://localhost:3000" }, options);
  assert.ok(plain.passed, "a question about the provider's own route");
});

Deno.test("refuseForeignPages says how to list an origin, and repeats nothing that is none", async () => {
  const { ask, logged } = behind([]);
  const { text } = await ask({ origin: "app://obsidian.md" });
  assert.match(text, /SVC_ALLOWED_ORIGINS=app:\/\/obsidian\.md$/);
  for (const origin of ["<script>", `http://${"a".repeat(300)}`, "x y"]) {
    const refused = await ask({ origin });
    assert.ok(!refused.text.includes(origin));
    assert.match(refused.text, /SVC_ALLOWED_ORIGINS/);
  }
  assert.deepEqual(logged, [
    ["warn", "web_page_refused", {
      reason: "foreign_origin",
      origin: "app://obsidian.md",
    }],
    ["warn", "web_page_refused", { reason: "foreign_origin", origin: "" }],
  ]);
});

Deno.test("refuseForeignPages takes a gateway's name for its own only where it is listed", async () => {
  const trust = { gateways: parseNetworks("SVC_X", "10.0.0.1"), clients: [] };
  const headers = {
    origin: "https://svc.lan",
    "x-forwarded-host": "svc.lan",
    "x-forwarded-proto": "https",
  };
  const from = { address: "10.0.0.1" };
  assert.ok(!(await behind([], trust).ask(headers, from)).passed);
  assert.ok((await behind(["svc.lan"], trust).ask(headers, from)).passed);
});

Deno.test("refuseForeignPages takes any Host from other machines, from gateways and with the token", async () => {
  const trust = { gateways: parseNetworks("SVC_X", "127.0.0.2"), clients: [] };
  const host = { host: "svc.example" };
  assert.ok(!(await behind([], trust).ask(host)).passed);
  const remote = { address: "203.0.113.9" };
  assert.ok((await behind([], trust).ask(host, remote)).passed);
  const gateway = { address: "127.0.0.2" };
  const forwarded = { ...host, "x-forwarded-for": "127.0.0.1" };
  assert.ok((await behind([], trust).ask(forwarded, gateway)).passed);
  assert.ok(!(await behind([], trust).ask(forwarded)).passed);
  assert.ok((await behind([], trust, true).ask(host)).passed);
});

Deno.test("refuseForeignPages says which name it refuses and how to list it", async () => {
  const { ask, logged } = behind([]);
  const { text } = await ask({ host: "svc.example:8787" }, { method: "GET" });
  assert.match(text, /for svc\.example: .*SVC_ALLOWED_ORIGINS=svc\.example$/);
  const origin = "http://svc.example:8787";
  assert.deepEqual(logged, [
    ["warn", "web_page_refused", { reason: "foreign_host", origin }],
  ]);
  assert.ok((await behind([origin]).ask({ host: "svc.example:8787" })).passed);
  assert.ok(!(await behind([origin]).ask({ host: "svc.example" })).passed);
  const odd = await ask({ host: "a<b>.example" });
  assert.match(odd.text, /for another host: .*SVC_ALLOWED_ORIGINS$/);
});

Deno.test("refuseForeignPages logs a bounded number of origins, and once that there are more", async () => {
  const { ask, logged } = behind([]);
  for (let i = 0; i < 250; i++) {
    assert.ok(!(await ask({ origin: `http://p${i}.example` })).passed);
  }
  assert.equal(logged.length, 101);
  assert.deepEqual(logged[100], [
    "warn",
    "web_pages_not_logged",
    { pages: 100 },
  ]);
});

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
