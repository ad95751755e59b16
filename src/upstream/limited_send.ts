/** Requests in a slot and within their time. @module */
import type { Clock } from "../core/clock.ts";
import type { Reply, Send, UpstreamCall } from "../core/upstream.ts";
import { dropBody } from "./chunk_reader.ts";
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
  return async (call) => {
    // Follows the call, and can be given up from here.
    const controller = new AbortController();
    const { signal } = controller;
    const leave = () => controller.abort(call.signal.reason);
    call.signal.addEventListener("abort", leave, { once: true });
    if (call.signal.aborted) leave();
    const giveUp = (phase: "response" | "chunk") => {
      const error = new UpstreamTimeout(hostOf(call), phase, parts.timeoutMs);
      controller.abort(error);
      return error;
    };
    const stop = later(parts.wait, parts.timeoutMs, () => giveUp("response"));
    try {
      const free = await parts.slots.take(signal);
      const release = () => {
        call.signal.removeEventListener("abort", leave);
        free();
      };
      const reply = await sent(parts, call, { signal, release });
      const { body } = reply;
      if (body === null || body instanceof Uint8Array) {
        release();
        return reply;
      }
      const { timeoutMs: idleMs, wait, clock } = parts;
      const watched = watchedBody(body, {
        ...{ idleMs, wait, clock, signal, onEnd: release },
        onIdle: () => giveUp("chunk"),
        onBreak: (error) => new UpstreamBrokeOff(hostOf(call), error),
      });
      return { ...reply, body: watched };
    } finally {
      stop();
    }
  };
}

function hostOf({ target }: UpstreamCall): string {
  return new URL(target).host;
}

/** A request that does not end when the signal fires gives its slot back all the same. */
async function sent(
  { send }: LimitParts,
  call: UpstreamCall,
  { signal, release }: {
    readonly signal: AbortSignal;
    readonly release: Release;
  },
): Promise<Reply> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const reply = send(call, signal);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([reply, aborted]);
  } catch (error) {
    release();
    // A late one has no reader, and what breaks it does not matter.
    reply.then(dropBody).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
