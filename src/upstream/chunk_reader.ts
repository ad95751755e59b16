/** Reading a response body without wasting memory on small chunks. @module */

/** Reads a body chunk by chunk. */
export interface ChunkReader {
  /** The next chunk; `undefined` at the end. Rejects with what broke the body. */
  read(): Promise<Uint8Array | undefined>;
  /** Ends the body before its end. */
  cancel(reason: unknown): Promise<void>;
}

/** Sources of the streams that were made here. */
const SOURCES = new WeakMap<ReadableStream<Uint8Array>, ChunkReader>();

/**
 * Makes a stream of what `source` gives, one chunk at a time and only when one is asked for. Who reads the stream with
 * {@linkcode chunkReader} reads the source itself: a chunk that passes several stages is then handed on by plain
 * calls, which takes a fraction of what a stream per stage does.
 */
export function streamOf(source: ChunkReader): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>({
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
  SOURCES.set(stream, source);
  return stream;
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
  const source = SOURCES.get(body);
  if (source && !body.locked) {
    // Nobody else may read it from now on.
    SOURCES.delete(body);
    return source;
  }
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
  #buffer = new ArrayBuffer(FIRST_BYTES);

  constructor(reader: ReadableStreamBYOBReader) {
    this.#reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    const size = this.#buffer.byteLength;
    const { done, value } = await this.#reader.read(
      new Uint8Array(this.#buffer),
    );
    if (done) return undefined;
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
    return this.#reader.cancel(reason);
  }
}
