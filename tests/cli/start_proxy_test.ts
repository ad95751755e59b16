import assert from "node:assert/strict";
import { startProxy } from "../../src/cli/start_proxy.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";
import { tempDir } from "../temp_dir.ts";

const ioOf = (env: TextValues) => ({
  log: () => {},
  env,
  stderr: () => {},
  clock: { now: Date.now, monotonic: () => performance.now() },
  applySettings: undefined,
  place: undefined,
});

/** Files of a started and stopped proxy with one request to a port where nobody listens. */
async function filesOf(more: TextValues): Promise<Map<string, string>> {
  const workspace = await Deno.makeTempDir();
  const env = {
    SVC_WORKSPACE_DIR: workspace,
    MSG_TARGET_API_URL: "http://127.0.0.1:1",
    SVC_RETRY_MAX_ATTEMPTS: "1",
    SVC_PORT: "0",
    SVC_DEBUG_400: "1",
    SVC_LOG_FILE: `${workspace}/requests.jsonl`,
    ...more,
  };
  try {
    const proxy = await startProxy(resolveConfig({ env }), ioOf(env));
    const response = await fetch(
      `http://127.0.0.1:${proxy.port}/v1/messages`,
      {
        method: "POST",
        headers: { "x-api-key": "sk-canary-0123456789" },
        body: '{"model":"m","messages":[{"role":"user","content":"canary"}]}',
      },
    );
    assert.equal(response.status, 502);
    await response.bytes();
    await proxy.stop();
    return textsIn(workspace);
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

function textsIn(directory: string, prefix = ""): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) {
      for (const entry of textsIn(path, `${prefix}${name}/`)) {
        texts.set(...entry);
      }
    } else {
      assert.equal(Deno.statSync(path).mode! & 0o777, 0o600, path);
      texts.set(prefix + name, Deno.readTextFileSync(path));
    }
  }
  return texts;
}

Deno.test("the proxy log tells when it began, what came, and when it ended; no file holds a key or a text", async () => {
  const files = await filesOf({});
  const events = files.get("logs/proxy.log")!.trim().split("\n")
    .map((line) => JSON.parse(line).event);
  assert.deepEqual(events, [
    "proxy_started",
    "request",
    "upstream_failed",
    "proxy_stopped",
  ]);
  assert.ok(files.has("proxy_savings.json"));
  assert.ok(files.has("requests.jsonl"));
  for (const [name, text] of files) {
    assert.doesNotMatch(text, /canary/, name);
  }
});

Deno.test("80 a stateless proxy makes no file but its log", async () => {
  const files = await filesOf({ SVC_STATELESS: "1" });
  const names = [...files.keys()].filter((name) => !name.endsWith(".lock"));
  assert.deepEqual(names, ["logs/proxy.log"]);
});

Deno.test("the proxy log tells which settings were read anew, by names only", async () => {
  await using temp = await tempDir();
  const workspace = temp.path;
  const env = { SVC_WORKSPACE_DIR: workspace, SVC_PORT: "0" };
  const proxy = await startProxy(resolveConfig({ env }), ioOf(env));
  const reload = async (stored: TextValues) => {
    const config = resolveConfig({ env, stored });
    await proxy.reload({ flags: {}, stored, config });
  };
  await reload({ SVC_RPM: "71", SVC_BUDGET: "2" });
  await reload({ SVC_BUDGET: "2" });
  await proxy.stop();
  const records = textsIn(workspace).get("logs/proxy.log")!.trim().split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "settings_reloaded");
  assert.deepEqual(
    records.map(({ changed_keys }) => changed_keys),
    ["budget,rpm", "rpm"],
  );
  const untimed = records.map(({ time: _, ...fields }) => fields);
  assert.doesNotMatch(JSON.stringify(untimed), /71/);
});
