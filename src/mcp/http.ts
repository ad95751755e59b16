/** MCP over HTTP: one request, one answer, no sessions. @module */
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { McpParts } from "./parts.ts";
import { makeMcpServer } from "./server.ts";

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
