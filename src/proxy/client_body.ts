/** Waiting for a client's body, but not for ever. @module */
import { afterMs } from "../upstream/wait.ts";
import { BodyTooSlow } from "./errors.ts";

/** How long a client may take. */
export interface BodyPace {
  /** Milliseconds for each {@linkcode PACE_BYTES}, and for the rest; only time spent waiting for the client counts. */
  readonly ms: number;
  /** Runs something later; gives what takes that back. Timers unless given. */
  readonly later?: (run: () => void, ms: number) => () => void;
  /** Milliseconds from an arbitrary origin; `performance.now` unless given. */
  readonly now?: () => number;
}

/** Bytes that must arrive in the time of a {@linkcode BodyPace}: a few at a time do not keep a request alive. */
const PACE_BYTES = 64 * 1024;

/** A minute: slower than a kilobyte per second is nobody who wants an answer. */
const DEFAULT_PACE: BodyPace = { ms: 60_000 };

/** Takes the next bytes of a body, into the array that is given where the body can do that. */
interface BytesReader {
  read(
    into: Uint8Array<ArrayBuffer> | undefined,
  ): Promise<
    { readonly done: boolean; readonly value?: Uint8Array | undefined }
  >;
  cancel(): Promise<void>;
}

/** A reader of a byte stream that fills arrays of the caller's; `undefined` where the body is none. */
function fillingReader(
  body: ReadableStream<Uint8Array>,
): BytesReader | undefined {
  try {
    const reader = body.getReader({ mode: "byob" });
    return {
      read: (into = new Uint8Array(PACE_BYTES)) => reader.read(into),
      cancel: () => reader.cancel(),
    };
  } catch (error) {
    if (error instanceof TypeError && !body.locked) return undefined;
    throw error;
  }
}

/** Reads a client's body in chunks and ends it when the client falls behind. */
export class PacedReader {
  readonly #reader: BytesReader;
  readonly #pace: Required<BodyPace>;
  #total = 0;
  #step = 0;
  #leftMs: number;
  #failure: BodyTooSlow | undefined;

  /** Takes `body` over. */
  constructor(
    body: ReadableStream<Uint8Array>,
    { ms, later = afterWait, now = performanceNow }: BodyPace = DEFAULT_PACE,
  ) {
    this.#reader = fillingReader(body) ?? body.getReader();
    this.#pace = { ms, later, now };
    this.#leftMs = ms;
  }

  /** What ended the body, if that was the pace. */
  get failure(): BodyTooSlow | undefined {
    return this.#failure;
  }

  /**
   * The next chunk; `undefined` after the last one.
   *
   * @param into Where it is to be; its buffer is gone then. Not every body can do that.
   * @throws {BodyTooSlow} When the client falls behind the pace; the body is cancelled.
   */
  async read(
    into?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array | undefined> {
    const { later, now } = this.#pace;
    const start = now();
    const takeBack = later(() => this.#giveUp(), this.#leftMs);
    const { done, value } = await this.#reader.read(into).finally(takeBack);
    if (this.#failure !== undefined) throw this.#failure;
    if (done || value === undefined) return undefined;
    this.#count(value.length, now() - start);
    return value;
  }

  /** Reads no more, also while a {@linkcode PacedReader.read} waits. */
  async cancel(): Promise<void> {
    // A body that has ended or broken has nothing left to cancel.
    await this.#reader.cancel().catch(() => {});
  }

  #count(bytes: number, waitedMs: number): void {
    this.#total += bytes;
    this.#step += bytes;
    this.#leftMs = Math.max(0, this.#leftMs - waitedMs);
    if (this.#step < PACE_BYTES) return;
    this.#step = 0;
    this.#leftMs = this.#pace.ms;
  }

  #giveUp(): void {
    this.#failure = new BodyTooSlow(this.#total, this.#pace.ms);
    // The read that waits then ends.
    void this.cancel();
  }
}

/** Holds a body that is streamed through to its pace; chunks are asked for when the receiver takes them. */
export function pacedBody(
  body: ReadableStream<Uint8Array>,
  pace: BodyPace = DEFAULT_PACE,
) {
  const reader = new PacedReader(body, pace);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await reader.read();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => reader.cancel(),
  }, { highWaterMark: 0 });
  return {
    /** The same bytes; fails when the client falls behind. */
    stream,
    /** What the stream failed with, if that was the pace: whoever sends the stream sees another error. */
    tooSlow: () => reader.failure,
  };
}

/**
 * Waits for a body that the runtime reads in one piece.
 *
 * @param whole The body.
 * @param length Its length in bytes: each {@linkcode PACE_BYTES} adds the time of one second to that of the pace.
 * @throws {BodyTooSlow} When it is not there in time; it is then left to itself.
 */
export async function inTime(
  whole: Promise<Uint8Array>,
  length: number,
  { ms, later = afterWait }: BodyPace = DEFAULT_PACE,
): Promise<Uint8Array> {
  const late = Promise.withResolvers<never>();
  const limitMs = ms + Math.floor(length / PACE_BYTES) * 1000;
  const takeBack = later(
    () => late.reject(new BodyTooSlow(0, limitMs)),
    limitMs,
  );
  try {
    return await Promise.race([whole, late.promise]);
  } finally {
    takeBack();
    // Nobody waits for it after the deadline, whatever becomes of it.
    whole.catch(() => {});
  }
}

function afterWait(run: () => void, ms: number): () => void {
  return afterMs(ms, run);
}

function performanceNow(): number {
  return performance.now();
}
