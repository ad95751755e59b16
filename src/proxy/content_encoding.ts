/** Undoing the content encodings of a request's body, and of a reply that is looked into before it is relayed. @module */
import { readerOf } from "../upstream/chunk_reader.ts";
import type { ChunkReader, Reply } from "../core/upstream.ts";
import { pipeline } from "node:stream/promises";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { concat } from "../bytes/concat.ts";
import { ServiceError } from "../core/errors.ts";
import { nextTurn } from "../core/next_turn.ts";
import { isAbort } from "../pipeline/attempt.ts";
import { BodyTooLarge } from "./errors.ts";

/** What the decoded bytes may take. */
export interface DecodedBound {
  /** Bytes at most. */
  readonly maxBytes: number;
  /** Variable that sets the bound, for the message. */
  readonly setBy: string | undefined;
  /** Waits until there is room for so many more bytes; `undefined` where they are not counted. */
  readonly grow: ((bytes: number) => Promise<void> | undefined) | undefined;
}

/** Layers of encoding that are undone; nobody uses more than one. */
const MAX_LAYERS = 4;
/** Output of one step, in bytes, and output after which other work on the thread gets its turn. */
const STEP = 64 * 1024;
const TURN = 1024 * 1024;

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

/** RFC 1950 section 2.2: method 8, and a checksum over both bytes. */
function hasZlibHeader([cmf = 0, flags = 0]: Uint8Array): boolean {
  return (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}

function areKnown(layers: readonly string[]): boolean {
  return layers.length <= MAX_LAYERS &&
    layers.every((layer) => DECODERS.has(layer));
}

/** Encodings in the order they were applied, without `identity`. */
export function encodingsIn(headers: Headers): readonly string[] {
  const named = headers.get("content-encoding") ?? "";
  return named.toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

/**
 * Undoes `layers`, the last one first, in small steps.
 *
 * @returns `undefined` where one is unknown, or the bytes are not encoded like that.
 * @throws {BodyTooLarge} As soon as the bound is passed.
 * @throws What `grow` rejects with.
 */
export async function withoutEncodings(
  wire: Uint8Array,
  layers: readonly string[],
  bound: DecodedBound,
): Promise<Uint8Array | undefined> {
  if (!areKnown(layers)) return undefined;
  let bytes: Uint8Array | undefined = wire;
  for (const layer of layers.toReversed()) {
    if (bytes === undefined) return undefined;
    bytes = await drain(DECODERS.get(layer)!(bytes), bytes, bound);
  }
  return bytes;
}

async function drain(
  decoder: Decoder,
  bytes: Uint8Array,
  { maxBytes, setBy, grow }: DecodedBound,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let turn = 0;
  try {
    decoder.end(bytes);
    for await (const chunk of decoder) {
      turn += chunk.length;
      length += chunk.length;
      if (length > maxBytes) {
        throw new BodyTooLarge("decoded request body", maxBytes, setBy);
      }
      chunks.push(chunk);
      await grow?.(chunk.length);
      if (turn >= TURN) {
        turn = 0;
        await nextTurn();
      }
    }
    // Bytes behind the end, e.g. a second zstd frame, would be lost.
    if (decoder.bytesWritten !== bytes.length) return undefined;
    return concat(chunks);
  } catch (error) {
    if (error instanceof ServiceError || isAbort(error)) throw error;
    return undefined;
  } finally {
    decoder.destroy();
  }
}

/** Whether {@linkcode decodedReply} gives a body without content encoding. */
export function isDecodable({ headers }: Pick<Reply, "headers">): boolean {
  return areKnown(encodingsIn(headers));
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
  const layers = encodingsIn(reply.headers);
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
