/** Bytes as the body of a request that the runtime sends without copying them whole. @module */

/** Bytes handed to the runtime at a time: it copies that many. */
const PART_BYTES = 256 * 1024;

const NOTHING = new Uint8Array(0);

/** Bodies up to this many bytes are copied by the runtime; that is cheaper than a stream. */
export const MAX_COPIED = 64 * 1024;

/**
 * A body for `Request` that stands for `bytes`, with their length.
 *
 * `fetch` copies an array twice, and keeps one copy until the request is collected. A stream is not copied, but is sent
 * without a length, which simple servers refuse. A `Blob` is a stream with a length; this one reads from the array.
 */
export class ByteBody extends Blob {
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
