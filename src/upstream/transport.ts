/** All requests to upstreams: slots, time limits, pools, the HTTP proxy, retries. @module */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Reply, Send, UpstreamCall } from "../core/upstream.ts";
import { makeSend, type Way } from "./forward.ts";
import { limitedSend, Slots } from "./limited_send.ts";
import type { Wait } from "./wait.ts";
import { dropBody } from "./chunk_reader.ts";
import { UpstreamUnreachable } from "./failure.ts";
import { isThisMachine } from "./address_lookup.ts";

/** Settings of the transport. */
export interface TransportOptions {
  /** HTTP proxy of upstream requests, an absolute URL, credentials included. */
  readonly httpProxy: string | undefined;
  /** PEM of certificate authorities that count beside the usual ones. */
  readonly ca: string | undefined;
  /** Milliseconds until a response begins, and between two parts of it. */
  readonly timeoutMs: number;
  /** Requests under way. */
  readonly maxConnections: number;
  /** Idle connections per upstream. */
  readonly maxKeepalive: number;
  /** Milliseconds that an idle connection stays open. */
  readonly keepaliveMs: number;
  /** Whether HTTP/2 may be spoken. */
  readonly http2: boolean;
  /** Times that a request is sent in all. */
  readonly maxAttempts: number;
  /** Milliseconds before the first retry where the upstream does not say, doubled for each further one. */
  readonly retryBaseMs: number;
  /** Longest wait before a retry, in milliseconds. */
  readonly retryMaxMs: number;
}

/** The outside world. */
export interface TransportParts {
  /** The runtime's `fetch`. */
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  /** Lets time pass. */
  readonly wait: Wait;
  /** Time. */
  readonly clock: Clock;
  /** A number from 0 to below 1, so that many clients do not come back at the same moment. */
  readonly random: () => number;
  /** Takes log records. */
  readonly log?: Log | undefined;
}

/** What sends to upstreams. */
export interface Transport {
  /** Sends a request; see {@linkcode openTransport}. */
  readonly send: Send;
  /** Closes idle connections. Requests under way go on, further ones fail. */
  close(): void;
}

/**
 * Opens the transport. Each attempt of a request waits for a slot, is given up when it takes
 * too long, and is made again when the upstream could not take it; {@linkcode retrying} says when.
 * Upstreams on this machine are connected to directly, all others through the HTTP proxy if there is one.
 *
 * `send` rejects with an {@linkcode UpstreamTimeout}, an {@linkcode UpstreamUnreachable}, or the reason of the request's signal.
 *
 * @throws {TypeError} If the proxy is no URL.
 */
export function openTransport(
  options: TransportOptions,
  parts: TransportParts,
): Transport {
  const { fetch, wait, clock, random, log } = parts;
  const { ca } = options;
  const proxy = options.httpProxy === undefined
    ? undefined
    : new URL(options.httpProxy);
  const direct = openHttpClient(options);
  const proxied = proxy && openHttpClient(options, proxy.href);
  const straight: Way = { init: direct.init, ca };
  const wayOf = (call: UpstreamCall): Way =>
    proxied === undefined || isHere(call)
      ? straight
      : { init: proxied.init, ca, proxy };
  const limited = limitedSend({
    send: makeSend({ fetch, wayOf, wait }),
    slots: new Slots(options.maxConnections),
    timeoutMs: options.timeoutMs,
    wait,
    clock,
  });
  return {
    send: retrying(limited, { ...options, wait, random, clock, log }),
    close() {
      direct.close();
      proxied?.close();
    },
  };
}

function isHere({ target, addresses }: UpstreamCall): boolean {
  return addresses === undefined
    ? isThisMachine(new URL(target).hostname)
    : addresses.every(isThisMachine);
}

/** A client to use with `fetch`. */
export interface HttpClient {
  /** What `fetch` takes beside the request. */
  readonly init: RequestInit;
  /** Closes idle connections; requests under way go on. */
  close(): void;
}

/**
 * Makes a client. It obeys `HTTP_PROXY` and its relatives unless it has a proxy of its own:
 * whoever wants none of that removes them from the environment before.
 *
 * @returns Without the runtime's API a client that changes nothing.
 * @throws {TypeError} If the proxy is no URL.
 */
