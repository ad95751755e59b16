/** Bodies that are encoded, too large, or no conversation. */
import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { messagesClient } from "../conformance/conversation.ts";
import { LOG } from "../e2e/agent.ts";
import { onEach, printed, withoutOurTool, withoutTools } from "./bodies.ts";
import {
  arrived,
  bodyFor,
  GENERATIONS,
  post,
  PREVIEWS,
  replies,
  withApp,
} from "./world.ts";

const decoder = new TextDecoder();
const fine = replies();

Deno.test("12 an encoded body is decoded where it is edited, and forwarded as it came where it is not or cannot be read", () =>
  withApp(fine, async (place) => {
    const route = GENERATIONS[0]!;
    for (const encoding of ["gzip", "deflate", "br", "zstd"]) {
      const encode = await encoderOf(encoding);
      const headers = { "content-encoding": encoding };
      const begin = bodyFor(route, printed(LOG, encoding), 0);
      const edited = await arrived(place, route.path, {
        body: encode(begin),
        headers,
      });
      assert.equal(edited.headers.get("content-encoding"), null);
      assert.equal(withoutOurTool(edited.text), decoder.decode(begin));

      const plain = bodyFor(withoutTools(route), printed("x", encoding), 1);
      const kept = await arrived(place, route.path, {
        body: encode(plain),
        headers,
      });
      assert.equal(kept.headers.get("content-encoding"), encoding);
      assert.deepEqual(kept.body, encode(plain));
    }
    const garbage = new Uint8Array([31, 139, 8, 0, 1, 2, 3, 4, 5]);
    const gzip = { "content-encoding": "gzip" };
    const sent = await arrived(place, route.path, {
      body: garbage,
      headers: gzip,
    });
    assert.deepEqual(sent.body, garbage);
    assert.equal(sent.headers.get("content-encoding"), "gzip");
    const received = place.upstream.received.length;
    for (const encode of [gzipSync, zstdCompressSync]) {
      const bomb = encode(new Uint8Array(4_000_000));
      const response = await post(place, route.path, {
        body: bomb,
        headers: { "content-encoding": encode === gzipSync ? "gzip" : "zstd" },
      });
      assert.equal(response.status, 413);
      assert.equal((await response.json()).error.type, "request_too_large");
    }
    assert.equal(place.upstream.received.length, received);
  }, { env: { SVC_REQUEST_BODY_MAX_BYTES: "1000000" } }));

async function encoderOf(
  encoding: string,
): Promise<(body: Uint8Array) => Uint8Array> {
  const zlib = await import("node:zlib");
  const encode = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
  }[encoding]!;
  return (body) => new Uint8Array(encode(body));
}

Deno.test("13 a body over the limit gets 413 in the family's shape, with a declared length and without", () =>
  withApp(fine, (place) =>
    onEach(GENERATIONS, async ({ path, client }) => {
      const large = new Uint8Array(2000).fill(0x20);
      const stream = ReadableStream.from([large, large]);
      for (const body of [large, stream]) {
        const response = await fetch(place.url + path, {
          method: "POST",
          body,
        });
        assert.equal(response.status, 413);
        const { type, error } = await response.json();
        assert.match(error.message, /SVC_REQUEST_BODY_MAX_BYTES/);
        if (client === messagesClient) {
          assert.equal(type, "error");
          assert.equal(error.type, "request_too_large");
        } else {
          assert.equal(error.type, "invalid_request_error");
          assert.equal(error.code, "request_too_large");
        }
      }
      assert.equal(place.upstream.received.length, 0);
    }), { env: { SVC_REQUEST_BODY_MAX_BYTES: "1000" } }));

Deno.test("14 what is no conversation is forwarded as it came: the provider says what is wrong with it", () =>
  withApp(
    fine,
    (place) =>
      onEach([...GENERATIONS, ...PREVIEWS], async ({ path, client }) => {
        for (
          const body of [
            "",
            "[]",
            "7",
            "null",
            "{",
            '{"model":"m"}',
            `{"${client.array}":[}`,
            `{"${client.array}":{}}`,
            `{"model":"m","${client.array}":[]}x`,
          ]
        ) {
          const { text } = await arrived(place, path, body);
          assert.equal(text, body);
        }
        const invalid = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
        assert.deepEqual((await arrived(place, path, invalid)).body, invalid);
      }),
  ));
