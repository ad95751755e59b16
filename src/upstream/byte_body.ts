/** Bytes as the body of a request that the runtime sends without copying them whole. @module */

/** Bytes handed to the runtime at a time: it copies that many. */
const PART_BYTES = 256 * 1024;

/** Bodies up to this many bytes are copied by the runtime; that is cheaper than a stream. */
export const MAX_COPIED = 64 * 1024;

/**
 * A body for `Request` that stands for `bytes`, with their length.
 *
 * `fetch` copies an array twice, and keeps one copy until the request is collected. A stream is not copied, but is sent
 * without a length, which simple servers refuse. A `Blob` is a stream with a length; this one reads from the array.
 */
export class ByteBody extends Blob {
  readonly #bytes: Uint8Array;

  /** Holds `bytes`; they must not change until the request was sent. */
  constructor(bytes: Uint8Array) {
    super([]);
    this.#bytes = bytes;
  }

  /** Length of the bytes. */
  override get size(): number {
    return this.#bytes.length;
  }

  /** The bytes in parts, from the beginning; each call gives a stream of its own. */
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const bytes = this.#bytes as Uint8Array<ArrayBuffer>;
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        const part = bytes.subarray(at, at + PART_BYTES);
        at += part.length;
        controller.enqueue(part);
      },
    }, { highWaterMark: 0 });
  }
}
