import assert from "node:assert/strict";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { RETRIEVAL_TOOL_SCHEMA } from "../../src/core/retrieval.ts";
import { makeMcpServer } from "../../src/mcp/server.ts";
import { INSTRUCTIONS, TOOL_LIST } from "../../src/mcp/tool_list.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import { fakeParts } from "./fake_parts.ts";

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
