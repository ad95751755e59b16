/** Undoing the content encoding of a reply, for what must be looked into before it is relayed. @module */
import { pipeline } from "node:stream/promises";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import type { ChunkReader, Reply } from "../core/upstream.ts";
import { readerOf } from "../upstream/chunk_reader.ts";

/** Layers of encoding that are undone; no upstream uses more than one. */
const MAX_LAYERS = 4;
/** Output of one step in bytes. */
const STEP = 64 * 1024;

type Decoder = ReturnType<typeof createGunzip>;

/** Makes the decoder of each encoding; `start` is the body's beginning. */
const DECODERS = new Map<string, (start: Uint8Array) => Decoder>([
  ["gzip", () => createGunzip({ chunkSize: STEP })],
  ["x-gzip", () => createGunzip({ chunkSize: STEP })],
  [
    "deflate",
    (start) =>
      hasZlibHeader(start)
        ? createInflate({ chunkSize: STEP })
        : createInflateRaw({ chunkSize: STEP }),
  ],
  ["br", () => createBrotliDecompress({ chunkSize: STEP })],
  ["zstd", () => createZstdDecompress({ chunkSize: STEP })],
]);

/** Whether {@linkcode decodedReply} gives a body without content encoding. */
export function isDecodable({ headers }: Pick<Reply, "headers">): boolean {
  const layers = layersOf(headers);
  return layers.length <= MAX_LAYERS &&
    layers.every((layer) => DECODERS.has(layer));
}

/**
 * The reply without content encoding: `gzip`, `deflate` (with or without zlib header), `br` and `zstd`,
 * also stacked. Its body is decoded as it is read, in steps of at most 64 KiB, and breaks where the
 * encoded one breaks or is malformed.
 *
 * @returns The same object when there is nothing to undo or the encoding is unknown; else one without
 * `content-encoding` and `content-length`, which has taken over the body.
 */
export function decodedReply(reply: Reply): Reply {
  const { body } = reply;
  const layers = layersOf(reply.headers);
  if (layers.length === 0 || body === null || !isDecodable(reply)) return reply;
  const headers = new Headers(reply.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  const decoded = layers.toReversed().reduce(
    (inner, layer) => decodedBody(inner, DECODERS.get(layer)!),
    readerOf(body),
  );
  return { ...reply, headers, body: decoded };
}

/** Encodings in the order they were applied, without `identity`. */
function layersOf(headers: Headers): readonly string[] {
  const encoding = headers.get("content-encoding");
  if (encoding === null) return [];
  return encoding.toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

function decodedBody(
  reader: ChunkReader,
  open: (start: Uint8Array) => Decoder,
): ChunkReader {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return {
    async read() {
      chunks ??= await begin(reader, open);
      const { value, done } = await chunks.next();
      return done ? undefined : new Uint8Array(value);
    },
    // The end of its input ends the decoder.
    cancel: (reason) => reader.cancel(reason),
  };
}

async function begin(
  reader: ChunkReader,
  open: (start: Uint8Array) => Decoder,
): Promise<AsyncIterator<Uint8Array>> {
  const first: Uint8Array[] = [];
  const start: number[] = [];
  while (start.length < 2) {
    const chunk = await reader.read();
    if (chunk === undefined) break;
    first.push(chunk);
    start.push(...chunk.subarray(0, 2));
  }
  const source = rest(first, reader);
  // An empty body is no encoded one, but nothing of it is lost.
  if (start.length === 0) return source;
  const decoder = open(Uint8Array.from(start));
  // What breaks the source is thrown where the decoder is read.
  pipeline(source, decoder).catch(() => {});
  return decoder[Symbol.asyncIterator]();
}

async function* rest(
  first: readonly Uint8Array[],
  reader: ChunkReader,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (;;) {
      const chunk = await reader.read();
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    // Malformed: what is left has no reader.
    await reader.cancel(undefined).catch(() => {});
  }
}

/** RFC 1950 section 2.2: method 8, and a checksum over both bytes. */
function hasZlibHeader([cmf = 0, flags = 0]: Uint8Array): boolean {
  return (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}
