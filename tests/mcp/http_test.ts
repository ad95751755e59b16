import assert from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { mcpHandler } from "../../src/mcp/http.ts";
import { ENTRY, fakeParts, KEY, structureOf } from "./fake_parts.ts";
import { serveMcpRoute } from "./mcp_server.ts";

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

/** The JSON-RPC message in a response, whichever way it came. */
async function messageOf(response: Response) {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
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

Deno.test("mcpHandler answers a request that knows no session", async () => {
  const response = await post(JSON.stringify(LIST));
  assert.equal(response.status, 200);
  assert.equal((await messageOf(response)).result.tools.length, 3);
});

Deno.test("mcpHandler takes notifications without an answer", async () => {
  const response = await post(
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  );
  assert.equal(response.status, 202);
  assert.equal(await response.text(), "");
});

Deno.test("mcpHandler refuses a request that does not accept both kinds of answer", async () => {
  for (const accept of ["application/json", "text/event-stream", "text/html"]) {
    const { status } = await post(JSON.stringify(LIST), { accept });
    assert.equal(status, 406, accept);
  }
});

Deno.test("mcpHandler refuses protocol versions that it does not know", async () => {
  const response = await post(JSON.stringify(LIST), {
    "mcp-protocol-version": "1999-01-01",
  });
  assert.equal(response.status, 400);
  assert.match((await messageOf(response)).error.message, /1999-01-01/);
});

Deno.test("mcpHandler answers malformed JSON with a parse error", async () => {
  const response = await post("{bad");
  assert.equal(response.status, 400);
  assert.equal((await messageOf(response)).error.code, -32700);
});

Deno.test("mcpHandler refuses a body that a page of another origin could send unasked", async () => {
  const { status } = await post(JSON.stringify(LIST), {
    "content-type": "text/plain",
  });
  assert.equal(status, 415);
});

Deno.test("mcpHandler refuses a body of more than 16 MiB", async () => {
  const { status } = await post(" ".repeat(2 ** 24 + 1));
  assert.equal(status, 413);
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
