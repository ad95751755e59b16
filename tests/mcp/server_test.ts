import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { McpParts } from "../../src/mcp/parts.ts";
import {
  INSTRUCTIONS,
  makeMcpServer,
  mcpHandler,
  TOOL_LIST,
} from "../../src/mcp/server.ts";
import { ENTRY, fakeParts, KEY, structureOf } from "./fake_parts.ts";
import { serveMcpRoute } from "./mcp_server.ts";
import { RETRIEVAL_TOOL_SCHEMA } from "../../src/core/retrieval.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import assert from "node:assert/strict";

/** A client that is connected to a server in this process; closes with the block. */
async function connected(parts: McpParts) {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const server = makeMcpServer(parts);
  await server.connect(theirs);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(mine);
  return Object.assign(client, {
    [Symbol.asyncDispose]: () => client.close(),
  });
}

Deno.test("makeMcpServer names itself, its version and how to use it", async () => {
  await using client = await connected(fakeParts());
  assert.deepEqual(client.getServerVersion(), {
    name: "svc",
    version: "9.8.7",
  });
  assert.match(client.getInstructions() ?? "", /headroom_retrieve/);
});

Deno.test("makeMcpServer lists three tools that read only, stay here and describe their results", async () => {
  await using client = await connected(fakeParts());
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), [
    "headroom_compress",
    "headroom_retrieve",
    "headroom_stats",
  ]);
  for (const { annotations, outputSchema } of tools) {
    assert.equal(annotations?.readOnlyHint, true);
    assert.equal(annotations?.openWorldHint, false);
    assert.equal(outputSchema?.type, "object");
  }
});

Deno.test("makeMcpServer gives results that its client finds valid", async () => {
  await using client = await connected(fakeParts());
  // The client checks structured content only against schemas that it has listed.
  await client.listTools();
  const compressed = await client.callTool({
    name: "headroom_compress",
    arguments: { content: "a long text", query: "x" },
  });
  assert.equal(structureOf(compressed).hash, KEY);
  const retrieved = await client.callTool({
    name: "headroom_retrieve",
    arguments: { hash: KEY },
  });
  assert.equal(structureOf(retrieved).original_content, ENTRY.original);
  const stats = await client.callTool({ name: "headroom_stats" });
  assert.equal(structureOf(stats).stored_originals, 1);
  const missing = await client.callTool({
    name: "headroom_retrieve",
    arguments: { hash: "unknown" },
  });
  assert.equal(missing.isError, true);
});

Deno.test("makeMcpServer drops empty parts of a retrieval", async () => {
  const { retrieve } = fakeParts();
  const asked: unknown[] = [];
  await using client = await connected(fakeParts({
    retrieve: (wanted) => {
      asked.push(wanted);
      return retrieve(wanted);
    },
  }));
  await client.callTool({
    name: "headroom_retrieve",
    arguments: { hash: KEY, lines: "", query: "" },
  });
  assert.deepEqual(asked, [{ hash: KEY }]);
});

Deno.test("makeMcpServer answers wrong arguments with an error result and an unknown tool with a protocol error", async () => {
  await using client = await connected(fakeParts());
  const wrong = await client.callTool({
    name: "headroom_compress",
    arguments: { content: 5 },
  });
  assert.equal(wrong.isError, true);
  const [text] = wrong.content;
  assert.ok(text?.type === "text");
  assert.match(text.text, /content/);
  await assert.rejects(client.callTool({ name: "rm" }), /rm not found/);
});

Deno.test("makeMcpServer answers with an error result when a part fails", async () => {
  await using client = await connected(fakeParts({
    compress: () => Promise.reject(new Error("tables are gone")),
  }));
  const { isError, content: [text] } = await client.callTool({
    name: "headroom_compress",
    arguments: { content: "a" },
  });
  assert.equal(isError, true);
  assert.ok(text?.type === "text");
  assert.match(text.text, /tables are gone/);
});

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };
const FIELDS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Posts to a handler without a server in front. */
function post(
  body: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const handle = mcpHandler(fakeParts(), () => {});
  return handle(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { ...FIELDS, ...fields },
      body,
    }),
  );
}

Deno.test("mcpHandler serves the official client, without a session", async () => {
  await using server = serveMcpRoute(fakeParts());
  const transport = new StreamableHTTPClientTransport(server.url);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 3);
  const result = await client.callTool({
    name: "headroom_retrieve",
    arguments: { hash: KEY },
  });
  assert.equal(structureOf(result).original_content, ENTRY.original);
  assert.equal(transport.sessionId, undefined);
  await client.close();
  assert.deepEqual(server.failures, []);
});

Deno.test("mcpHandler serves a client of the current protocol revision, without a handshake", async () => {
  await using server = serveMcpRoute(fakeParts());
  const client = new Client({ name: "test", version: "1" }, {
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(new StreamableHTTPClientTransport(server.url));
  const result = await client.callTool({
    name: "headroom_compress",
    arguments: { content: "a long text" },
  });
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  assert.equal(structureOf(result).hash, KEY);
  await client.close();
});

Deno.test("mcpHandler answers a request that knows no session, and refuses what no client of the protocol sends", async () => {
  const list = JSON.stringify(LIST);
  const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  const cases: [string, Record<string, string>, number, RegExp?][] = [
    [list, {}, 200, /"result":.*headroom_compress.*headroom_stats/],
    [notification, {}, 202, /^$/],
    [list, { accept: "application/json" }, 406],
    [list, { accept: "text/event-stream" }, 406],
    [list, { accept: "text/html" }, 406],
    [list, { "mcp-protocol-version": "1999-01-01" }, 400, /1999-01-01/],
    ["{bad", {}, 400, /"code":-32700/],
    // A page of another origin could send it unasked.
    [list, { "content-type": "text/plain" }, 415],
    [" ".repeat(2 ** 24 + 1), {}, 413],
  ];
  for (const [body, fields, status, text = /^/] of cases) {
    const response = await post(body, fields);
    assert.equal(response.status, status, JSON.stringify(fields));
    assert.match(await response.text(), text);
  }
});

Deno.test("mcpHandler has no stream to listen to and no session to end", async () => {
  const handle = mcpHandler(fakeParts(), () => {});
  for (const method of ["GET", "DELETE"]) {
    const response = await handle(
      new Request("http://127.0.0.1/mcp", { method, headers: FIELDS }),
    );
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get("allow"), "POST");
  }
});

/** Tokens that the whole list may cost. */
const LIST_BUDGET = 350;
/** Tokens of names, descriptions and arguments: what clients show to the model. */
const SHOWN_BUDGET = 180;
const INSTRUCTIONS_BUDGET = 40;

Deno.test("TOOL_LIST costs a client few tokens", async () => {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await makeMcpServer(fakeParts()).connect(theirs);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(mine);
  const { tools } = await client.listTools();
  await client.close();
  const counter = await openTokenCounter();
  const count = (value: unknown) => counter.count(JSON.stringify(value), "");
  const shown = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  const costs = {
    list: count({ tools }),
    shown: count(shown),
    instructions: count(INSTRUCTIONS),
  };
  assert.ok(costs.list <= LIST_BUDGET, JSON.stringify(costs));
  assert.ok(costs.shown <= SHOWN_BUDGET, JSON.stringify(costs));
  assert.ok(costs.instructions <= INSTRUCTIONS_BUDGET, JSON.stringify(costs));
});

Deno.test("TOOL_LIST takes the same arguments for a retrieval as the proxy's own tool", () => {
  assert.equal(TOOL_LIST.headroom_retrieve.input, RETRIEVAL_TOOL_SCHEMA);
});
