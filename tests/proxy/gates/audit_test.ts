import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { notFound } from "../../../src/proxy/errors.ts";
import { audit } from "../../../src/proxy/gates/audit.ts";
import { requireLoopback } from "../../../src/proxy/gates/trusted.ts";

/** Answers one request, and says what was logged. */
async function ask(
  method: string,
  path: string,
  address = "127.0.0.1",
): Promise<{ status: number; logged: unknown[] }> {
  const logged: unknown[] = [];
  const app = new Hono<ProxyEnv>();
  app.onError(() => new Response(null, { status: 500 }));
  app.use("*", audit((...record) => void logged.push(record)));
  app.use("/settings", requireLoopback(() => {}));
  app.post("/settings", (c) => {
    c.set("auditDetails", { changed_keys: ["SVC_MODE", "SVC_PROXY_TOKEN"] });
    return c.json({ token: "a secret value" });
  });
  app.post("/admin/runtime-env", (c) => {
    c.set("auditDetails", { changed_keys: [], refused_keys: ["SVC_X"] });
    return c.json({});
  });
  app.get("/admin/upstream", (c) => c.json({}));
  app.post("/stats/reset", () => {
    throw new Error("broken");
  });
  app.notFound(() => notFound());
  const { status } = await app.request(path, {
    method,
    headers: { host: "127.0.0.1:8787" },
  }, { peer: { address } });
  return { status, logged };
}

Deno.test("audit records a change of settings with the names that changed, and no value", async () => {
  const { status, logged } = await ask("POST", "/settings?token=q");
  assert.equal(status, 200);
  assert.deepEqual(logged, [["info", "svc_admin_audit", {
    action: "settings_write",
    method: "POST",
    path: "/settings",
    source_ip: "127.0.0.1",
    status_code: 200,
    changed_keys: "SVC_MODE,SVC_PROXY_TOKEN",
  }]]);
});

Deno.test("audit records what was refused, unknown or broken, with its status and the caller's plain address", async () => {
  const cases = [
    ["POST", "/settings", "192.0.2.7", 404, "settings_write", "192.0.2.7"],
    [
      "POST",
      "/settings/apply",
      "::ffff:127.0.0.1",
      404,
      "settings_apply",
      "127.0.0.1",
    ],
    ["DELETE", "/admin/anything", "::1", 404, "admin_request", "::1"],
    ["POST", "/stats/reset", "127.0.0.1", 500, "stats_reset", "127.0.0.1"],
    ["POST", "/cache/clear", "127.0.0.1", 404, "cache_clear", "127.0.0.1"],
    ["GET", "/cache/clear", "127.0.0.1", 404, "admin_request", "127.0.0.1"],
    ["GET", "/admin/upstream", "::1", 200, "upstream_read", "::1"],
  ] as const;
  for (const [method, path, from, status_code, action, source_ip] of cases) {
    const { logged } = await ask(method, path, from);
    assert.deepEqual(logged, [["info", "svc_admin_audit", {
      action,
      method,
      path,
      source_ip,
      status_code,
    }]]);
  }
});

Deno.test("audit names a change of the running environment by itself", async () => {
  const { logged } = await ask("POST", "/admin/runtime-env");
  assert.deepEqual(logged, [["info", "svc_admin_audit", {
    action: "runtime_env_update",
    method: "POST",
    path: "/admin/runtime-env",
    source_ip: "127.0.0.1",
    status_code: 200,
    changed_keys: "",
    refused_keys: "SVC_X",
  }]]);
});

for (
  const path of [
    "//admin//upstream",
    "/ADMIN/upstream",
    "/%61dmin/upstream",
    "/admin",
    "/cache/clear/",
    "/stats/reset/%00",
  ]
) {
  Deno.test(`audit knows ${path} for an attempt`, async () => {
    const { logged } = await ask("GET", path);
    assert.equal(logged.length, 1);
  });
}

for (
  const [method, path] of [
    ["GET", "/settings"],
    ["GET", "/settings/schema"],
    ["POST", "/v1/messages"],
    ["GET", "/stats"],
    ["GET", "/administrator"],
    ["POST", "/v1/admin/x"],
  ] as const
) {
  Deno.test(`audit passes ${method} ${path} by`, async () => {
    const { logged } = await ask(method, path);
    assert.deepEqual(logged, []);
  });
}

Deno.test("audit says that an address is unknown when there is none, and bounds what callers choose", async () => {
  const { logged } = await ask(
    "X".repeat(100),
    `/admin/${"y".repeat(5000)}`,
    "not an address",
  );
  const [[, , fields]] = logged as [[string, string, Record<string, string>]];
  assert.equal(fields.source_ip, "unknown");
  assert.equal(fields.method!.length, 20);
  assert.equal(fields.path!.length, 300);
});
