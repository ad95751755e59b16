/** Building and sending the upstream request. @module */
import type { Upstream } from "../core/upstream.ts";
import { ByteBody, MAX_COPIED } from "./byte_body.ts";
import { unreachable, unusable } from "./failure.ts";
import type { Wait } from "./wait.ts";

/** Body of an upstream request; `null` for none. */
export type UpstreamBody = Uint8Array | ReadableStream<Uint8Array> | null;

/** What leaves instead of the client's own. */
export interface UpstreamParts {
  /** The bytes to send, or a stream of them (sent in chunks, without a length). */
  readonly body: UpstreamBody;
  /** The fields to send, after the header policy. */
  readonly headers: Headers;
  /** Path and query to send instead of the client's, as they are to be written. */
  readonly path?: string;
  /** Ends the upstream request; the client's own signal unless given. */
  readonly signal?: AbortSignal;
  /** See {@linkcode UpstreamRequest.isContinuation}. */
  readonly isContinuation?: boolean;
}

/** What a request is made of beside its target and method. */
export interface UpstreamRequestParts extends UpstreamParts {
  /** See {@linkcode UpstreamRequest.addresses}. */
  readonly addresses?: readonly string[] | undefined;
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
  /** The only addresses that may be connected to, IP literals; any that the name has where absent. */
  readonly addresses: readonly string[] | undefined;
  /** Whether the client has the beginning of the answer already and cannot ask again itself: what may pass is tried again. */
  readonly isContinuation: boolean;

  /** Makes a request for `target`; redirects are never followed. */
  constructor(target: string, method: string, parts: UpstreamRequestParts) {
    const refused = BODILESS.has(method.toUpperCase());
    super(target, {
      method,
      headers: parts.headers,
      body: refused ? null : fetchBody(parts.body),
      redirect: "manual",
      signal: parts.signal ?? null,
    });
    this.target = target;
    this.payload = parts.body;
    this.addresses = parts.addresses;
    this.isContinuation = parts.isContinuation === true;
  }

  /** The same request, to be sent once more; for one whose body is no stream. */
  again(): UpstreamRequest {
    const { target, method, headers, signal } = this;
    const { payload: body, addresses, isContinuation } = this;
    const parts = { body, addresses, isContinuation, headers, signal };
    return new UpstreamRequest(target, method, parts);
  }

  /**
   * The same request, when `error` says that the connection it was sent on had been closed by then. The runtime sends
   * such a request once more itself where it has the body as bytes; of a {@linkcode ByteBody} it does not have them.
   */
  afterStale(error: unknown): UpstreamRequest | undefined {
    const { payload } = this;
    const isBytes = payload instanceof Uint8Array &&
      payload.length > MAX_COPIED;
    return isBytes && STALE.test(wordsOf(error)) ? this.again() : undefined;
  }

  /** Whether `fetch` would send something else than what the client wrote, or look the name up again. */
  get needsRaw(): boolean {
    if (this.addresses !== undefined) return true;
    // `fetch` drops what follows a "#" although `url` keeps it.
    return this.url !== this.target || this.target.includes("#") ||
      (this.payload !== null && BODILESS.has(this.method));
  }
}

/** What the runtime says of a connection that the server closed before or while it took the request. */
const STALE =
  /closed before message completed|connection (reset|aborted)|refused stream|not a result of an error/i;

/** Messages of an error and its causes. */
function wordsOf(error: unknown): string {
  return error instanceof Error
    ? `${error.message} ${wordsOf(error.cause)}`
    : String(error);
}

/** What `fetch` takes for a body. */
function fetchBody(body: UpstreamBody): BodyInit | null {
  return body instanceof Uint8Array && body.length > MAX_COPIED
    ? new ByteBody(body)
    : body as BodyInit | null;
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
  const path = upstream.path ?? parts.path ?? pathOf(request.url);
  const target = origin + pathname.replace(/\/+$/, "") + path;
  return new UpstreamRequest(target, request.method, {
    ...parts,
    signal: parts.signal ?? request.signal,
    addresses: upstream.addresses,
  });
}

/** Path and query of an absolute URL, not normalised. */
export function pathOf(url: string): string {
  const start = url.indexOf("://") + 3;
  const path = url.slice(start).search(/[/?]/);
  if (path < 0) return "/";
  const rest = url.slice(start + path);
  return rest.startsWith("?") ? `/${rest}` : rest;
}

/** How requests to one upstream travel. */
export interface Way {
  /** What `fetch` takes beside the request. */
  readonly init?: RequestInit | undefined;
  /** HTTP proxy in between. */
  readonly proxy?: URL | undefined;
  /** PEM of certificate authorities that count beside the usual ones. */
  readonly ca?: string | undefined;
}

/** What the real send needs. */
export interface SendParts {
  /**
   * The runtime's `fetch`. It obeys `HTTP_PROXY` and its relatives, for loopback
   * upstreams as well, whatever client it is bound to: whoever wants none of that
   * removes them from the environment before the first call.
   */
  readonly fetch: (request: Request, init?: RequestInit) => Promise<Response>;
  /** Says how a request travels; the runtime's own way unless given. */
  readonly wayOf?: (request: Request) => Way;
  /** Measures the time of connecting where `fetch` is not used; timers unless given. */
  readonly wait?: Wait | undefined;
}

/** A `Send` that a further signal can end, response body included; the request's own unless given. */
export type SignalledSend = (
  request: Request,
  signal?: AbortSignal,
) => Promise<Response>;

/**
 * Makes the real `Send`. What `fetch` cannot carry goes through `node:http`, which
 * knows no proxy variables. Redirects are never followed.
 *
 * The result rejects with the signal's reason when the request was aborted, else
 * with an {@linkcode UpstreamUnreachable}, whose message holds the host and nothing
 * else of the URL.
 */
export function makeSend(parts: SendParts): SignalledSend {
  return async (request, signal = request.signal) => {
    const way = parts.wayOf?.(request) ?? {};
    try {
      if (request instanceof UpstreamRequest && request.needsRaw) {
        const { sendRaw } = await import("./raw_send.ts");
        const { target, payload, addresses } = request;
        const { proxy, ca } = way;
        const { wait } = parts;
        return await sendRaw(request, {
          ...{ target, payload, addresses },
          ...{ signal, proxy, ca, wait },
        });
      }
      const init: RequestInit = {
        ...way.init,
        ...headersOf(request),
        redirect: "manual",
        signal,
      };
      const response = await parts.fetch(request, init)
        .catch((error: unknown) => {
          if (signal.aborted || !(request instanceof UpstreamRequest)) {
            throw error;
          }
          const again = request.afterStale(error);
          if (again === undefined) throw error;
          return parts.fetch(again, init);
        });
      const error = unusable(response.status, way.proxy !== undefined);
      if (error === undefined) return response;
      await response.body?.cancel();
      throw error;
    } catch (error) {
      signal.throwIfAborted();
      const via = way.proxy?.host;
      throw unreachable(error, { url: request.url, via });
    }
  };
}

/**
 * `fetch` adds `accept-language: *` where the field is missing and nothing else prevents it: an empty list of languages
 * (RFC 9110, 12.5.4) says as little as the client did.
 */
function headersOf(request: Request): Pick<RequestInit, "headers"> {
  const { headers } = request;
  if (headers.has("accept-language")) return {};
  if (request instanceof UpstreamRequest) {
    // Ours alone: no copy is needed.
    headers.set("accept-language", "");
    return {};
  }
  const copy = new Headers(headers);
  copy.set("accept-language", "");
  return { headers: copy };
}
