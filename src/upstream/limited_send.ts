/** Requests in a slot and within their time. @module */
import type { Clock } from "../core/clock.ts";
import type { Send } from "../core/upstream.ts";
import { UpstreamBrokeOff, UpstreamTimeout } from "./failure.ts";
import type { SignalledSend } from "./forward.ts";
import type { Release, Slots } from "./slots.ts";
import { later, type Wait } from "./wait.ts";
import { watchedBody } from "./watched_body.ts";

/** What limiting needs. */
export interface LimitParts {
  /** Sends. */
  readonly send: SignalledSend;
  /** One is taken until the response body has ended. */
  readonly slots: Slots;
  /** Milliseconds until a response begins, and between two parts of it. */
  readonly timeoutMs: number;
  /** Measures them. */
  readonly wait: Wait;
  /** Time. */
  readonly clock: Clock;
}

/**
 * Makes a `Send` whose requests wait for a slot, keep it until their response body has ended,
 * was cancelled or broke, and are given up when the upstream takes too long. Waiting for a
 * slot counts towards the time.
 *
 * The result rejects with an {@linkcode UpstreamTimeout} when no response began in time; a body
 * that falls silent breaks off with one. The upstream's connection is closed in both cases. A body
 * that the upstream breaks off does so with an {@linkcode UpstreamBrokeOff}.
 */
export function limitedSend(parts: LimitParts): Send {
  return async (request) => {
    // Follows the request, and can be given up from here.
    const controller = new AbortController();
    const { signal } = controller;
    const leave = () => controller.abort(request.signal.reason);
    request.signal.addEventListener("abort", leave, { once: true });
    if (request.signal.aborted) leave();
    const giveUp = (phase: "response" | "chunk") => {
      const host = hostOf(request);
      const error = new UpstreamTimeout(host, phase, parts.timeoutMs);
      controller.abort(error);
      return error;
    };
    const stop = later(parts.wait, parts.timeoutMs, () => giveUp("response"));
    try {
      const free = await parts.slots.take(signal);
      const release = () => {
        request.signal.removeEventListener("abort", leave);
        free();
      };
      const response = await sent(parts, request, { signal, release });
      return watched(parts, response, {
        signal,
        release,
        onIdle: () => giveUp("chunk"),
        onBreak: (error) => new UpstreamBrokeOff(hostOf(request), error),
      });
    } finally {
      stop();
    }
  };
}

function hostOf({ url }: Request): string {
  return new URL(url).host;
}

/** Also a request that nothing ends gives its slot back when the signal fires. */
async function sent(
  { send }: LimitParts,
  request: Request,
  { signal, release }: {
    readonly signal: AbortSignal;
    readonly release: Release;
  },
): Promise<Response> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const response = send(request, signal);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([response, aborted]);
  } catch (error) {
    release();
    // One that comes all the same has no reader, and what breaks it does not matter.
    response.then(({ body }) => body?.cancel()).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function watched(
  { timeoutMs, wait, clock }: LimitParts,
  response: Response,
  { signal, release, onIdle, onBreak }: {
    readonly signal: AbortSignal;
    readonly release: Release;
    readonly onIdle: () => unknown;
    readonly onBreak: (error: unknown) => unknown;
  },
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    release();
    return response;
  }
  const out = watchedBody(body, {
    idleMs: timeoutMs,
    wait,
    clock,
    signal,
    onIdle,
    onBreak,
    onEnd: release,
  });
  return new Response(out as BodyInit, { status, statusText, headers });
}
