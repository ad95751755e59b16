import assert from "node:assert/strict";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpParts } from "../../src/mcp/parts.ts";
import { makeMcpServer } from "../../src/mcp/server.ts";
import { ENTRY, fakeParts, KEY, structureOf } from "./fake_parts.ts";

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
