import assert from "node:assert/strict";
import { makeApp } from "../src/proxy/routes.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import type { TextValues } from "../src/settings/row.ts";
import { settingsRoutes } from "../src/settings_routes.ts";

type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** The routes over a workspace of their own. */
async function withSettings(
  use: (ask: Ask, workspace: string) => Promise<void>,
  env: TextValues = {},
) {
  const workspace = await Deno.makeTempDir();
  const config = resolveConfig({
    env: { SVC_WORKSPACE_DIR: workspace, ...env },
  });
  const routes = settingsRoutes(config, {
    clock: { now: () => 0, monotonic: () => 0 },
    send: () => assert.fail("nothing is sent"),
    log: () => {},
  }, { gateways: [], clients: [] });
  const app = makeApp(routes, {
    gates: [],
    onError: (error) => assert.fail(String(error)),
  });
  try {
    await use(async (method, path, body) => {
      const response = await app.request(`http://127.0.0.1:8787${path}`, {
        method,
        headers: { host: "127.0.0.1:8787" },
        ...body !== undefined && { body: JSON.stringify(body) },
      }, { peer: { address: "127.0.0.1" } });
      return { status: response.status, body: await response.json() };
    }, workspace);
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

Deno.test("a proxy that cannot says so", () =>
  withSettings(async (ask) => {
    const { status, body } = await ask("POST", "/settings/apply", {});
    assert.equal(status, 409);
    assert.match(JSON.stringify(body), /cannot read its settings again/);
  }));

Deno.test("a stateless proxy stores nothing", () =>
  withSettings(async (ask, workspace) => {
    const { status } = await ask("POST", "/settings", { values: { rpm: 60 } });
    assert.equal(status, 409);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(workspace)), []);
  }, { SVC_STATELESS: "1" }));

Deno.test("where requests go is shown without credentials", () =>
  withSettings(async (ask) => {
    const { body } = await ask("GET", "/admin/upstream");
    assert.equal(
      (body as Record<string, unknown>)["openai"],
      "http://127.0.0.1:1/base",
    );
  }, { CHAT_TARGET_API_URL: "http://127.0.0.1:1/base" }));
