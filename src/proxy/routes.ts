/** The route list. @module */
import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { getPath } from "hono/utils/url";
import { splitProject } from "./attribution.ts";
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

/** A row of what is read. */
export function get(
  path: string,
  handler: Handler<ProxyEnv>,
  gates: NonNullable<Route["gates"]> = [],
): Route {
  return { method: "GET", path, gates, handler };
}

/** A row of what changes or asks for something. */
export function post(
  path: string,
  handler: Handler<ProxyEnv>,
  gates: NonNullable<Route["gates"]>,
): Route {
  return { method: "POST", path, gates, handler };
}

/** What stands round all routes. */
export interface AppParts {
  /** Asked before every route, in order. */
  readonly gates: readonly MiddlewareHandler<ProxyEnv>[];
  /** Answers for a handler that threw. */
  readonly onError: (error: unknown) => Response;
}

/** Builds the app; the first row that fits answers. A row for `GET` answers `HEAD` too. */
export function makeApp(
  routes: readonly Route[],
  { gates, onError }: AppParts,
): Hono<ProxyEnv> {
  const app = new Hono<ProxyEnv>({
    getPath: (request) => splitProject(getPath(request)).path,
  });
  if (gates.length > 0) app.use("*", ...gates);
  for (const { method, path, gates = [], handler } of routes) {
    // Behind the gates: a refusal must look like that of a route without a row.
    const head = method === "GET" ? [keepHeadLength()] : [];
    app.on(method, [path], ...gates, ...head, handler);
  }
  app.onError(onError);
  return app;
}

/**
 * Makes the gate of an own `GET` route: its answer to `HEAD` says the length that
 * the answer to `GET` has; the runtime would say 0. For answers with a finished body.
 */
export function keepHeadLength(): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    await next();
    if (c.req.raw.method !== "HEAD" || c.res.body === null) return;
    const { status, headers, body } = c.res;
    const { length } = await new Response(body).bytes();
    const answer = new Response(null, { status, headers });
    answer.headers.set("content-length", `${length}`);
    c.res = answer;
  };
}

/** An answer in JSON of which no cache keeps a copy: what it says is nobody else's business. */
export function noStore(body: unknown, status = 200): Response {
  const headers = { "cache-control": "no-store" };
  return Response.json(body, { status, headers });
}
