import assert from "node:assert/strict";
import {
  neededPermissions,
  type ThreadPermissions,
} from "../src/cli/confine/needed.ts";
import { startThread } from "../src/cli/confine/thread.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import { askForStream, startHeldProvider } from "./e2e/held_provider.ts";

const MODULE = new URL("../src/confined_worker.ts", import.meta.url);

/** A port that nobody listens on just now. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

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

async function filesBelow(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    if (isDirectory) found.push(...await filesBelow(`${directory}/${name}`));
    else found.push(name);
  }
  return found.sort();
}

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
  assert.deepEqual(await filesBelow(workspace), [
    "proxy.log",
    "proxy.log.lock",
  ]);
  await Deno.remove(workspace, { recursive: true });
});

for (const isConfined of [true, false]) {
  const what = isConfined
    ? "a proxy that believes it may export reaches nobody but its upstream when its thread is offline"
    : "the same proxy exports when its thread may do what this program may";
  Deno.test(what, async () => {
    let hits = 0;
    const first = Promise.withResolvers<void>();
    await using stranger = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => {
        hits++;
        first.resolve();
        return Response.json({ version: "99.0.0" });
      },
    );
    const there = `http://127.0.0.1:${stranger.addr.port}`;
    await using provider = startHeldProvider();
    const port = freePort();
    const own = {
      SVC_PORT: String(port),
      SVC_CCR_BACKEND: "memory",
      SVC_WORKSPACE_DIR: await Deno.makeTempDir(),
      MSG_TARGET_API_URL: provider.url,
      CHAT_TARGET_API_URL: provider.url,
    };
    const env = {
      ...own,
      SVC_OTEL_METRICS_ENABLED: "1",
      SVC_OTEL_METRICS_ENDPOINT: `${there}/v1/metrics`,
      SVC_OTEL_METRICS_EXPORT_INTERVAL_MS: "100",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${there}/v1/traces`,
      SVC_TELEMETRY_ENDPOINT: there,
      SVC_UPDATE_INDEX_URL: `${there}/index.json`,
    };
    const offline = permissionsOf({ ...own, SVC_OFFLINE: "1" }, port);
    const app = await startApp(
      env,
      isConfined ? offline : { ...offline, net: "inherit" },
      port,
    );
    await exchange(app.url, provider);
    if (isConfined) await app.saw(/Cannot export metrics/);
    else await first.promise;
    await app.stop();
    assert.equal(hits > 0, !isConfined);
    await Deno.remove(own.SVC_WORKSPACE_DIR, { recursive: true });
  });

  const kept = isConfined
    ? "a proxy that believes it keeps files writes none but its log when its thread is stateless"
    : "the same proxy keeps files when its thread may do what this program may";
  Deno.test(kept, async () => {
    const workspace = await Deno.makeTempDir();
    await using provider = startHeldProvider();
    const port = freePort();
    const env = {
      SVC_PORT: String(port),
      SVC_WORKSPACE_DIR: workspace,
      SVC_LOG_FILE: `${workspace}/requests.jsonl`,
      MSG_TARGET_API_URL: provider.url,
      CHAT_TARGET_API_URL: provider.url,
    };
    const stateless = permissionsOf({ ...env, SVC_STATELESS: "1" }, port);
    const app = await startApp(
      env,
      isConfined ? stateless : { ...stateless, write: "inherit" },
      port,
    );
    const backend = isConfined ? "memory" : "sqlite";
    assert.partialDeepStrictEqual(app.ready, {
      storeBackend: backend,
      ledgerBackend: backend,
    });
    await exchange(app.url, provider);
    await app.stop();
    const files = await filesBelow(workspace);
    assert(files.includes("proxy.log"));
    const others = files.filter((name) => !name.startsWith("proxy.log"));
    assert.equal(others.length > 0, !isConfined, String(others));
    await Deno.remove(workspace, { recursive: true });
  });
}
