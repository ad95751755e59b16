/** `/mcp` behind the gates that it stands behind in the proxy, on a port of its own. @module */
import type { Log } from "../../src/core/log.ts";
import { mcpHandler } from "../../src/mcp/server.ts";
import type { McpParts } from "../../src/mcp/parts.ts";
import { errorHandler } from "../../src/proxy/errors.ts";
import { makeApp } from "../../src/proxy/routes.ts";
import { serve } from "../../src/proxy/server.ts";
import {
  requireLoopback,
  requireSameOrigin,
} from "../../src/proxy/gates/trusted.ts";

/** Serves until the block ends. */
export function serveMcpRoute(parts: McpParts) {
  const log: Log = () => {};
  const failures: string[] = [];
  const handle = mcpHandler(
    parts,
    ({ message }) => void failures.push(message),
  );
  const app = makeApp([{
    method: "ALL",
    path: "/mcp",
    gates: [requireLoopback(log), requireSameOrigin()],
    handler: (c) => handle(c.req.raw),
  }], { gates: [], onError: errorHandler(log) });
  const server = serve((request, env) => app.fetch(request, env), {
    host: "127.0.0.1",
    port: 0,
    log,
  });
  return {
    url: new URL(`http://127.0.0.1:${server.port}/mcp`),
    failures,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
