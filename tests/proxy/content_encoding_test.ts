import assert from "node:assert/strict";
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { decodedReply, isDecodable } from "../../src/proxy/content_encoding.ts";
import type { ChunkReader, Reply } from "../../src/core/upstream.ts";
import { readerOf } from "../../src/upstream/chunk_reader.ts";
import { replyOf, textOf } from "../upstream/replies.ts";

const utf8 = new TextEncoder();
const TEXT = "größe ".repeat(30_000);

/** An encoded response in pieces of `size` bytes. */
function encoded(encoding: string, bytes: Uint8Array, size = 1000): Reply {
  const pieces = Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, i) => bytes.slice(i * size, (i + 1) * size),
  );
  return replyOf(
    new Response(ReadableStream.from(pieces), {
      status: 201,
      headers: {
        "content-encoding": encoding,
        "content-length": String(bytes.length),
        "x-request-id": "r",
      },
    }),
  );
}

/** Reads what a response decodes to. */
function decodedReader(response: Response): ChunkReader {
  return readerOf(decodedReply(replyOf(response)).body!);
}

Deno.test("decodedReply undoes every known encoding, in any pieces", async () => {
  const plain = utf8.encode(TEXT);
  const all: [string, Uint8Array][] = [
    ["gzip", gzipSync(plain)],
    ["X-GZIP", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["deflate", deflateRawSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["zstd", zstdCompressSync(plain)],
    ["identity, gzip, br", brotliCompressSync(gzipSync(plain))],
  ];
  for (const [encoding, bytes] of all) {
    for (const size of [1, 1000]) {
      const response = encoded(encoding, bytes, size);
      assert.equal(isDecodable(response), true);
      const out = decodedReply(response);
      assert.equal(await textOf(out), TEXT, encoding);
      assert.equal(out.status, 201);
      assert.deepEqual([...out.headers], [["x-request-id", "r"]]);
    }
  }
});

Deno.test("decodedReply returns what is not encoded, or in an unknown way, as it is", () => {
  const plain = replyOf(new Response("x"));
  assert.equal(isDecodable(plain), true);
  const unknown = ["compress", "gzip, odd", "gzip,gzip,gzip,gzip,gzip"]
    .map((encoding) => encoded(encoding, utf8.encode("x")));
  for (const response of unknown) assert.equal(isDecodable(response), false);
  const headers = new Headers({ "content-encoding": "gzip" });
  const empty = replyOf(new Response(null, { headers }));
  for (const response of [plain, ...unknown, empty]) {
    assert.equal(decodedReply(response), response);
  }
});

Deno.test("decodedReply gives what arrived as soon as it can be decoded", async () => {
  const text = "data: 1\n\n";
  const plain = utf8.encode(text);
  const deflate = { finishFlush: constants.Z_SYNC_FLUSH };
  // Pieces of a stream that goes on.
  const pieces: [string, Uint8Array][] = [
    ["gzip", gzipSync(plain, deflate)],
    ["deflate", deflateSync(plain, deflate)],
    ["deflate", deflateRawSync(plain, deflate)],
    [
      "br",
      brotliCompressSync(plain, {
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
    ],
    ["zstd", zstdCompressSync(plain, { finishFlush: constants.ZSTD_e_flush })],
  ];
  for (const [encoding, piece] of pieces) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(piece),
    });
    const headers = { "content-encoding": encoding };
    const reader = decodedReader(new Response(body, { headers }));
    const value = await reader.read();
    assert.equal(new TextDecoder().decode(value), text, encoding);
    await reader.cancel(undefined);
  }
});

Deno.test("decodedReply breaks where its body breaks or is malformed", async () => {
  const bytes = gzipSync(utf8.encode(TEXT));
  await assert.rejects(
    textOf(decodedReply(encoded("gzip", bytes.subarray(0, 300)))),
  );
  await assert.rejects(
    textOf(decodedReply(encoded("gzip", utf8.encode("no gzip")))),
  );
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.subarray(0, 200)),
    pull: (controller) => controller.error(new Error("reset")),
  });
  const headers = { "content-encoding": "gzip" };
  await assert.rejects(
    textOf(decodedReply(replyOf(new Response(broken, { headers })))),
    /reset/,
  );
});

Deno.test("decodedReply cancels its body when nobody reads any more, also while it waits", async () => {
  for (const encoding of ["gzip", "deflate"]) {
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
    const body = new ReadableStream<Uint8Array>({ cancel: resolve });
    const headers = { "content-encoding": encoding };
    const reader = decodedReader(new Response(body, { headers }));
    const pending = reader.read();
    await reader.cancel("left");
    assert.equal(await cancelled, "left");
    assert.equal(await pending, undefined);
  }
});

Deno.test("decodedReply takes an empty body for an empty one", async () => {
  assert.equal(
    await textOf(decodedReply(encoded("gzip", new Uint8Array(0)))),
    "",
  );
});
