import assert from "node:assert/strict";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { McpEvent } from "../../src/mcp/parts.ts";
import { compressTool, retrieveTool, statsTool } from "../../src/mcp/tools.ts";
import { ENTRY, fakeParts, KEY, structureOf } from "./fake_parts.ts";

/** The last text of a result, which is its JSON. */
function jsonOf({ content }: CallToolResult): Record<string, unknown> {
  const last = content.at(-1)!;
  assert.ok(last.type === "text");
  return JSON.parse(last.text);
}

Deno.test("compressTool gives numbers and the key, as structure and as the same JSON", async () => {
  const events: McpEvent[] = [];
  const result = await compressTool(fakeParts({}, events), {
    content: "a long text",
  });
  assert.deepEqual(result.structuredContent, {
    compressed: "a lo",
    hash: KEY,
    original_tokens: 1000,
    compressed_tokens: 334,
    tokens_saved: 666,
    savings_percent: 66.6,
    transforms: ["log"],
    note: "headroom_retrieve gives the original back",
  });
  assert.deepEqual(jsonOf(result), result.structuredContent);
  assert.equal(result.isError, undefined);
  assert.deepEqual(events, [
    { type: "compress", tokensBefore: 1000, tokensAfter: 334, hash: KEY },
  ]);
});

Deno.test("compressTool hands the query on", async () => {
  const queries: string[] = [];
  const { compress } = fakeParts();
  const parts = fakeParts({
    compress: (text, query) => {
      queries.push(query);
      return compress(text, query);
    },
  });
  await compressTool(parts, { content: "a", query: "port" });
  await compressTool(parts, { content: "a" });
  assert.deepEqual(queries, ["port", ""]);
});

Deno.test("compressTool names no key and says so when the original could not be kept", async () => {
  const parts = fakeParts({
    compress: (text) =>
      Promise.resolve({
        text,
        hash: undefined,
        tokensBefore: 0,
        tokensAfter: 0,
        strategy: "",
        reason: "too_short",
      }),
  });
  const { structuredContent } = await compressTool(parts, { content: " " });
  assert.deepEqual(structuredContent, {
    compressed: " ",
    original_tokens: 0,
    compressed_tokens: 0,
    tokens_saved: 0,
    savings_percent: 0,
    transforms: [],
    note:
      "unchanged (too short); the original could not be kept, so nothing was left out",
  });
});

Deno.test("compressTool answers an empty text with an error that the model can read", async () => {
  const result = await compressTool(fakeParts(), { content: "" });
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent, undefined);
  assert.equal(jsonOf(result).error, "content is empty");
});

Deno.test("retrieveTool gives the exact original from the local store", async () => {
  const events: McpEvent[] = [];
  const result = await retrieveTool(fakeParts({}, events), { hash: KEY });
  assert.deepEqual(result.structuredContent, {
    hash: KEY,
    source: "local",
    original_content: ENTRY.original,
    original_item_count: 2,
    compressed_item_count: 1,
    retrieval_count: 3,
  });
  assert.deepEqual(jsonOf(result), result.structuredContent);
  assert.deepEqual(events, [
    { type: "retrieve", tokensBefore: 8, tokensAfter: 8, hash: KEY },
  ]);
});

Deno.test("retrieveTool counts one retrieval when the store cannot count", async () => {
  const parts = fakeParts({ retrievalCount: () => Promise.resolve(0) });
  const result = await retrieveTool(parts, { hash: KEY });
  assert.equal(structureOf(result).retrieval_count, 1);
});

Deno.test("retrieveTool says which part it gives", async () => {
  const parts = fakeParts({
    retrieve: () =>
      Promise.resolve({
        success: true,
        entry: ENTRY,
        items: 1,
        tokens: 2,
        data: {
          hash: KEY,
          original_content: "first\n",
          original_item_count: 2,
          compressed_item_count: 1,
          part: "lines 1-1 of 2",
        },
      }),
  });
  const result = await retrieveTool(parts, { hash: KEY, lines: "1" });
  assert.equal(structureOf(result).part, "lines 1-1 of 2");
});

Deno.test("retrieveTool answers an unknown hash with error, hash and hint", async () => {
  const events: McpEvent[] = [];
  const hash = "f".repeat(24);
  const result = await retrieveTool(fakeParts({}, events), { hash });
  assert.equal(result.isError, true);
  const { error, hint, ...rest } = jsonOf(result);
  assert.deepEqual(rest, { hash });
  assert.match(String(error), /^Entry not found/);
  assert.match(String(hint), /run the tool .* again/);
  assert.deepEqual(events, []);
});

Deno.test("retrieveTool asks the proxy for what the local store does not have", async () => {
  const asked: unknown[] = [];
  const hash = "f".repeat(24);
  const original = {
    hash,
    original_content: "there",
    original_item_count: 1,
    compressed_item_count: 0,
    retrieval_count: 7,
  };
  const parts = fakeParts({
    askProxy: (wanted) => {
      asked.push(wanted);
      return Promise.resolve({ ...original, tokens: 1 });
    },
  });
  const marker = `hash=${hash}]`;
  const result = await retrieveTool(parts, { hash: marker, query: "x" });
  assert.deepEqual(result.structuredContent, { ...original, source: "proxy" });
  assert.deepEqual(asked, [{ hash, query: "x" }]);
  await retrieveTool(parts, { hash: KEY });
  assert.equal(asked.length, 1);
});

Deno.test("retrieveTool says what the proxy says about a part that is not there", async () => {
  const parts = fakeParts({ askProxy: () => Promise.resolve("no line 9") });
  const result = await retrieveTool(parts, {
    hash: "f".repeat(24),
    lines: "9",
  });
  assert.equal(result.isError, true);
  assert.equal(jsonOf(result).error, "no line 9");
  assert.match(String(jsonOf(result).hint), /whole original/);
});

Deno.test("retrieveTool asks no proxy about a part that the local original does not have", async () => {
  const parts = fakeParts({
    retrieve: ({ hash }) =>
      Promise.resolve({
        success: false,
        data: { error: "no line 9", hash, status: "bad_part", ttl_seconds: 1 },
      }),
    askProxy: () => assert.fail("must not be asked"),
  });
  const result = await retrieveTool(parts, { hash: KEY, lines: "9" });
  assert.equal(jsonOf(result).error, "no line 9");
});

Deno.test("statsTool gives numbers only, and a summary before their JSON", async () => {
  const result = await statsTool(fakeParts());
  assert.deepEqual(result.structuredContent, {
    session_compressions: 2,
    session_tokens_saved: 666,
    session_retrievals: 1,
    session_tokens_retrieved: 8,
    stored_originals: 1,
    stored_bytes: 18,
    stored_original_tokens: 8,
    stored_compressed_tokens: 3,
    stored_retrievals: 5,
  });
  assert.deepEqual(jsonOf(result), result.structuredContent);
  const [summary] = result.content;
  assert.ok(summary?.type === "text");
  assert.match(summary.text, /2 compressed, 666 tokens saved/);
});
