/** Every marker that ever left gives back the exact text of the tool result that it stands for, by every door. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { tempDir } from "../temp_dir.ts";
import { grow, property } from "./properties.ts";
import { hashesIn } from "./simulated_model.ts";
import { ask, proceed } from "./simulation.ts";

/** Gives the original behind a hash. */
type Door = (hash: string) => Promise<string>;

/** Asks a route of the proxy. */
const byRoute =
  (url: string, body?: (hash: string) => string): Door => async (hash) => {
    const path = body ? "/v1/retrieve" : `/v1/retrieve/${hash}`;
    const response = await fetch(url + path, {
      ...body && { method: "POST", body: body(hash) },
      headers: { "content-type": "application/json" },
    });
    const answer = await response.json();
    assert.equal(response.status, 200, `${hash}: ${JSON.stringify(answer)}`);
    return answer.original_content;
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

property(
  "M1",
  "every marker that ever left gives its original back, byte for byte, by every door, also after a restart and from another process",
  {
    habits: { retrieve: 0.3, beside: 0.7 },
    perFormat: 2,
    proxies: 2,
    async test({ world, seed, talks }) {
      const { provider, proxies, dir } = world;
      talks = await grow(talks, 6, async (talk) => {
        const proxy = talk.random.pick(proxies);
        return proceed(talk, await ask(world, talk, proxy));
      });
      const originals = new Map(
        talks.flatMap(({ originals }) => originals).map((text) => {
          const digest = createHash("sha256").update(text).digest("hex");
          return [digest.slice(0, 24), text];
        }),
      );
      const hashes = provider.received.flatMap(({ text }) => hashesIn(text));
      const markers = new Set(hashes);
      assert(markers.size > 3, "hardly anything was elided");
      const opens = async (door: Door) => {
        for (const hash of markers) {
          const original = originals.get(hash);
          assert(
            original !== undefined,
            `${hash} stands for no text of a tool`,
          );
          assert.equal(await door(hash), original, hash);
        }
      };
      for (const { url } of proxies) {
        await opens(byRoute(url));
        await opens(byRoute(url, (hash) => JSON.stringify({ hash })));
      }
      const { url } = proxies[0]!;
      const http = new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
      await byMcp(http, opens);
      if (seed === 1) {
        await using empty = await tempDir();
        // On the same files without a proxy, and with nothing but the proxy.
        await byMcp(mcpProcess(dir, "http://127.0.0.1:1"), opens);
        await byMcp(mcpProcess(empty.path, url), opens);
      }
      await world.restart();
      await opens(byRoute(proxies[0]!.url));
    },
  },
);
