/** The MCP server: svc's tools on the official SDK, as clients see them. Every client pays for these words on every turn. @module */
import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
} from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import {
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
  type RetrievalArguments,
  retrievalArguments,
} from "../core/retrieval.ts";
import type { McpParts } from "./parts.ts";
import {
  type CompressArguments,
  compressTool,
  retrieveTool,
  statsTool,
} from "./tools.ts";

/** Name of the tool that compresses. */
const COMPRESS_TOOL = "headroom_compress";
/** Name of the tool that reports. */
const STATS_TOOL = "headroom_stats";

/** What the model reads once, beside the descriptions. */
export const INSTRUCTIONS =
  `Shorten long text with ${COMPRESS_TOOL}. Where a text says that something was left out, ${RETRIEVAL_TOOL} gives it back by its hash.`;

/** Nothing outside svc's own store changes, and nothing leaves this machine. */
const ANNOTATIONS = {
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const TEXT = { type: "string" } as const;

/** An object with these members; all others are numbers. */
function numbersAnd<const Members>(properties: Members) {
  const additionalProperties = { type: "number" } as const;
  return { type: "object", properties, additionalProperties } as const;
}

/** Arguments, results and descriptions by tool, as JSON Schema. */
export const TOOL_LIST = {
  [COMPRESS_TOOL]: {
    description:
      "Shorten long output, e.g. logs, JSON, code; keeps the original.",
    input: {
      type: "object",
      properties: {
        content: TEXT,
        query: { ...TEXT, description: "What to look for" },
      },
      required: ["content"],
    },
    output: numbersAnd({
      ...{ compressed: TEXT, hash: TEXT, transforms: { type: "array" } },
      note: TEXT,
    }),
  },
  [RETRIEVAL_TOOL]: {
    description: RETRIEVAL_TOOL_DESCRIPTION,
    input: RETRIEVAL_TOOL_SCHEMA,
    output: numbersAnd(
      { hash: TEXT, source: TEXT, original_content: TEXT, part: TEXT },
    ),
  },
  [STATS_TOOL]: {
    description: "Tokens saved so far, originals kept.",
    input: { type: "object", properties: {} },
    output: { type: "object", additionalProperties: { type: "number" } },
  },
} as const;

/** Generates no code, unlike the SDK's default, and is ready at once. */
const validator = new CfWorkerJsonSchemaValidator();
const compress = toolConfig<CompressArguments>(COMPRESS_TOOL);
const retrieve = toolConfig<RetrievalArguments>(RETRIEVAL_TOOL);
const stats = toolConfig<Readonly<Record<string, unknown>>>(STATS_TOOL);

/** Makes a server for one connection, or for one request over HTTP. Cheap: the schemas are shared. */
export function makeMcpServer(parts: McpParts): McpServer {
  const server = new McpServer(
    { name: "svc", version: parts.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false } },
    },
  );
  server.registerTool(
    COMPRESS_TOOL,
    compress,
    (given) => compressTool(parts, given),
  );
  server.registerTool(
    RETRIEVAL_TOOL,
    retrieve,
    (given) => retrieveTool(parts, retrievalArguments({ ...given })),
  );
  server.registerTool(STATS_TOOL, stats, () => statsTool(parts));
  return server;
}

function toolConfig<Arguments>(name: keyof typeof TOOL_LIST) {
  const { description, input, output } = TOOL_LIST[name];
  return {
    description,
    annotations: ANNOTATIONS,
    inputSchema: fromJsonSchema<Arguments>(input, validator),
    outputSchema: fromJsonSchema(output, validator),
  };
}

/** Largest request body in bytes: 16 MiB. It is parsed on the server thread. */
const MAX_BODY_BYTES = 2 ** 24;

/**
 * Makes the handler of `/mcp`, for all methods. It checks neither peer nor Host nor Origin: gates do.
 *
 * @param onFailure Told of requests that were refused and of failures inside the SDK.
 */
export function mcpHandler(
  parts: McpParts,
  onFailure: (error: Error) => void,
): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(() => makeMcpServer(parts), {
    onerror: onFailure,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  return (request) => handler.fetch(request);
}
