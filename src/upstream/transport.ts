/** All requests to upstreams: slots, time limits, pools, the HTTP proxy, retries. @module */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Send, UpstreamCall } from "../core/upstream.ts";
import { makeSend, type Way } from "./forward.ts";
import { openHttpClient } from "./http_client.ts";
import { limitedSend } from "./limited_send.ts";
import { retrying } from "./retry.ts";
import { Slots } from "./slots.ts";
import { isThisMachine } from "./this_machine.ts";
import type { Wait } from "./wait.ts";

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
  /** Milliseconds before the first retry. */
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
  /** A number from 0 to below 1. */
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
  const { ca, maxKeepalive, keepaliveMs, http2 } = options;
  const proxy = options.httpProxy === undefined
    ? undefined
    : new URL(options.httpProxy);
  const pool = { ca, maxKeepalive, keepaliveMs, http2 };
  const direct = openHttpClient(pool);
  const proxied = proxy && openHttpClient({ ...pool, proxy: proxy.href });
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
