/** A response body whose end is noticed, and whose silence is bounded. @module */
import type { Clock } from "../core/clock.ts";
import type { ChunkReader } from "../core/upstream.ts";
import { later, type Wait } from "./wait.ts";

/** What watching needs. */
export interface WatchOptions {
  /** Milliseconds that a reader waits for the next chunk. */
  readonly idleMs: number;
  /** Measures them; the timer is rough, the clock decides. */
  readonly wait: Wait;
  /** Time. */
  readonly clock: Clock;
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
 * waits counts. There is one timer per `idleMs`, not one per chunk.
 */
export function watchedBody(
  body: ChunkReader,
  options: WatchOptions,
): ChunkReader {
  return new Watch(body, options);
}

class Watch implements ChunkReader {
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
    if (this.#stopTimer === undefined) this.#arm(this.#options.idleMs);
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
    const { clock, idleMs, onIdle } = this.#options;
    if (this.#hasEnded || this.#since === undefined) return;
    const left = this.#since + idleMs - clock.monotonic();
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