export function openHttpClient(
  { ca, maxKeepalive, keepaliveMs, http2 }: Pick<
    TransportOptions,
    "ca" | "maxKeepalive" | "keepaliveMs" | "http2"
  >,
  proxy?: string,
): HttpClient {
  if (typeof globalThis.Deno?.createHttpClient !== "function") {
    return { init: {}, close() {} };
  }
  const client = Deno.createHttpClient({
    poolMaxIdlePerHost: maxKeepalive,
    poolIdleTimeout: keepaliveMs,
    http2,
    ...proxy === undefined ? {} : { proxy: { url: proxy } },
    ...ca === undefined ? {} : { caCerts: [ca] },
  });
  const init: RequestInit & { client: Deno.HttpClient } = { client };
  return { init, close: () => client.close() };
}

/** How often and how long. */
type RetryOptions =
  & Pick<TransportOptions, "maxAttempts" | "retryBaseMs" | "retryMaxMs">
  & Pick<TransportParts, "wait" | "random" | "clock" | "log">;

/** The form that RFC 9110 section 5.6.7 has senders use. */
const HTTP_DATE =
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
/** The provider did not take the request: too many, or overloaded. It is not paid for. */
const NOT_TAKEN: ReadonlySet<number> = new Set([429, 529]);
/** Besides, what passes; the request may have been paid for. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 529]);

/**
 * Makes a `Send` that tries again, each time as a request of its own: when no connection came
 * about, and when the response is 429 or 529. The wait is what `retry-after-ms` or
 * `retry-after` says, else the base, doubled each time and off by up to half.
 *
 * Returned as it is: every other response, the last one, one whose `x-should-retry` is false, and one
 * that asks for a longer wait than the longest. A request whose body is a stream is sent once,
 * since the stream is used up; so is one whose client has left. The result rejects with what the
 * last attempt threw.
 *
 * An {@linkcode UpstreamCall.isContinuation} is tried again after 500, 502, 503 and a broken connection
 * too, and after the longest wait where more is asked for: its client cannot ask again.
 */
export function retrying(send: Send, options: RetryOptions): Send {
  return async (call) => {
    for (let attempt = 1;; attempt++) {
      const isLast = attempt >= options.maxAttempts ||
        call.body instanceof ReadableStream;
      const result = await attempted(send, call);
      const reason = isLast ? undefined : reasonToRetry(call, result);
      const wait = reason === undefined
        ? undefined
        : waitMs(call, result.reply, { ...options, attempt });
      if (wait === undefined) return outcome(result);
      if (result.reply) await dropBody(result.reply);
      const { host } = new URL(call.target);
      options.log?.("info", "upstream_retry", {
        host,
        reason: String(reason),
        attempt: attempt + 1,
        wait_ms: Math.round(wait),
      });
      await options.wait(wait, call.signal);
    }
  };
}

/** What came of one attempt. */
type Result =
  | { readonly reply: Reply }
  | { readonly reply?: never; readonly error: unknown };

async function attempted(send: Send, call: UpstreamCall): Promise<Result> {
  try {
    return { reply: await send(call) };
  } catch (error) {
    return { error };
  }
}

function outcome(result: Result): Reply {
  if (result.reply) return result.reply;
  throw result.error;
}

/** A short word; nothing when the result is final. */
function reasonToRetry(
  { isContinuation }: UpstreamCall,
  result: Result,
): string | number | undefined {
  if (result.reply) {
    const { status, headers } = result.reply;
    const passing = isContinuation ? PASSING : NOT_TAKEN;
    if (!passing.has(status)) return undefined;
    const isRefused = headers.get("x-should-retry")?.trim() === "false";
    return isRefused ? undefined : status;
  }
  const { error } = result;
  if (!(error instanceof UpstreamUnreachable)) return undefined;
  return error.isUnsent || isContinuation ? error.details["reason"] : undefined;
}

/** Milliseconds; nothing when the upstream asks for too many. */
function waitMs(
  { isContinuation }: UpstreamCall,
  reply: Reply | undefined,
  { retryBaseMs, retryMaxMs, random, clock, attempt }: RetryOptions & {
    readonly attempt: number;
  },
): number | undefined {
  const asked = reply && askedMs(reply.headers, clock);
  if (asked === undefined) {
    const jitter = 0.5 + random();
    return Math.min(retryBaseMs * 2 ** (attempt - 1) * jitter, retryMaxMs);
  }
  if (asked <= retryMaxMs) return asked;
  return isContinuation ? retryMaxMs : undefined;
}

/** What the response asks for; nothing when it does not or cannot be read. */
function askedMs(headers: Headers, clock: Clock): number | undefined {
  const ms = numberIn(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const after = headers.get("retry-after");
  const seconds = numberIn(after);
  if (seconds !== undefined) return seconds * 1000;
  // The parser takes almost anything for a date.
  if (after === null || !HTTP_DATE.test(after.trim())) return undefined;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function numberIn(value: string | null): number | undefined {
  const text = value?.trim() ?? "";
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
