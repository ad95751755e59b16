/** The route list. @module */
import type { Handler, MiddlewareHandler } from "hono";
import { Hono } from "hono";
import type { ProxyEnv } from "./env.ts";

/** One row: what answers a method and path. */
export interface Route {
  /** HTTP method, or `ALL`. */
  readonly method: "GET" | "POST" | "ALL";
  /** Hono path pattern. */
  readonly path: string;
  /** Asked before the handler, in order. */
  readonly gates?: readonly MiddlewareHandler<ProxyEnv>[];
  /** Answers. */
  readonly handler: Handler<ProxyEnv>;
}

/**
 * Builds the app; the first row that fits answers.
 *
 * @param onError Answers for a handler that threw.
 */
export function makeApp(
  routes: readonly Route[],
  onError: (error: unknown) => Response,
): Hono<ProxyEnv> {
  const app = new Hono<ProxyEnv>();
  for (const { method, path, gates = [], handler } of routes) {
    app.on(method, [path], ...gates, handler);
  }
  app.onError(onError);
  return app;
}
