import assert from "node:assert/strict";
import { join } from "node:path";
import type { McpIo } from "../../src/mcp/open.ts";
import { openMcp } from "../../src/mcp/open.ts";
import { eventTotals } from "../../src/mcp/session_stats.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { structureOf } from "./fake_parts.ts";
import { LONG_LOG } from "./long_log.ts";
import { tempDir } from "../temp_dir.ts";

type Answer = {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text: string }[];
};

/** A server in this process, and a client that speaks to it line by line. */
async function world(env: Record<string, string>, io: Partial<McpIo> = {}) {
  const logged: string[] = [];
  const answers = new Map<unknown, (result: Answer) => void>();
  const input = new TransformStream<Uint8Array, Uint8Array>(
    {},
    { highWaterMark: 100 },
  );
  const writer = input.writable.getWriter();
  const server = await openMcp(resolveConfig({ env }), {
    input: input.readable,
    write(bytes) {
      const { id, result } = JSON.parse(new TextDecoder().decode(bytes));
      answers.get(id)?.(result);
      return Promise.resolve();
    },
    clock: { now: () => 1_000_000, monotonic: () => 0 },
    log: (_, event) => void logged.push(event),
    debug: undefined,
    proxy: undefined,
    ...io,
  });
  const ask = (method: string, params: unknown) => {
    const id = answers.size + 1;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.set(id, resolve);
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
    void writer.write(new TextEncoder().encode(line));
    return promise;
  };
  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  return {
    logged,
    server,
    call: (name: string, given: unknown) =>
      ask("tools/call", { name: `headroom_${name}`, arguments: given }),
    async [Symbol.asyncDispose]() {
      await writer.close();
      await server.finished;
    },
  };
}

Deno.test("openMcp keeps what it compresses where every process of the workspace finds it", async () => {
  await using place = await tempDir();
  const env = { SVC_WORKSPACE_DIR: place.path };
  let hash: unknown;
  {
    await using first = await world(env);
    const result = await first.call("compress", { content: LONG_LOG });
    const compressed = structureOf(result);
    hash = compressed.hash;
    assert.ok(String(compressed.compressed).includes(String(hash)));
    assert.ok(Number(compressed.savings_percent) > 80);
    // A second process, while the first one runs.
    await using second = await world(env);
    const found = structureOf(await second.call("retrieve", { hash }));
    assert.equal(found.original_content, LONG_LOG);
    assert.equal(found.source, "local");
    assert.equal(found.retrieval_count, 1);
  }
  await using third = await world(env);
  const again = structureOf(await third.call("retrieve", { hash }));
  assert.equal(again.original_content, LONG_LOG);
  assert.equal(again.retrieval_count, 2);
  const stats = structureOf(await third.call("stats", {}));
  assert.equal(stats.stored_originals, 1);
  assert.equal(stats.stored_retrievals, 2);
  assert.equal(stats.session_retrievals, 1);
  assert.equal(stats.session_compressions, 0);
});

Deno.test("openMcp writes no file before a tool is called", async () => {
  await using place = await tempDir();
  {
    await using _idle = await world({ SVC_WORKSPACE_DIR: place.path });
  }
  assert.deepEqual(await Array.fromAsync(Deno.readDir(place.path)), []);
});

Deno.test("openMcp gives the original of a text back that it left alone", async () => {
  await using place = await tempDir();
  await using client = await world({ SVC_WORKSPACE_DIR: place.path });
  const { compressed, hash, transforms } = structureOf(
    await client.call("compress", { content: "short\n" }),
  );
  assert.equal(compressed, "short\n");
  assert.deepEqual(transforms, []);
  const found = structureOf(await client.call("retrieve", { hash }));
  assert.equal(found.original_content, "short\n");
});

Deno.test("openMcp writes its events, without any content", async () => {
  await using place = await tempDir();
  {
    await using client = await world({ SVC_WORKSPACE_DIR: place.path });
    const { hash } = structureOf(
      await client.call("compress", { content: LONG_LOG, query: "hush" }),
    );
    await client.call("retrieve", { hash, query: "hush" });
    await client.call("retrieve", { hash });
  }
  const text = await Deno.readTextFile(
    join(place.path, "session_stats.jsonl"),
  );
  assert.ok(!/hush|ERROR/.test(text));
  const { compressions, retrievals, tokens_saved } = await eventTotals(
    place.path,
  );
  assert.equal(compressions, 1);
  assert.ok(retrievals >= 1);
  assert.ok(tokens_saved > 1000);
});

Deno.test("openMcp leaves nothing behind when it is stateless", async () => {
  await using place = await tempDir();
  const env = { SVC_WORKSPACE_DIR: place.path, SVC_STATELESS: "true" };
  {
    await using client = await world(env);
    const { hash } = structureOf(
      await client.call("compress", { content: LONG_LOG }),
    );
    const found = structureOf(await client.call("retrieve", { hash }));
    assert.equal(found.original_content, LONG_LOG);
  }
  assert.deepEqual(await Array.fromAsync(Deno.readDir(place.path)), []);
});

