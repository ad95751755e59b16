import { makeApp } from "../../../src/proxy/routes.ts";
import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { admin, clearCache } from "../../../src/proxy/handlers/admin.ts";

function rig() {
  const audits: unknown[] = [];
  const handlers = admin({
    upstream: () => ({ captured_upstream: null }),
    apply: (values) => ({
      applied: { SVC_OUTPUT_SHAPER: String(values["SVC_OUTPUT_SHAPER"]) },
      refused: {
        SVC_EFFORT_ROUTER: "not in this version",
        sesame: "no setting of this version",
      },
      refusedSettings: ["SVC_EFFORT_ROUTER"],
    }),
    runtimeEnv: () => ({ SVC_OUTPUT_SHAPER: true }),
  });
  const hono = new Hono<ProxyEnv>()
    .use(async (c, next) => {
      await next();
      audits.push(c.get("auditDetails"));
    })
    .get("/admin/upstream", handlers.upstream)
    .post("/admin/runtime-env", handlers.runtimeEnv);
  return {
    audits,
    get: async (path: string) => await hono.request(path),
    post: async (body: string) => {
      const request = { method: "POST", body };
      const response = await hono.request("/admin/runtime-env", request);
      return { status: response.status, json: await response.json() };
    },
  };
}

Deno.test("admin says where requests go, and has no route that changes it", async () => {
  const { get } = rig();
  const response = await get("/admin/upstream");
  assert.deepEqual(await response.json(), { captured_upstream: null });
  assert.equal(response.headers.get("cache-control"), "no-store");
});

Deno.test("admin says what was taken and what is in force, and names the settings to the audit", async () => {
  const { post, audits } = rig();
  const { status, json } = await post(
    JSON.stringify({
      SVC_OUTPUT_SHAPER: "1",
      SVC_EFFORT_ROUTER: "1",
      sesame: 1,
    }),
  );
  assert.equal(status, 200);
  assert.deepEqual(json, {
    applied: { SVC_OUTPUT_SHAPER: "1" },
    runtime_env: { SVC_OUTPUT_SHAPER: true },
    refused: {
      SVC_EFFORT_ROUTER: "not in this version",
      sesame: "no setting of this version",
    },
  });
  assert.deepEqual(audits, [{
    changed_keys: ["SVC_OUTPUT_SHAPER"],
    refused_keys: ["SVC_EFFORT_ROUTER"],
  }]);
});

Deno.test("admin answers 400 to a body that is no JSON object", async () => {
  const { post } = rig();
  for (const body of ["", "{", "[]", "null", "1", '"x"']) {
    assert.deepEqual(await post(body), {
      status: 400,
      json: { error: "expected a JSON object of {ENV_NAME: value}" },
    });
  }
});

Deno.test("admin refuses a body of more than a megabyte", async () => {
  const { post } = rig();
  const long = JSON.stringify({ PATH: "x".repeat(1 << 20) });
  assert.equal((await post(long)).status, 413);
});

async function post(cache: { clear(): void } | undefined) {
  const app = makeApp(
    [{ method: "POST", path: "/cache/clear", handler: clearCache(cache) }],
    { gates: [], onError: () => new Response(null, { status: 500 }) },
  );
  const response = await app.request("/cache/clear", { method: "POST" }, {
    peer: { address: "127.0.0.1" },
  });
  return { status: response.status, json: await response.json() };
}

Deno.test("clearCache empties the cache and says so", async () => {
  let cleared = 0;
  const answer = await post({ clear: () => void cleared++ });
  assert.deepEqual(answer, { status: 200, json: { status: "cleared" } });
  assert.equal(cleared, 1);
});

Deno.test("clearCache says that there is no cache", async () => {
  assert.deepEqual(await post(undefined), {
    status: 200,
    json: { status: "cache disabled" },
  });
});
