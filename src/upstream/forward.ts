/** Building and sending the upstream request. @module */
import { ServiceError } from "../core/errors.ts";
import type { Send, Upstream } from "../core/upstream.ts";

/** Body of an upstream request; `null` for none. */
export type UpstreamBody = Uint8Array | ReadableStream<Uint8Array> | null;

/** What leaves instead of the client's own. */
export interface UpstreamParts {
  /** The bytes to send, or a stream of them (sent in chunks, without a length). */
  readonly body: UpstreamBody;
  /** The fields to send, after the header policy. */
  readonly headers: Headers;
  /** Ends the upstream request; the client's own signal unless given. */
  readonly signal?: AbortSignal;
}

/** Methods that may not have a body in the fetch standard. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Methods that cannot be forwarded: a tunnel, and an echo of the credentials. */
const REFUSED: ReadonlySet<string> = new Set(["TRACE", "CONNECT"]);

/** Whether this proxy forwards requests with `method`; the others are answered with 405. */
export function isForwardable(method: string): boolean {
  return !REFUSED.has(method.toUpperCase());
}

/**
 * A request with what the fetch standard cannot express: the target as written,
 * and a body on `GET`. As a plain `Request` it is the nearest one that `fetch` takes.
 */
export class UpstreamRequest extends Request {
  /** Absolute URL, path and query byte for byte as the client wrote them. */
  readonly target: string;
  /** The body, also where `Request` refuses one. */
  readonly payload: UpstreamBody;

  /** Makes a request for `target`; redirects are never followed. */
  constructor(target: string, method: string, parts: UpstreamParts) {
    const refused = BODILESS.has(method.toUpperCase());
    super(target, {
      method,
      headers: parts.headers,
      body: refused ? null : parts.body as BodyInit | null,
      redirect: "manual",
      signal: parts.signal ?? null,
    });
    this.target = target;
    this.payload = parts.body;
  }

  /** Whether `fetch` would send something else than what the client wrote. */
  get needsRaw(): boolean {
    // `fetch` drops what follows a "#" although `url` keeps it.
    return this.url !== this.target || this.target.includes("#") ||
      (this.payload !== null && BODILESS.has(this.method));
  }
}

/**
 * The client's request, addressed to `upstream`: same method, and the client's path
 * and query behind the base as they were written (`%2F`, `//`, `/../`, a second `?`).
 *
 * @param request The client's request; its body is not touched.
 * @param upstream Where it goes.
 * @param parts What leaves.
 * @throws {TypeError} If the method is not forwardable; ask {@linkcode isForwardable} first.
 */
export function toUpstream(
  request: Request,
  upstream: Upstream,
  parts: UpstreamParts,
): UpstreamRequest {
  const { origin, pathname } = upstream.base;
  const target = origin + pathname.replace(/\/+$/, "") + pathOf(request.url);
  return new UpstreamRequest(target, request.method, {
    ...parts,
    signal: parts.signal ?? request.signal,
  });
}

/** Path and query of an absolute URL, not normalised. */
function pathOf(url: string): string {
  const start = url.indexOf("://") + 3;
  const path = url.slice(start).search(/[/?]/);
  if (path < 0) return "/";
  const rest = url.slice(start + path);
  return rest.startsWith("?") ? `/${rest}` : rest;
}

/** What the real send needs. */
export interface SendParts {
  /**
   * The runtime's `fetch`, or one bound to a client. It obeys `HTTP_PROXY` and its
   * relatives, for loopback upstreams as well, whatever client it is bound to:
   * whoever wants none of that removes them from the environment before the first call.
   */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Makes the real `Send`. What `fetch` cannot carry goes through `node:http`, which
 * knows no proxy variables.
 *
 * The result rejects with the signal's reason when the request was aborted, else
 * with a {@linkcode ServiceError} of type `connection_error`, whose message holds
 * the host and nothing else of the URL.
 */
export function makeSend(parts: SendParts): Send {
  return async (request) => {
    try {
      if (request instanceof UpstreamRequest && request.needsRaw) {
        const { sendRaw } = await import("./raw_send.ts");
        const { target, payload, signal } = request;
        return await sendRaw(request, { target, payload, signal });
      }
      return await parts.fetch(request);
    } catch (error) {
      request.signal.throwIfAborted();
      throw unreachable(request.url, reasonOf(error));
    }
  };
}

function unreachable(url: string, reason: string): ServiceError {
  const { host } = new URL(url);
  return new ServiceError(
    "connection_error",
    `Failed to connect to upstream API at ${host} (${reason}): check that its address is right and that it is up`,
    { host, reason },
  );
}

/** Signs of a cause in the text of an error, first match wins. */
const REASONS: readonly (readonly [sign: RegExp, reason: string])[] = [
  [/refused/i, "connection refused"],
  [/dns|lookup|ENOTFOUND|EAI_/i, "unknown host name"],
  [/certificate|tls|ssl/i, "TLS failure"],
  [/timed? ?out/i, "timed out"],
  [/blocked/i, "blocked port"],
  [/reset|closed|hang up|incomplete|broken pipe/i, "connection closed"],
];

/** A short cause. The text itself stays inside: it holds the URL, and that may hold a key. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const text = `${error} ${cause ?? ""}`.replace(/\(https?:[^)]*\)/g, "");
  return REASONS.find(([sign]) => sign.test(text))?.[1] ?? "connection failed";
}