Deno.test("openMcp leaves nothing out and keeps nothing where SVC_NO_CCR says so", async () => {
  await using client = await world({ SVC_STATELESS: "1", SVC_NO_CCR: "1" });
  const result = structureOf(
    await client.call("compress", { content: LONG_LOG }),
  );
  assert.equal(result.hash, undefined);
  assert.ok(!/omitted|Retrieve/.test(String(result.compressed)));
  const stats = structureOf(await client.call("stats", {}));
  assert.equal(stats.stored_originals, 0);
});

Deno.test("openMcp goes on in memory when its file cannot be used", async () => {
  await using place = await tempDir();
  const path = join(place.path, "ccr_store.db");
  await Deno.writeTextFile(path, "no database, and no room for one either");
  await using client = await world({ SVC_WORKSPACE_DIR: place.path });
  const { hash } = structureOf(
    await client.call("compress", { content: LONG_LOG }),
  );
  const found = structureOf(await client.call("retrieve", { hash }));
  assert.equal(found.original_content, LONG_LOG);
  assert.deepEqual(client.logged, ["ccr_store_unavailable"]);
});

const HASH = "f".repeat(24);
const FOUND = {
  hash: HASH,
  original_content: LONG_LOG,
  original_tokens: 10,
  original_item_count: 801,
  compressed_item_count: 9,
  tool_name: "Bash",
  retrieval_count: 3,
};

/** What a server answers to `wanted` whose proxy answers so, and what that was asked. */
async function asked(
  wanted: object,
  answer: () => Response,
  path = "",
) {
  const asked: unknown[] = [];
  const said: string[] = [];
  await using proxy = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      asked.push([new URL(request.url).pathname, await request.json()]);
      return answer();
    },
  );
  const url = new URL(`http://127.0.0.1:${proxy.addr.port}${path}`);
  const debug = (line: string) => void said.push(line);
  await using client = await world({ SVC_STATELESS: "1" }, {
    proxy: url,
    debug,
  });
  const result = await client.call("retrieve", { hash: HASH, ...wanted });
  return { result, asked, said };
}

Deno.test("openMcp asks a proxy on a real port, below the path that it has", async () => {
  const { result, asked: [question] } = await asked(
    { query: "a" },
    () => Response.json(FOUND),
    "/p/web/",
  );
  const { original_tokens: _, tool_name: __, ...rest } = FOUND;
  assert.deepEqual(structureOf(result), { ...rest, source: "proxy" });
  const body = { hash: HASH, query: "a" };
  assert.deepEqual(question, ["/p/web/v1/retrieve", body]);
});

Deno.test("openMcp takes the part that a proxy gives, with its own tokens", async () => {
  const part = { ...FOUND, part: "lines 1-2 of 801", part_tokens: 5 };
  const { result, said } = await asked(
    { lines: "1-2" },
    () => Response.json(part),
  );
  assert.equal(structureOf(result).part, "lines 1-2 of 801");
  assert.match(said.join(), /5 -> 5 tokens/);
});

Deno.test("openMcp says why a part is not there, and takes other refusals and strange answers for nothing", async () => {
  const refusal = (status: number, detail: unknown = "no line 9") => () =>
    Response.json({ detail }, { status });
  const cases: [object, () => Response, RegExp, RegExp?][] = [
    [{ lines: "9" }, refusal(400), /no line 9/],
    [{}, refusal(400), /Entry not found/, /status 400/],
    [{ lines: "9" }, refusal(400, 5), /Entry not found/],
    [{ lines: "9" }, refusal(404), /Entry not found/, /status 404/],
    [{ path: "a" }, () => new Response("<html>"), /Entry not/, /SyntaxError/],
    [{ path: "a" }, () => Response.json(null), /Entry not found/],
    [{ path: "a" }, () => Response.json({ hash: HASH }), /Entry not found/],
  ];
  for (const [wanted, answer, text, reason = /^/] of cases) {
    const { result, said } = await asked(wanted, answer);
    assert.equal(result.isError, true);
    assert.match(result.content[0]!.text, text);
    assert.match(said.join(), reason);
  }
});

Deno.test("openMcp answers when no proxy is there", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const proxy = new URL(`http://127.0.0.1:${listener.addr.port}`);
  listener.close();
  await using client = await world({ SVC_STATELESS: "1" }, { proxy });
  const result = await client.call("retrieve", { hash: HASH });
  assert.equal(result.isError, true);
  assert.match(result.content[0]!.text, /Entry not found/);
});

Deno.test("openMcp finishes when it is stopped", async () => {
  const client = await world({ SVC_STATELESS: "1" });
  await client.call("stats", {});
  await client.server.stop();
  await client.server.finished;
});
