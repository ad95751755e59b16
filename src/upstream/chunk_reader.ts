/** Reading bodies without wasting memory on small chunks. @module */
import type { ChunkReader, Reply } from "../core/upstream.ts";

/** Makes a stream of what `source` gives, one chunk at a time and only when one is asked for. */
export function streamOf(source: ChunkReader): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const chunk = await source.read();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: (reason) => source.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Bytes of the buffer that a body begins with, and of the largest one. */
const FIRST_BYTES = 8 * 1024;
const MAX_BYTES = 64 * 1024;
/** A chunk is copied, and its buffer used again, if it fills less than this share of it. */
const COPIED_SHARE = 0.25;

/**
 * Makes a reader.
 *
 * The runtime gives each chunk of a `fetch` body a buffer of 64 KiB, however few bytes an event of a model has: with
 * many streams most of the time goes into collecting them. Where the body takes buffers, it gets small ones that grow
 * with what comes.
 */
export function chunkReader(body: ReadableStream<Uint8Array>): ChunkReader {
  const buffered = byobReader(body);
  if (buffered) return new BufferedReader(buffered);
  const reader = body.getReader();
  return {
    async read() {
      const { done, value } = await reader.read();
      return done ? undefined : value;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Reads the body of a reply, also one that is whole. */
export function readerOf(body: NonNullable<Reply["body"]>): ChunkReader {
  return body instanceof Uint8Array ? new WholeReader(body) : body;
}

/** Ends the body of a reply that nobody reads: what breaks it does not matter. */
export async function dropBody({ body }: Pick<Reply, "body">): Promise<void> {
  if (body === null || body instanceof Uint8Array) return;
  await body.cancel(undefined).catch(() => {});
}

class WholeReader implements ChunkReader {
  #left: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#left = bytes.length > 0 ? bytes : undefined;
  }

  read(): Promise<Uint8Array | undefined> {
    const chunk = this.#left;
    this.#left = undefined;
    return Promise.resolve(chunk);
  }

  cancel(): Promise<void> {
    this.#left = undefined;
    return Promise.resolve();
  }
}

/** A reader that takes buffers; `undefined` where the body is no byte stream. */
function byobReader(
  body: ReadableStream<Uint8Array>,
): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError && !body.locked) return undefined;
    throw error;
  }
}

class BufferedReader implements ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  /** Gone after the end: the runtime keeps the streams of a response for long. */
  #buffer: ArrayBuffer | undefined = new ArrayBuffer(FIRST_BYTES);

  constructor(reader: ReadableStreamBYOBReader) {
    this.#reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#buffer === undefined) return undefined;
    const size = this.#buffer.byteLength;
    const { done, value } = await this.#reader.read(
      new Uint8Array(this.#buffer),
    );
    if (done) {
      this.#buffer = undefined;
      return undefined;
    }
    if (value.length < size * COPIED_SHARE) {
      this.#buffer = value.buffer;
      return value.slice();
    }
    const isFull = value.length === size;
    this.#buffer = new ArrayBuffer(
      isFull ? Math.min(2 * size, MAX_BYTES) : size,
    );
    return value;
  }

  cancel(reason: unknown): Promise<void> {
    this.#buffer = undefined;
    return this.#reader.cancel(reason);
  }
}
