/** Paths that are ours in every spelling: what is meant for them never goes to a provider. @module */
import type { MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { notFound } from "../errors.ts";

/** Routes that take texts of the user's or change the service, and everything below them. */
const OWN = /^\/+(?:mcp|cache\/+clear|v1\/+(?:compress|retrieve))(?:\/|$)/i;

/** Makes the gate of the route that forwards everything else: an own path with a mistake in it gets 404. */
export function refuseOwnPaths(): MiddlewareHandler<ProxyEnv> {
  return async (c, next) =>
    isOwnPath(c.req.raw.url) ? notFound() : await next();
}

/** Whether the path of `url` belongs to an own route, however it is written. */
export function isOwnPath(url: string): boolean {
  const { pathname } = new URL(url);
  try {
    return OWN.test(decodeURIComponent(pathname));
  } catch (error) {
    if (error instanceof URIError) {
      return OWN.test(withoutAsciiEscapes(pathname));
    }
    throw error;
  }
}

/** What can be decoded of a path that is no UTF-8 as a whole. */
function withoutAsciiEscapes(pathname: string): string {
  return pathname.replace(
    /%([0-7][\da-f])/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  );
}
