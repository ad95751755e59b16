/** A bound on the bytes of all request bodies in work. @module */
import { afterMs } from "../upstream/wait.ts";
import { BodiesBusy } from "./errors.ts";

/** A request's share of the bound; disposing gives everything back, however often it is done. */
export interface BodyLease extends Disposable {
  /**
   * Takes `bytes` more.
   *
   * @returns `undefined` when they are taken at once; else resolves when they are. Nothing else may be taken meanwhile.
   * @throws {BodiesBusy} As a rejection, if that takes too long.
   * @throws {unknown} As a rejection, the signal's reason if the client left meanwhile.
   */
  grow(bytes: number): Promise<void> | undefined;
  /** Gives back all but `bytes`. */
  keep(bytes: number): void;
}

/** Surroundings. */
export interface BodyBytesOptions {
  /** Milliseconds that a request waits in line; a minute unless given. */
  readonly timeoutMs?: number;
  /** Runs something later; returns what cancels it. timers unless given. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** Clients wait for minutes, and try again after a 503. */
const WAIT_MS = 60_000;

/** Shares of the bound: of a request that is small, and of what small ones hold beside it. */
const SMALL = 1 / 1024;
const SMALL_ONES = 1 / 8;

/** A request that waits for bytes. */
interface Waiter {
  readonly lease: Lease;
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Bytes that request bodies hold. Who comes when they are used up waits in line.
 *
 * A request that holds nothing yet waits until its bytes fit; one that alone is above the bound, until it is alone. A
 * request that holds some and needs more, a body whose length was not declared, goes before those: they would have to
 * wait for it. Of several such requests one at a time may pass the bound, so that they never wait for each other. Small
 * requests do not wait for large ones: they have an eighth of the bound for themselves. The bytes held are therefore at
 * most the bound, that eighth and one body.
 */
export class BodyBytes {
  readonly #limit: number;
  readonly #options: Required<BodyBytesOptions>;
  #held = 0;
  /** Of small requests, beside the others. */
  #small = 0;
  /** Hold nothing yet. */
  readonly #outside = new Set<Waiter>();
  /** Hold some. */
  readonly #inside = new Set<Waiter>();
  /** The one that may pass the bound. */
  #above: Lease | undefined;

  /** `limit` is in bytes. */
  constructor(
    limit: number,
    { timeoutMs = WAIT_MS, later = (run, ms) => afterMs(ms, run) }:
      BodyBytesOptions = {},
  ) {
    this.#limit = limit;
    this.#options = { timeoutMs, later };
  }

  /** The bound. */
  get limit(): number {
    return this.#limit;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held + this.#small;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#outside.size + this.#inside.size;
  }

  /** Makes a lease that holds nothing; `signal` fires when the client leaves. */
  lease(signal: AbortSignal): BodyLease {
    return new Lease({
      take: (lease, bytes) =>
        this.#takeSmall(lease, bytes)
          ? undefined
          : this.#take(lease, bytes, signal),
      give: (lease, bytes) => this.#give(lease, bytes),
    });
  }

  #takeSmall(lease: Lease, bytes: number): boolean {
    const isSmall = bytes <= this.#limit * SMALL &&
      this.#small + bytes <= this.#limit * SMALL_ONES;
    if (!isSmall || lease.held + lease.small > 0) return false;
    this.#small += bytes;
    lease.small = bytes;
    return true;
  }

  #take(
    lease: Lease,
    bytes: number,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const line = lease.held > 0 ? this.#inside : this.#outside;
    // The one above the bound is what the others wait for.
    const isNext = lease === this.#above || this.#inside.size === 0 &&
        (line === this.#inside || line.size === 0);
    if (isNext && this.#fits(lease, bytes)) {
      this.#enter(lease, bytes);
      return undefined;
    }
    return this.#wait(line, { lease, bytes }, signal);
  }

  #wait(
    line: Set<Waiter>,
    { lease, bytes }: Pick<Waiter, "lease" | "bytes">,
    signal: AbortSignal,
  ): Promise<void> {
    const { timeoutMs, later } = this.#options;
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        ended();
        line.delete(waiter);
        reject(reason);
        this.#letIn();
      };
      const onAbort = () => leave(signal.reason);
      const cancel = later(
        () => leave(new BodiesBusy(this.#limit, timeoutMs)),
        timeoutMs,
      );
      const ended = () => {
        cancel();
        signal.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter = {
        lease,
        bytes,
        enter: () => {
          ended();
          line.delete(waiter);
          this.#enter(lease, bytes);
          resolve();
        },
      };
      line.add(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  #fits(lease: Lease, bytes: number): boolean {
    if (this.#held + bytes <= this.#limit || this.#held === 0) return true;
    if (lease.held === 0) return false;
    return this.#above === undefined || this.#above === lease;
  }

  #enter(lease: Lease, bytes: number): void {
    this.#held += bytes;
    lease.held += bytes;
    if (this.#held > this.#limit) this.#above ??= lease;
  }

  #give(lease: Lease, all: number): void {
    const bytes = Math.min(all, lease.held);
    this.#small -= all - bytes;
    lease.small -= all - bytes;
    this.#held -= bytes;
    lease.held -= bytes;
    if (lease.held === 0 && this.#above === lease) this.#above = undefined;
    if (this.#held <= this.#limit) this.#above = undefined;
    this.#letIn();
  }

  /** Lets in who now fits, in order. */
  #letIn(): void {
    for (const line of [this.#inside, this.#outside]) {
      for (const { lease, bytes, enter } of line) {
        if (!this.#fits(lease, bytes)) break;
        enter();
      }
      if (line.size > 0) return;
    }
  }
}

/** What a lease does to the whole. */
interface Whole {
  readonly take: (lease: Lease, bytes: number) => Promise<void> | undefined;
  readonly give: (lease: Lease, bytes: number) => void;
}

class Lease implements BodyLease {
  readonly #whole: Whole;
  #isOver = false;
  held = 0;
  /** Held besides, as a small request. */
  small = 0;

  constructor(whole: Whole) {
    this.#whole = whole;
  }

  grow(bytes: number): Promise<void> | undefined {
    const taken = this.#whole.take(this, bytes);
    // Given back while it waited: what it is given then goes back too.
    return taken?.then(() => {
      if (this.#isOver) this.keep(0);
    });
  }

  keep(bytes: number): void {
    const given = this.held + this.small - bytes;
    if (given > 0) this.#whole.give(this, given);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.keep(0);
  }
}
