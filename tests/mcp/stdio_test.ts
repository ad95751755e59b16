/** `svc mcp serve` as a client starts it: a process, its pipes, the official client. @module */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ccrKey } from "../../src/ccr/key.ts";
import { openStore } from "../../src/ccr/open_store.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import { ENTRY, structureOf } from "./fake_parts.ts";
import { LONG_LOG } from "./long_log.ts";
import { tempDir } from "../temp_dir.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const ARGS = ["run", "-A", "--no-prompt", "--no-check", MAIN, "mcp", "serve"];

/** Environment of a server: nothing of the machine's settings, no proxy on the machine's port. */
function envOf(workspace: string): Record<string, string> {
  const { PATH = "", HOME = "", DENO_DIR = "" } = Deno.env.toObject();
  return {
    PATH,
    HOME,
    ...DENO_DIR && { DENO_DIR },
    SVC_WORKSPACE_DIR: workspace,
    SVC_PROXY_URL: "http://127.0.0.1:1",
    // Whoever obeys it finds nobody.
    HTTP_PROXY: "http://127.0.0.1:1",
  };
}

/** A client with a server process of its own; both end with the block. */
async function connected(
  workspace: string,
  env: Record<string, string> = {},
  versionNegotiation: { mode: "auto" | "legacy" } = { mode: "legacy" },
) {
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ARGS,
    env: { ...envOf(workspace), ...env },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" }, {
    versionNegotiation,
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid!,
    async call(tool: string, given: Record<string, unknown>) {
      const name = `headroom_${tool}`;
      return structureOf(await client.callTool({ name, arguments: given }));
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

Deno.test("svc mcp serve lists, compresses and gives back to the byte, also by another process and after kill -9", async () => {
  await using place = await tempDir();
  await using second = await connected(place.path);
  let hash: unknown;
  {
    await using first = await connected(place.path);
    const { tools } = await first.client.listTools();
    assert.equal(tools.length, 3);
    const compressed = await first.call("compress", { content: LONG_LOG });
    hash = compressed.hash;
    assert.ok(Number(compressed.tokens_saved) > 1000);
    const found = await first.call("retrieve", { hash });
    assert.equal(found.original_content, LONG_LOG);
    Deno.kill(first.pid, "SIGKILL");
  }
  const found = await second.call("retrieve", { hash });
  assert.equal(found.original_content, LONG_LOG);
  assert.equal(found.source, "local");
  const stats = await second.call("stats", {});
  assert.equal(stats.stored_originals, 1);
  assert.equal(stats.session_retrievals, 1);
});

Deno.test("svc mcp serve speaks the current protocol revision to a client that asks for it", async () => {
  await using place = await tempDir();
  await using server = await connected(place.path, {}, { mode: "auto" });
  assert.equal(server.client.getNegotiatedProtocolVersion(), "2026-07-28");
  const { hash } = await server.call("compress", { content: "a\n" });
  const found = await server.call("retrieve", { hash });
  assert.equal(found.original_content, "a\n");
});

Deno.test("svc mcp serve asks a proxy for what it does not have, past HTTP_PROXY", async () => {
  await using place = await tempDir();
  const hash = "f".repeat(24);
  await using proxy = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => Response.json({ hash, original_content: "from the proxy" }),
  );
  await using server = await connected(place.path, {
    SVC_STATELESS: "1",
    SVC_PROXY_URL: `http://127.0.0.1:${proxy.addr.port}`,
  });
  const found = await server.call("retrieve", { hash });
  assert.equal(found.source, "proxy");
  assert.equal(found.original_content, "from the proxy");
});

Deno.test("svc mcp serve gives back what the proxy of the workspace keeps while both run", async () => {
  await using place = await tempDir();
  await using server = await connected(place.path);
  await server.call("stats", {});
  await using proxy = await openStore({
    backend: "sqlite",
    path: `${place.path}/ccr_store.db`,
    ttlSeconds: 1800,
    clock: { now: Date.now, monotonic: () => performance.now() },
    log: () => {},
    version: "1",
  });
  const now = Date.now();
  const entry = { ...ENTRY, key: ccrKey(ENTRY.original), storedAt: now };
  await proxy.write({
    now,
    conversation: "c" as ConversationKey,
    entries: [entry],
  });
  const found = await server.call("retrieve", { hash: entry.key });
  assert.equal(found.original_content, ENTRY.original);
  assert.equal(found.source, "local");
  assert.equal(proxy.retrievalCount(entry.key), 1);
});

/** What a server says to these lines, which arrive at once and then end. */
async function piped(
  lines: readonly unknown[],
  env: Record<string, string>,
) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ARGS,
    clearEnv: true,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const text = lines.map((line) =>
    typeof line === "string" ? line : JSON.stringify(line)
  ).join("\n");
  await input.write(new TextEncoder().encode(text));
  await input.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

const request = (id: number, method: string, params: unknown = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const HANDSHAKE = [
  request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "shell", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

Deno.test("svc mcp serve answers all that a shell pipes in, and nothing but messages goes to stdout while it warns", async () => {
  await using place = await tempDir();
  // A store that cannot be used, a setting that is none, a line that is no message.
  await Deno.writeTextFile(`${place.path}/ccr_store.db`, "x".repeat(5000));
  await Deno.mkdir(`${place.path}/session_stats.jsonl`);
  const call = (id: number, name: string, given: unknown) =>
    request(id, "tools/call", { name: `headroom_${name}`, arguments: given });
  const { code, out, err } = await piped([
    ...HANDSHAKE,
    "no message",
    request(1, "tools/list"),
    call(2, "compress", { content: LONG_LOG }),
    call(3, "stats", {}),
    call(4, "retrieve", { hash: "nothing" }),
    request(5, "no/such/method"),
    call(6, "compress", {}),
  ], { ...envOf(place.path), SVC_TYPO: "1" });
  assert.equal(code, 0, err);
  const messages = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.ok(messages.every(({ jsonrpc }) => jsonrpc === "2.0"));
  const ids = messages.map(({ id }) => id).sort();
  assert.deepEqual(ids, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(messages.find(({ id }) => id === 5).error.code, -32601);
  assert.match(err, /SVC_TYPO/);
  assert.match(err, /Cannot use the database/);
  assert.match(err, /session_stats_not_written/);
});

Deno.test("svc mcp serve ends with 0 on SIGTERM while its client stays", async () => {
  await using place = await tempDir();
  const child = new Deno.Command(Deno.execPath(), {
    args: ARGS,
    clearEnv: true,
    env: envOf(place.path),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const line = JSON.stringify(HANDSHAKE[0]) + "\n";
  await input.write(new TextEncoder().encode(line));
  const output = child.stdout.getReader();
  await output.read();
  child.kill("SIGTERM");
  const { code } = await child.status;
  await output.cancel();
  await input.close().catch(() => {});
  assert.equal(code, 0);
});
