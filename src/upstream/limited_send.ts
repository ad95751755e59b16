/** Requests in a slot and within their time. @module */
import type { Clock } from "../core/clock.ts";
import type {
  ChunkReader,
  Reply,
  Send,
  UpstreamCall,
} from "../core/upstream.ts";
import { dropBody } from "./chunk_reader.ts";
import { UpstreamBrokeOff, UpstreamTimeout } from "./failure.ts";
import type { SignalledSend } from "./forward.ts";
import { later, type Wait } from "./wait.ts";

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
      const watched = new WatchedBody(body, {
        ...{ ...parts, signal, onEnd: release },
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

/** What watching needs. */
interface WatchOptions
  extends Pick<LimitParts, "timeoutMs" | "wait" | "clock"> {
  /** Breaks the body off with its reason, also while nobody reads. */
  readonly signal: AbortSignal;
  /** Called when nothing came for too long; its result is the error that the reader sees. */
  readonly onIdle: () => unknown;
  /** Called when the body breaks with an error; its result is the one that the reader sees. */
  readonly onBreak: (error: unknown) => unknown;
  /** Called once: the body has ended, was cancelled or broke. */
  readonly onEnd: () => void;
}

/**
 * The same bytes as they come, one chunk at a time and only when one is asked for.
 *
 * A reader that does not read is not the upstream's fault: only the time that somebody
 * waits counts. There is one timer per `timeoutMs`, not one per chunk; it is rough, the clock decides.
 */
class WatchedBody implements ChunkReader {
  readonly #reader: ChunkReader;
  readonly #options: WatchOptions;
  /** Why it was broken off from here. */
  #broken: { readonly reason: unknown } | undefined;
  /** Since when somebody waits. */
  #since: number | undefined;
  #stopTimer: (() => void) | undefined;
  #hasEnded = false;

  constructor(body: ChunkReader, options: WatchOptions) {
    this.#reader = body;
    this.#options = options;
    const { signal } = options;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  readonly #onAbort = () => this.#break(this.#options.signal.reason);

  async read(): Promise<Uint8Array | undefined> {
    this.#throwIfBroken();
    this.#since = this.#options.clock.monotonic();
    if (this.#stopTimer === undefined) this.#arm(this.#options.timeoutMs);
    try {
      const chunk = await this.#reader.read();
      this.#since = undefined;
      this.#throwIfBroken();
      if (chunk === undefined) this.#end();
      return chunk;
    } catch (error) {
      this.#throwIfBroken();
      this.#end();
      throw this.#options.onBreak(error);
    }
  }

  /** Broken off from here: the reader is told why, whatever the upstream's side says of it. */
  #throwIfBroken(): void {
    if (this.#broken) throw this.#broken.reason;
  }

  cancel(reason: unknown): Promise<void> {
    this.#end();
    return this.#reader.cancel(reason);
  }

  #arm(ms: number): void {
    this.#stopTimer = later(this.#options.wait, ms, () => {
      this.#stopTimer = undefined;
      this.#check();
    });
  }

  #check(): void {
    const { clock, timeoutMs, onIdle } = this.#options;
    if (this.#hasEnded || this.#since === undefined) return;
    const left = this.#since + timeoutMs - clock.monotonic();
    if (left > 0) this.#arm(left);
    else this.#break(onIdle());
  }

  #break(reason: unknown): void {
    if (this.#hasEnded) return;
    this.#broken = { reason };
    this.#end();
    // A read that waits ends by this. Nobody reads what is left of it: what breaks it does not matter.
    this.#reader.cancel(reason).catch(() => {});
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopTimer?.();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    this.#options.onEnd();
  }
}

/** Gives a slot back; harmless when it was given back already. */
export type Release = () => void;

/** At most so many slots are taken at once; whoever comes later waits in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** Makes `size` free slots. */
  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Takes a slot, at once when one is free.
   *
   * @param signal Ends the waiting; no slot is taken then.
   * @throws The signal's reason when it fired.
   */
  async take(signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#pass();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** The slot goes to the one who has waited longest. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
