/** Reading response bodies. @module */
import {
  type ChunkReader,
  chunkReader,
  streamOf,
} from "../upstream/chunk_reader.ts";

/** What {@linkcode readWhole} read. */
export interface WholeBody {
  /** The body; its beginning if it is longer than the limit. */
  readonly bytes: Uint8Array;
  /** The body from its first byte, when it is longer than the limit. Whoever cancels it cancels the body. */
  readonly rest?: ReadableStream<Uint8Array>;
}

/** Reads a body of at most `limit` bytes into memory. Rejects with the signal's reason, or with what broke the body. */
export async function readWhole(
  body: ReadableStream<Uint8Array>,
  limit: number,
  signal: AbortSignal,
): Promise<WholeBody> {
  const reading = new Reading(body, signal);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const part = await reading.read();
    if (part === undefined) return { bytes: joined(parts, length) };
    parts.push(part);
    length += part.length;
    if (length <= limit) continue;
    const rest = streamOf({
      read: () => {
        const read = parts.shift();
        return read ? Promise.resolve(read) : reading.read();
      },
      cancel: (reason) => reading.cancel(reason),
    });
    return { bytes: parts[0]!, rest };
  }
}

/** Most documents come in one piece, which is not copied. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads a body chunk by chunk; an abort ends the read at once, throws its reason and cancels the body. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const reading = new Reading(body, signal);
  try {
    for (;;) {
      const chunk = await reading.read();
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    reading.leave();
  }
}

/** One body, read until a signal fires. */
class Reading implements ChunkReader {
  readonly #reader: ChunkReader;
  readonly #signal: AbortSignal;

  constructor(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
    this.#reader = chunkReader(body);
    this.#signal = signal;
    signal.addEventListener("abort", this.leave);
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      this.#signal.throwIfAborted();
      const chunk = await this.#reader.read();
      this.#signal.throwIfAborted();
      if (chunk === undefined) this.#end();
      return chunk;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  cancel(reason: unknown): Promise<void> {
    this.#end();
    return this.#reader.cancel(reason);
  }

  /** A failing cancel leaves nothing to do: nobody reads any more. */
  readonly leave = () => void this.cancel(this.#signal.reason).catch(() => {});

  #end(): void {
    this.#signal.removeEventListener("abort", this.leave);
  }
}
