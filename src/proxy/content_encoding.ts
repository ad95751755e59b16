/** Undoing the content encodings of a request's body. @module */
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

/** Layers of encoding that are undone; no client uses more than one. */
const MAX_LAYERS = 4;
/** Output of one step, and output after which other work on the thread gets its turn. */
const STEP = 64 * 1024;
const TURN = 1024 * 1024;

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
  if (layers.length > MAX_LAYERS) return undefined;
  let bytes: Uint8Array | undefined = wire;
  for (const layer of layers.toReversed()) {
    if (bytes === undefined) return undefined;
    bytes = await decodeLayer(bytes, layer, bound);
  }
  return bytes;
}

function decodeLayer(
  bytes: Uint8Array,
  layer: string,
  bound: DecodedBound,
): Promise<Uint8Array | undefined> {
  const options = { chunkSize: STEP };
  switch (layer) {
    case "gzip":
    case "x-gzip":
      return drain(createGunzip(options), bytes, bound);
    case "deflate":
      return drain(
        hasZlibHeader(bytes)
          ? createInflate(options)
          : createInflateRaw(options),
        bytes,
        bound,
      );
    case "br":
      return drain(createBrotliDecompress(options), bytes, bound);
    case "zstd":
      return drain(createZstdDecompress(options), bytes, bound);
    default:
      return Promise.resolve(undefined);
  }
}

/** RFC 1950 section 2.2: method 8, and a checksum over both bytes. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [cmf = 0, flags = 0] = bytes;
  return (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}

/** The part of a zlib stream that is used here. */
interface Decoder extends AsyncIterable<Uint8Array> {
  readonly bytesWritten: number;
  end(bytes: Uint8Array): unknown;
  destroy(): unknown;
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
