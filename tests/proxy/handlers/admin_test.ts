import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { admin } from "../../../src/proxy/handlers/admin.ts";

function rig() {
  const audits: unknown[] = [];
  const handlers = admin({ upstream: () => ({ captured_upstream: null }) });
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

Deno.test("admin refuses each name that it knows, and ignores other names and values that are no texts", async () => {
  const { post, audits } = rig();
  const { status, json } = await post(JSON.stringify({
    SVC_VERBOSITY_LEVEL: "hunter2",
    SVC_OUTPUT_SHAPER: 1,
    SVC_EFFORT_ROUTER: null,
    PATH: "/x",
  }));
  assert.equal(status, 200);
  assert.deepEqual(json.applied, {});
  assert.deepEqual(json.refused, {
    SVC_VERBOSITY_LEVEL: "not in this version",
  });
  assert.deepEqual(json.runtime_env, {
    SVC_OUTPUT_SHAPER: null,
    SVC_VERBOSITY_LEVEL: null,
    SVC_EFFORT_ROUTER: null,
    SVC_MECHANICAL_EFFORT: null,
    SVC_VERBOSITY_AUTOTUNE: null,
    SVC_OUTPUT_HOLDOUT: null,
    SVC_INTERCEPT_READ_MIN_CHARS: null,
  });
  assert.deepEqual(audits, [
    { changed_keys: [], refused_keys: ["SVC_VERBOSITY_LEVEL"] },
  ]);
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
