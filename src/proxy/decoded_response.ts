/** Undoing the content encoding of a response, for what must be looked into before it is relayed. @module */
import { pipeline } from "node:stream/promises";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

/** Layers of encoding that are undone; no upstream uses more than one. */
const MAX_LAYERS = 4;
/** Output of one step in bytes. */
const STEP = 64 * 1024;

type Decoder = ReturnType<typeof createGunzip>;
type Reader = ReadableStreamDefaultReader<Uint8Array>;

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

/** Whether {@linkcode decodedResponse} gives a body without content encoding. */
export function isDecodable({ headers }: Response): boolean {
  const layers = layersOf(headers);
  return layers.length <= MAX_LAYERS &&
    layers.every((layer) => DECODERS.has(layer));
}

/**
 * The response without content encoding: `gzip`, `deflate` (with or without zlib header), `br` and `zstd`,
 * also stacked. Its body is decoded as it is read, in steps of at most 64 KiB, and breaks where the
 * encoded one breaks or is malformed.
 *
 * @returns The same object when there is nothing to undo or the encoding is unknown; else one without
 * `content-encoding` and `content-length`, which has taken over the body.
 */
export function decodedResponse(response: Response): Response {
  const { body, status, statusText } = response;
  const layers = layersOf(response.headers);
  if (layers.length === 0 || body === null || !isDecodable(response)) {
    return response;
  }
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  const decoded = layers.toReversed().reduce(
    (inner, layer) => decodedBody(inner, DECODERS.get(layer)!),
    body as ReadableStream<Uint8Array>,
  );
  return new Response(decoded as BodyInit, { status, statusText, headers });
}

/** Encodings in the order they were applied, without `identity`. */
function layersOf(headers: Headers): readonly string[] {
  return (headers.get("content-encoding") ?? "").toLowerCase().split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

function decodedBody(
  body: ReadableStream<Uint8Array>,
  open: (start: Uint8Array) => Decoder,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      chunks ??= await begin(reader, open);
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    // The end of its input ends the decoder.
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

async function begin(
  reader: Reader,
  open: (start: Uint8Array) => Decoder,
): Promise<AsyncIterator<Uint8Array>> {
  const first: Uint8Array[] = [];
  const start: number[] = [];
  while (start.length < 2) {
    const { value, done } = await reader.read();
    if (done) break;
    first.push(value);
    start.push(...value.subarray(0, 2));
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
  reader: Reader,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Malformed: what is left has no reader.
    await reader.cancel().catch(() => {});
  }
}

/** RFC 1950 section 2.2: method 8, and a checksum over both bytes. */
function hasZlibHeader([cmf = 0, flags = 0]: Uint8Array): boolean {
  return (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}
