/** Every marker that ever left gives back the exact text of the tool result that it stands for, by every door. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SAMPLES } from "../bench/samples.ts";
import type { Random } from "./random.ts";
import { SIMULATED_CLIENTS, type ToolResult } from "./simulated_client.ts";
import { hashesIn, simulatedModel, toolOutput } from "./simulated_model.ts";
import { ask, begin, type Talk } from "./simulation.ts";
import { withWorld, type World } from "./world.ts";
import { tempDir } from "../temp_dir.ts";

/** A failure names its seed; more of them search further. */
const SEEDS = [1, 2];
const TURNS = 6;

/** Gives the original behind a hash. */
type Door = (hash: string) => Promise<string>;

/** A text that is long enough to be elided, and hard to write: other line ends, quotes, controls, beyond the BMP. */
function hardText(random: Random, tag: string): string {
  const kinds = Object.values(SAMPLES);
  const text = random.chance(0.7)
    ? random.pick(kinds)(6000 + random.below(9000), 1 + random.below(1e9))
    : toolOutput(random, tag);
  switch (random.below(6)) {
    case 0:
      return text.replaceAll("\n", "\r\n");
    case 1:
      return `${text}\n`;
    case 2:
      return text.replaceAll("a", "ä😀\u2028").replaceAll("worker", '"\\w\t"');
    case 3:
      return `\ufeff${text}\u0000\u007f`;
    default:
      return text;
  }
}

/** The client runs its tools and goes on. */
function withTools(
  talk: Talk,
  turn: Awaited<ReturnType<typeof ask>>["turn"],
): Talk {
  const { random, client, name } = talk;
  const results = turn.calls.map((callId): ToolResult => ({
    callId,
    text: hardText(random, `${name}-${callId}`),
    hasParts: random.chance(0.3),
    isError: random.chance(0.1),
  }));
  const note = turn.calls.length === 0 || random.chance(0.2)
    ? `go on ${talk.elements.length}`
    : undefined;
  return {
    ...talk,
    elements: [
      ...talk.elements,
      ...turn.elements,
      ...client.elements(results, note),
    ],
    originals: [...talk.originals, ...results.map(({ text }) => text)],
  };
}

/** Every hash in every body that left, or nothing was proved. */
function everyMarker({ provider }: World): ReadonlySet<string> {
  const decoder = new TextDecoder();
  const markers = new Set(
    provider.received.flatMap(({ body }) => hashesIn(decoder.decode(body))),
  );
  assert(markers.size > 3, "hardly anything was elided");
  return markers;
}

/** First 24 hex digits of the SHA-256 of the text. */
async function hashOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.toHex().slice(0, 24);
}

/** The model's markers name what the client's tools gave back. */
async function originalsOf(
  talks: readonly Talk[],
): Promise<ReadonlyMap<string, string>> {
  const texts = talks.flatMap(({ originals }) => originals);
  return new Map(
    await Promise.all(
      texts.map(async (text) => [await hashOf(text), text] as const),
    ),
  );
}

/** All of `markers` open at `door`, to exactly the text that was hidden behind them. */
async function assertOpens(
  door: Door,
  markers: ReadonlySet<string>,
  originals: ReadonlyMap<string, string>,
): Promise<void> {
  for (const hash of markers) {
    const original = originals.get(hash);
    assert(original !== undefined, `${hash} stands for no text of a tool`);
    assert.equal(await door(hash), original, hash);
  }
}

const byGet = (url: string): Door => async (hash) => {
  const response = await fetch(`${url}/v1/retrieve/${hash}`);
  const body = await response.json();
  assert.equal(response.status, 200, `${hash}: ${JSON.stringify(body)}`);
  return body.original_content;
};

const byPost = (url: string): Door => async (hash) => {
  const response = await fetch(`${url}/v1/retrieve`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ hash }),
  });
  const body = await response.json();
  assert.equal(response.status, 200, `${hash}: ${JSON.stringify(body)}`);
  return body.original_content;
};

/** The official MCP client, connected while `test` runs. */
async function byMcp(
  transport: Transport,
  test: (door: Door) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  try {
    await test(async (hash) => {
      const result = await client.callTool({
        name: "headroom_retrieve",
        arguments: { hash },
      });
      const found = result.structuredContent as Record<string, unknown>;
      assert(found !== undefined, `${hash}: ${JSON.stringify(result)}`);
      return String(found["original_content"]);
    });
  } finally {
    await client.close();
  }
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** A server process on the files in `dir`, which may ask the proxy at `proxyUrl`. */
function mcpProcess(dir: string, proxyUrl: string): Transport {
  const { PATH = "", HOME = "", DENO_DIR } = Deno.env.toObject();
  return new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "-A", "--no-prompt", "--no-check", MAIN, "mcp", "serve"],
    env: {
      PATH,
      HOME,
      ...DENO_DIR === undefined ? {} : { DENO_DIR },
      SVC_WORKSPACE_DIR: dir,
      SVC_PROXY_URL: proxyUrl,
    },
    stderr: "ignore",
  });
}

for (const seed of SEEDS) {
  Deno.test(`every marker that ever left gives its original back, byte for byte, also after a restart and from another process (seed ${seed})`, async (t) => {
    const model = simulatedModel({ retrieve: 0.3, beside: 0.7 });
    await withWorld({ model, proxies: 2 }, async (world) => {
      let talks = SIMULATED_CLIENTS.map((client) =>
        begin(client, `markers ${seed} ${client.format.id}`)
      );
      for (let turn = 0; turn < TURNS; turn++) {
        talks = await Promise.all(talks.map(async (talk) => {
          const proxy = talk.random.pick(world.proxies);
          const exchange = await ask(world, talk, proxy);
          const next = withTools(talk, exchange.turn);
          return { ...next, requests: [...talk.requests, exchange] };
        }));
      }
      const originals = await originalsOf(talks);
      const markers = everyMarker(world);
      for (const [i, { url }] of world.proxies.entries()) {
        await t.step(`from proxy ${i}`, async () => {
          await assertOpens(byGet(url), markers, originals);
          await assertOpens(byPost(url), markers, originals);
        });
      }
      const { url } = world.proxies[0]!;
      const opens = (door: Door) => assertOpens(door, markers, originals);
      await t.step("by MCP over HTTP", () =>
        byMcp(
          new StreamableHTTPClientTransport(new URL(`${url}/mcp`)),
          opens,
        ));
      if (seed === SEEDS[0]) {
        await t.step(
          "by an MCP server on the same files",
          () => byMcp(mcpProcess(world.dir, "http://127.0.0.1:1"), opens),
        );
        await t.step(
          "by an MCP server that can only ask the proxy",
          async () => {
            await using temp = await tempDir();
            const dir = temp.path;
            await byMcp(mcpProcess(dir, url), opens);
          },
        );
      }
      await world.restart();
      await t.step(
        "after a restart",
        () => opens(byGet(world.proxies[0]!.url)),
      );
    });
  });
}
