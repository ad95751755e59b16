/** Sending again what an upstream could not take just now. @module */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Send } from "../core/upstream.ts";
import { UpstreamUnreachable } from "./failure.ts";
import { UpstreamRequest } from "./forward.ts";
import type { Wait } from "./wait.ts";

/** How often and how long. */
export interface RetryOptions {
  /** Times that a request is sent in all. */
  readonly maxAttempts: number;
  /** Milliseconds before the first retry where the upstream does not say, doubled for each further one. */
  readonly retryBaseMs: number;
  /** Longest wait, in milliseconds. */
  readonly retryMaxMs: number;
  /** Waits. */
  readonly wait: Wait;
  /** A number from 0 to below 1, so that many clients do not come back at the same moment. */
  readonly random: () => number;
  /** Time, for dates in `retry-after`. */
  readonly clock: Clock;
  /** Told of every retry. */
  readonly log?: Log | undefined;
}

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
 * An {@linkcode UpstreamRequest.isContinuation} is tried again after 500, 502, 503 and a broken connection
 * too, and after the longest wait where more is asked for: its client cannot ask again.
 */
export function retrying(send: Send, options: RetryOptions): Send {
  return async (request) => {
    for (let attempt = 1;; attempt++) {
      const isLast = attempt >= options.maxAttempts || !isReplayable(request);
      const result = await attempted(
        send,
        attempt === 1 ? request : again(request),
      );
      const reason = reasonToRetry(request, result);
      const wait = isLast || reason === undefined
        ? undefined
        : waitMs(request, result.response, { ...options, attempt });
      if (wait === undefined) return outcome(result);
      // Nobody reads it: what breaks it does not matter.
      await result.response?.body?.cancel().catch(() => {});
      const { host } = new URL(request.url);
      options.log?.("info", "upstream_retry", {
        host,
        reason: String(reason),
        attempt: attempt + 1,
        wait_ms: Math.round(wait),
      });
      await options.wait(wait, request.signal);
    }
  };
}

/** What came of one attempt. */
type Result =
  | { readonly response: Response }
  | { readonly response?: never; readonly error: unknown };

async function attempted(send: Send, request: Request): Promise<Result> {
  try {
    return { response: await send(request) };
  } catch (error) {
    return { error };
  }
}

function outcome(result: Result): Response {
  if (result.response) return result.response;
  throw result.error;
}

function isReplayable(request: Request): boolean {
  return request instanceof UpstreamRequest
    ? !(request.payload instanceof ReadableStream)
    : request.body === null;
}

/** Without a body the same object can be sent any number of times. */
function again(request: Request): Request {
  return request instanceof UpstreamRequest ? request.again() : request;
}

function isContinuation(request: Request): boolean {
  return request instanceof UpstreamRequest && request.isContinuation;
}

/** A short word; nothing when the result is final. */
function reasonToRetry(
  request: Request,
  result: Result,
): string | number | undefined {
  if (result.response) {
    const { status, headers } = result.response;
    const passing = isContinuation(request) ? PASSING : NOT_TAKEN;
    const isRefused = headers.get("x-should-retry")?.trim() === "false";
    return passing.has(status) && !isRefused ? status : undefined;
  }
  const { error } = result;
  if (!(error instanceof UpstreamUnreachable)) return undefined;
  return error.isUnsent || isContinuation(request)
    ? error.details["reason"]
    : undefined;
}

/** Milliseconds; nothing when the upstream asks for too many. */
function waitMs(
  request: Request,
  response: Response | undefined,
  { retryBaseMs, retryMaxMs, random, clock, attempt }: RetryOptions & {
    readonly attempt: number;
  },
): number | undefined {
  const asked = response && askedMs(response.headers, clock);
  if (asked === undefined) {
    const jitter = 0.5 + random();
    return Math.min(retryBaseMs * 2 ** (attempt - 1) * jitter, retryMaxMs);
  }
  if (asked <= retryMaxMs) return asked;
  return isContinuation(request) ? retryMaxMs : undefined;
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
