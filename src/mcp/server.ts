/** The MCP server: svc's tools on the official SDK. @module */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { RETRIEVAL_TOOL, retrievalArguments } from "../core/retrieval.ts";
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { McpParts } from "./parts.ts";
import {
  COMPRESS_TOOL,
  INSTRUCTIONS,
  STATS_TOOL,
  TOOL_LIST,
} from "./tool_list.ts";
import {
  type CompressArguments,
  compressTool,
  retrieveTool,
  statsTool,
} from "./tools.ts";

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
  const { description, annotations, input, output } = TOOL_LIST[name];
  return {
    description,
    annotations,
    inputSchema: fromJsonSchema<Arguments>(input, validator),
    outputSchema: fromJsonSchema(output, validator),
  };
}
