import assert from "node:assert/strict";
import {
  neededPermissions,
  type ThreadPermissions,
} from "../src/cli/confine/needed.ts";
import { startThread } from "../src/cli/confine/thread.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import { filesBelow } from "./acceptance/workspace_files.ts";
import { askForStream, startHeldProvider } from "./e2e/held_provider.ts";
import { freePort } from "./e2e/proxy_process.ts";

const MODULE = new URL("../src/confined_worker.ts", import.meta.url);

/** The whole proxy in a thread: `env` is what it believes, `permissions` what the runtime lets it do. */
async function startApp(
  env: Record<string, string>,
  permissions: ThreadPermissions,
  port: number,
) {
  let said = "";
  let change = Promise.withResolvers<void>();
  const thread = startThread({
    module: MODULE,
    permissions,
    world: { env, names: [], isTerminal: false },
    stderr(text) {
      said += text;
      change.resolve();
      change = Promise.withResolvers();
    },
  });
  const place = { run: "r", pid: Deno.pid, slot: 0, port };
  const job = { ...place, flags: {}, stored: {} };
  thread.send({ type: "start", job });
  const messages = thread.messages[Symbol.asyncIterator]();
  const { value: ready } = await messages.next();
  assert.equal(ready?.type, "ready", JSON.stringify(ready) + said);
  return {
    url: `http://127.0.0.1:${port}`,
    ready,
    async saw(pattern: RegExp) {
      while (!pattern.test(said)) await change.promise;
    },
    async stop() {
      thread.send({ type: "stop" });
      return await thread.ended;
    },
  };
}

/** One streamed request, answered whole. */
async function exchange(
  url: string,
  provider: ReturnType<typeof startHeldProvider>,
): Promise<void> {
  const response = await askForStream(url);
  assert.equal(response.status, 200);
  provider.release();
  assert.match(await response.text(), /message_stop/);
}

const permissionsOf = (env: Record<string, string>, port: number) =>
  neededPermissions(resolveConfig({ env }), port);

Deno.test("a confined thread serves requests with the permissions of its configuration, and ends when told", async () => {
  const workspace = await Deno.makeTempDir();
  await using provider = startHeldProvider();
  const port = freePort();
  const env = {
    SVC_PORT: String(port),
    SVC_WORKSPACE_DIR: workspace,
    SVC_STATELESS: "1",
    SVC_OFFLINE: "1",
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
  };
  const app = await startApp(env, permissionsOf(env, port), port);
  const health = await (await fetch(`${app.url}/health`)).json();
  assert.equal(health.status, "healthy");
  await exchange(app.url, provider);
  assert.deepEqual(await app.stop(), { code: 0, signal: undefined });
  assert.deepEqual([...(await filesBelow(workspace)).keys()].sort(), [
    "logs/proxy.log",
    "logs/proxy.log.lock",
  ]);
  await Deno.remove(workspace, { recursive: true });
});
