/** Routes that say whether the service lives: no token, no limit keeps a supervisor from asking. @module */
import type { Context } from "hono";
import type { ProxyEnv } from "../env.ts";

const HEALTH_PATHS: ReadonlySet<string> = new Set([
  "/health",
  "/healthz",
  "/livez",
  "/readyz",
]);

/** Whether the request in `c` asks for one of them. */
export function asksForHealth({ req }: Context<ProxyEnv>): boolean {
  return /^(?:GET|HEAD)$/.test(req.method) && HEALTH_PATHS.has(req.path);
}
