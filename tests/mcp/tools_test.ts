import assert from "node:assert/strict";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RetrievalArguments } from "../../src/core/retrieval.ts";
import type { McpEvent, McpParts } from "../../src/mcp/parts.ts";
import {
  type CompressArguments,
  compressTool,
  retrieveTool,
  statsTool,
} from "../../src/mcp/tools.ts";
import golden from "../golden/mcp/tools.json" with { type: "json" };
import { fakeParts, KEY } from "./fake_parts.ts";

/** A call of a tool with parts of its own. */
interface Case {
  readonly parts?: Partial<McpParts>;
  call(parts: McpParts): Promise<CallToolResult>;
}

function compress(
  given: CompressArguments,
  compress?: McpParts["compress"],
): Case {
  const call = (parts: McpParts) => compressTool(parts, given);
  return { call, ...compress && { parts: { compress } } };
}

function retrieve(
  given: RetrievalArguments,
  parts: Partial<McpParts> = {},
): Case {
  return { parts, call: (parts) => retrieveTool(parts, given) };
}

const UNKNOWN = "f".repeat(24);
const askProxy = () => assert.fail("must not be asked");
/** A proxy whose original is what it was asked for. */
const echo: NonNullable<McpParts["askProxy"]> = (wanted) =>
  Promise.resolve({
    hash: wanted.hash,
    original_content: JSON.stringify(wanted),
    original_item_count: 1,
    compressed_item_count: 0,
    retrieval_count: 7,
    tokens: 1,
  });
const unkept = { hash: undefined, tokensBefore: 0, tokensAfter: 0 };
const tooShort = { ...unkept, strategy: "", reason: "too_short" };

const CASES: Readonly<Record<string, Case>> = {
  "a text that is compressed": compress({ content: "a long text" }),
  "a query that is handed on": compress(
    { content: "a", query: "port" },
    (_, text) => Promise.resolve({ ...tooShort, text }),
  ),
  "an original that could not be kept": compress(
    { content: " " },
    (text) => Promise.resolve({ ...tooShort, text }),
  ),
  "an empty text": compress({ content: "" }, askProxy),
  "an original of the local store": retrieve({ hash: KEY }, { askProxy }),
  "an original of a store that cannot count": retrieve({ hash: KEY }, {
    retrievalCount: () => Promise.resolve(0),
  }),
  "a part": retrieve({ hash: KEY, lines: "1" }),
  "an unknown hash": retrieve({ hash: UNKNOWN }),
  "an original of the proxy": retrieve(
    { hash: `hash=${UNKNOWN}]`, query: "x" },
    { askProxy: echo },
  ),
  "a part that the original of the proxy does not have": retrieve(
    { hash: UNKNOWN, lines: "9" },
    { askProxy: () => Promise.resolve("no line 9") },
  ),
  "a part that the local original does not have": retrieve(
    { hash: KEY, lines: "9" },
    { askProxy },
  ),
  "numbers": { call: statsTool },
};

for (const [says, { parts, call }] of Object.entries(CASES)) {
  Deno.test(`a tool answers as the golden file has it: ${says}`, async () => {
    const events: McpEvent[] = [];
    const result = await call(fakeParts(parts, events));
    const all: Readonly<Record<string, unknown>> = golden;
    assert.deepEqual(JSON.parse(JSON.stringify({ result, events })), all[says]);
    const last = result.content.at(-1)!;
    assert.ok(last.type === "text");
    const { structuredContent = JSON.parse(last.text) } = result;
    assert.deepEqual(JSON.parse(last.text), structuredContent);
  });
}
