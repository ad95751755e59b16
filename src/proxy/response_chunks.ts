/** Reading response bodies. @module */
import { chunkReader } from "../upstream/chunk_reader.ts";

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
  const cancelled = new AbortController();
  const either = AbortSignal.any([signal, cancelled.signal]);
  const chunks = chunksOf(body, either);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > limit) {
      const bytes = parts[0]!;
      const rest = streamOf(parts, chunks, (why) => cancelled.abort(why));
      return { bytes, rest };
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes };
}

/** What was read, and what follows. `cancel` works at once, also where a generator would first wait for its next chunk. */
function streamOf(
  read: Uint8Array[],
  following: AsyncGenerator<Uint8Array, void, void>,
  cancel: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = read.shift() ?? (await following.next()).value;
      if (part) controller.enqueue(part);
      else controller.close();
    },
    cancel,
  }, { highWaterMark: 0 });
}

/** Reads a body chunk by chunk; an abort ends the read at once, throws its reason and cancels the body. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = chunkReader(body);
  // A failing cancel leaves nothing to do: nobody reads any more.
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel);
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = await reader.read();
      signal.throwIfAborted();
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
