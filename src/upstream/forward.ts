/** Building and sending the upstream request. @module */
import type {
  HeaderField,
  Reply,
  Upstream,
  UpstreamCall,
} from "../core/upstream.ts";
import { chunkReader } from "./chunk_reader.ts";
import { unreachable, unusable } from "./failure.ts";
import type { Wait } from "./wait.ts";

/** What leaves instead of the client's own. */
export interface UpstreamParts
  extends Pick<UpstreamCall, "body" | "headers" | "signal"> {
  /** Path and query to send instead of the client's, as they are to be written. */
  readonly path?: string;
  /** See {@linkcode UpstreamCall.isContinuation}; it is none unless given. */
  readonly isContinuation?: boolean;
}

/** Methods that may not have a body in the fetch standard. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Methods that cannot be forwarded: a tunnel, and an echo of the credentials. */
const REFUSED: ReadonlySet<string> = new Set(["TRACE", "CONNECT"]);

/** Whether this proxy forwards requests with `method`; the others are answered with 405. */
export function isForwardable(method: string): boolean {
  return !REFUSED.has(method.toUpperCase());
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

/**
 * The client's request, addressed to `upstream`: same method, and the client's path
 * and query behind the base as they were written (`%2F`, `//`, `/../`, a second `?`).
 *
 * @param request The client's request.
 * @param upstream Where it goes.
 * @param parts What leaves.
 */
export function toUpstream(
  { method, url }: Pick<Request, "method" | "url">,
  upstream: Upstream,
  { body, headers, signal, ...parts }: UpstreamParts,
): UpstreamCall {
  const { origin, pathname } = upstream.base;
  const path = upstream.path ?? parts.path ?? pathOf(url);
  return {
    target: origin + pathname.replace(/\/+$/, "") + path,
    method,
    headers,
    body,
    signal,
    addresses: upstream.addresses,
    isContinuation: parts.isContinuation === true,
  };
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
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  /** Says how a request travels; the runtime's own way unless given. */
  readonly wayOf?: (call: UpstreamCall) => Way;
  /** Measures the time of connecting where `fetch` is not used; timers unless given. */
  readonly wait?: Wait | undefined;
}

/** A `Send` that a further signal can end, body included; the call's own unless given. */
export type SignalledSend = (
  call: UpstreamCall,
  signal?: AbortSignal,
) => Promise<Reply>;

/**
 * Makes the real `Send`. What `fetch` cannot carry goes through `node:http`, which
 * knows no proxy variables. Redirects are never followed.
 *
 * The result rejects with the signal's reason when the request was aborted, else
 * with an {@linkcode UpstreamUnreachable}, whose message holds the host and nothing
 * else of the URL.
 */
export function makeSend(parts: SendParts): SignalledSend {
  return async (call, signal = call.signal) => {
    const way = parts.wayOf?.(call) ?? {};
    try {
      if (needsRaw(call)) {
        const { sendRaw } = await import("./raw_send.ts");
        const { proxy, ca } = way;
        return await sendRaw(call, { signal, proxy, ca, wait: parts.wait });
      }
      const response = await fetched(parts, call, { ...way.init, signal });
      const error = unusable(response.status, way.proxy !== undefined);
      if (error === undefined) return replyOf(response);
      await response.body?.cancel();
      throw error;
    } catch (error) {
      signal.throwIfAborted();
      const via = way.proxy?.host;
      throw unreachable(error, { url: call.target, via });
    }
  };
}

/**
 * Sends by `fetch`. A large body is sent once more where the connection had been closed before: the runtime does so
 * itself where it has the body as bytes; of a {@linkcode ByteBody} it does not have them.
 */
async function fetched(
  { fetch }: SendParts,
  { target, method, headers, body }: UpstreamCall,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  const large = body instanceof Uint8Array && body.length > MAX_COPIED
    ? new ByteBody(body)
    : undefined;
  const whole: RequestInit = {
    ...init,
    method,
    headers: withLanguage(headers),
    body: large ?? body as BodyInit | null,
    redirect: "manual",
  };
  try {
    return await fetch(target, whole);
  } catch (error) {
    const isStale = large && !init.signal.aborted &&
      STALE.test(wordsOf(error));
    if (!isStale) throw error;
    return await fetch(target, whole);
  } finally {
    // The runtime keeps the request for as long as the streams of its response, and those until it collects everything.
    large?.release();
  }
}

/** Whether `fetch` would send something else than what the client wrote, or look the name up again. */
function needsRaw(
  { target, method, body, addresses }: UpstreamCall,
): boolean {
  return addresses !== undefined || !isCanonical(target) ||
    body !== null && BODILESS.has(method.toUpperCase());
}

/** Whether `fetch` sends a URL as it is written; it drops what follows a "#". */
function isCanonical(target: string): boolean {
  if (canonical === target) return true;
  if (target.includes("#") || URL.parse(target)?.href !== target) return false;
  canonical = target;
  return true;
}

/** The last such URL: one client's requests have the same path. */
let canonical = "";

/** What `fetch` answered. */
function replyOf({ status, statusText, headers, body }: Response): Reply {
  return { status, statusText, headers, body: body && chunkReader(body) };
}

/**
 * `fetch` adds `accept-language: *` where the field is missing and nothing else prevents it: an empty list of languages
 * (RFC 9110, 12.5.4) says as little as the client did.
 */
function withLanguage(headers: readonly HeaderField[]): [string, string][] {
  const all = headers.map(([name, value]): [string, string] => [name, value]);
  const isSaid = all.some(([name]) => name === "accept-language");
  return isSaid ? all : [...all, ["accept-language", ""]];
}

/** Bytes handed to the runtime at a time: it copies that many. */
const PART_BYTES = 256 * 1024;

const NOTHING = new Uint8Array(0);

/** Bodies up to this many bytes are copied by the runtime; that is cheaper than a stream. */
const MAX_COPIED = 64 * 1024;

/**
 * A body for `Request` that stands for `bytes`, with their length.
 *
 * `fetch` copies an array twice, and keeps one copy until the request is collected. A stream is not copied, but is sent
 * without a length, which simple servers refuse. A `Blob` is a stream with a length; this one reads from the array.
 */
class ByteBody extends Blob {
  readonly #size: number;
  #bytes: Uint8Array | undefined;

  /** Holds `bytes`; they must not change until the request was sent. */
  constructor(bytes: Uint8Array) {
    super([]);
    this.#size = bytes.length;
    this.#bytes = bytes;
  }

  /** Length of the bytes. */
  override get size(): number {
    return this.#size;
  }

  /** Lets the bytes go. A stream that was begun before still gives them all; no further one may be begun. */
  release(): void {
    this.#bytes = undefined;
  }

  /**
   * The bytes in parts, from the beginning; each call gives a stream of its own.
   *
   * @throws {TypeError} After {@linkcode ByteBody.release}.
   */
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (this.#bytes === undefined) {
      throw new TypeError("Cannot send the body again: it was released");
    }
    let rest = this.#bytes as Uint8Array<ArrayBuffer>;
    return new ReadableStream({
      pull(controller) {
        const part = rest.subarray(0, PART_BYTES);
        rest = rest.subarray(part.length);
        if (part.length > 0) controller.enqueue(part);
        if (rest.length > 0) return;
        // The runtime may keep the stream for longer than it needs the body.
        rest = NOTHING;
        controller.close();
      },
      cancel() {
        rest = NOTHING;
      },
    }, { highWaterMark: 0 });
  }
}
