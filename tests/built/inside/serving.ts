/** Scenes about servers. */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { investigate, LOG } from "../../e2e/agent.ts";
import { childrenOf, startProxyProcess } from "../../e2e/proxy_process.ts";
import { startProvider } from "../../e2e/scripted_provider.ts";
import { playService } from "../../e2e/service_unit.ts";
import { SDK_CLIENTS, type SdkClient } from "../../e2e/sdk_clients.ts";
import { makeWorld, type World } from "./world.ts";
import type { RunningUpstream } from "../../e2e/upstream.ts";

/** Starts `svc proxy` with that provider behind it. */
function startProxy(
  { env, command }: World,
  provider: RunningUpstream,
  args: readonly string[] = [],
) {
  const { url } = provider;
  return startProxyProcess({
    program: command([]),
    args,
    isEnvEmpty: true,
    env: { ...env, MSG_TARGET_API_URL: url, CHAT_TARGET_API_URL: url },
  });
}

/** One tool loop: a log is asked for, arrives, and leaves shortened. */
async function converse(
  url: string,
  client: SdkClient,
  provider: RunningUpstream,
): Promise<void> {
  const elements = [client.user("Why do jobs fail?")];
  const before = provider.received.length;
  const first = await client.send({ url, elements, streaming: true });
  assert.equal(first.stop, client.stops.calls);
  const outputs = new Map(first.calls.map(({ id }) => [id, LOG]));
  elements.push(...first.elements, ...client.results(outputs));
  const second = await client.send({ url, elements, streaming: true });
  assert.ok(second.calls.length > 0 || second.text !== "");
  const [, sent] = provider.received.slice(before);
  const body = new TextDecoder().decode(sent!.body);
  assert.match(body, /ECONNREFUSED/);
  assert.match(body, /lines compressed to \d+\. Retrieve more: hash=/);
  assert.ok(body.length < LOG.length / 2);
}

/** Streams in all formats, and everything that the proxy shows. */
export async function proxy(file: string): Promise<void> {
  await using world = await makeWorld(file);
  for (const client of SDK_CLIENTS) {
    await using provider = startProvider(investigate);
    await using proxy = await startProxy(world, provider);
    await converse(proxy.url, client, provider);
    const page = await (await fetch(`${proxy.url}/dashboard`)).text();
    assert.match(page, /<html/);
    const stats = await (await fetch(`${proxy.url}/stats`)).json();
    assert.ok(stats.summary.compression.requests_compressed > 0);
    proxy.kill("SIGTERM");
    assert.equal(await proxy.ended(), 0);
    assert.doesNotMatch(proxy.said(), /rror|Warning|\n\s+at /);
  }
}

/** Starts the program with these flags, asks it for an answer and ends it. */
async function serveWith(
  file: string,
  flags: readonly string[],
  look: (pid: number) => Promise<void> = async () => {},
): Promise<void> {
  await using world = await makeWorld(file);
  await using provider = startProvider(investigate);
  await using proxy = await startProxy(world, provider, flags);
  await look(proxy.pid);
  await converse(proxy.url, SDK_CLIENTS[0]!, provider);
  proxy.kill("SIGTERM");
  assert.equal(await proxy.ended(), 0);
}

/** The second process is one of the unpacked program. */
export function workers(file: string): Promise<void> {
  return serveWith(file, ["--workers", "2"], async (pid) => {
    assert.equal((await childrenOf(pid)).length, 2);
  });
}

/** The thread that the runtime confines is in the file, too. */
export function confined(file: string): Promise<void> {
  return serveWith(file, ["--stateless", "--offline"]);
}

/** What systemd would start is the file itself. */
export async function service(file: string): Promise<void> {
  await using world = await makeWorld(file);
  const { home, place } = world;
  const command = await playService({
    home,
    bin: `${place}/bin`,
    async run(args) {
      const env = { PATH: `${place}/bin:${world.env["PATH"]}` };
      const { code, out, err } = await world.run(["install", ...args], { env });
      return { code, text: out + err };
    },
    start(words, env) {
      const [program, ...args] = world.command(words.slice(1));
      const { PATH } = world.env;
      return new Deno.Command(program!, {
        ...{ args, clearEnv: true, cwd: "/" },
        env: { ...env, PATH: PATH! },
        ...{ stdin: "null", stdout: "null", stderr: "null" },
      }).spawn();
    },
  });
  assert.deepEqual(command, [world.file, "proxy"]);
}

/** The official client, and what agents are told to start. */
export async function mcp(file: string): Promise<void> {
  await using world = await makeWorld(file);
  const [command, ...args] = world.command(["mcp", "serve"]);
  const transport = new StdioClientTransport({
    command: command!,
    args,
    env: { ...world.env },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    assert.equal(tools.length, 3);
    const { content } = await client.callTool({
      name: "headroom_compress",
      arguments: { content: LOG },
    });
    assert.match(JSON.stringify(content), /ECONNREFUSED/);
    assert.match(JSON.stringify(content), /Retrieve more/);
  } finally {
    await client.close();
  }
  const config = `${world.home}/.claude.json`;
  await Deno.writeTextFile(config, "{}");
  const { code, err } = await world.run([
    "mcp",
    "install",
    "--agent",
    "claude",
  ]);
  assert.equal(code, 0, err);
  const { mcpServers } = JSON.parse(await Deno.readTextFile(config));
  assert.equal(mcpServers.svc.command, world.file);
  assert.deepEqual(mcpServers.svc.args, ["mcp", "serve"]);
  assert.deepEqual(mcpServers.svc.env ?? {}, {});
}
