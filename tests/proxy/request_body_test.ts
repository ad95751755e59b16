import assert from "node:assert/strict";
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import type { BodyLease } from "../../src/proxy/body_bytes.ts";
import { BodiesBusy } from "../../src/proxy/errors.ts";
import { BODY_COPIES, readBody } from "../../src/proxy/request_body.ts";

const MIB = 1 << 20;
const TEXT = JSON.stringify({ messages: ["é".repeat(1000)] });
const PLAIN = new TextEncoder().encode(TEXT);

function post(
  body: Uint8Array | ReadableStream<Uint8Array> | null,
  headers: Record<string, string> = {},
): Request {
  return new Request("http://proxy/", {
    method: "POST",
    body: body as BodyInit | null,
    headers,
  });
}

function encoded(bytes: Uint8Array, encoding: string): Request {
  return post(bytes, { "content-encoding": encoding });
}

function brotli(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
}

const ENCODERS: readonly (readonly [
  name: string,
  encoding: string,
  encode: (bytes: Uint8Array) => Uint8Array,
])[] = [
  ["gzip", "gzip", gzipSync],
  ["x-gzip", "X-GZip", gzipSync],
  ["deflate with zlib header", "deflate", deflateSync],
  ["raw deflate", "deflate", deflateRawSync],
  ["br", "br", brotli],
  ["zstd", "zstd", zstdCompressSync],
];

Deno.test("readBody gives the bytes once, decoded being the same array, when there is no encoding", async () => {
  for (const headers of [{}, { "content-encoding": "identity" }]) {
    const body = await readBody(post(PLAIN, headers), { maxBytes: MIB });
    assert.deepEqual(body.wire, PLAIN);
    assert.equal(body.decoded, body.wire);
    assert.equal(body.encoding, undefined);
  }
  const none = await readBody(post(null), { maxBytes: MIB });
  assert.equal(none.wire.length, 0);
});

Deno.test("readBody joins a body that comes in chunks", async () => {
  const chunks = [PLAIN.subarray(0, 7), PLAIN.subarray(7)];
  const body = await readBody(post(ReadableStream.from(chunks)), {
    maxBytes: MIB,
  });
  assert.deepEqual(body.wire, PLAIN);
});

for (const [name, encoding, encode] of ENCODERS) {
  Deno.test(`readBody decodes ${name} and keeps the wire bytes`, async () => {
    const wire = encode(PLAIN);
    const body = await readBody(encoded(wire, encoding), { maxBytes: MIB });
    assert.deepEqual([...body.wire], [...wire]);
    assert.equal(new TextDecoder().decode(body.decoded), TEXT);
    assert.equal(body.encoding, encoding.toLowerCase());
  });

  Deno.test(`readBody stops a ${name} bomb at the limit`, async () => {
    const bomb = encode(new Uint8Array(8 * MIB));
    assert.ok(bomb.length < MIB);
    await assert.rejects(
      readBody(encoded(bomb, encoding), { maxBytes: MIB }),
      { name: "BodyTooLarge", details: { limit_bytes: MIB } },
    );
  });

  Deno.test(`readBody leaves garbage that claims to be ${name} as it came`, async () => {
    const garbage = new Uint8Array([0x7b, 0x22, 0x61, 0xff, 0x00]);
    const body = await readBody(encoded(garbage, encoding), { maxBytes: MIB });
    assert.equal(body.decoded, undefined);
    assert.deepEqual(body.wire, garbage);
  });
}

Deno.test("readBody undoes stacked encodings, last one first", async () => {
  const wire = brotli(gzipSync(PLAIN));
  const body = await readBody(encoded(wire, "gzip, identity, BR"), {
    maxBytes: MIB,
  });
  assert.equal(new TextDecoder().decode(body.decoded), TEXT);
  assert.equal(body.encoding, "gzip, br");
});

Deno.test("readBody stops a bomb in an inner layer", async () => {
  const wire = gzipSync(gzipSync(new Uint8Array(8 * MIB)));
  await assert.rejects(
    readBody(encoded(wire, "gzip, gzip"), { maxBytes: MIB }),
    { name: "BodyTooLarge" },
  );
});

Deno.test("readBody accepts a decoded body of exactly the limit", async () => {
  const blank = new Uint8Array(MIB);
  const body = await readBody(encoded(gzipSync(blank), "gzip"), {
    maxBytes: MIB,
  });
  assert.deepEqual(body.decoded, blank);
});

Deno.test("readBody leaves an unknown encoding, too many layers and cut or extra bytes as they came", async () => {
  const gz = gzipSync(PLAIN);
  const frame = zstdCompressSync(PLAIN);
  const cases: readonly (readonly [Uint8Array, string])[] = [
    [PLAIN, "snappy"],
    [PLAIN, "gzip, snappy"],
    [PLAIN, "gzip,gzip,gzip,gzip,gzip"],
    [gz.subarray(0, -9), "gzip"],
    [new Uint8Array([...gz, 1, 2, 3]), "gzip"],
    [new Uint8Array([...frame, ...frame]), "zstd"],
    [new Uint8Array(0), "gzip"],
  ];
  for (const [wire, encoding] of cases) {
    const body = await readBody(encoded(wire, encoding), { maxBytes: MIB });
    assert.equal(body.decoded, undefined, encoding);
    assert.deepEqual([...body.wire], [...wire]);
  }
});

Deno.test("readBody refuses a declared length above the limit without reading", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: () => void pulled++,
  }, { highWaterMark: 0 });
  await assert.rejects(
    readBody(post(body, { "content-length": "11" }), { maxBytes: 10 }),
    { name: "BodyTooLarge", type: "validation_error" },
  );
  assert.equal(pulled, 0);
});

Deno.test("readBody stops reading a body without a length at the limit", async () => {
  let sent = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent++;
      controller.enqueue(new Uint8Array(4));
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  await assert.rejects(readBody(post(body), { maxBytes: 10 }), {
    name: "BodyTooLarge",
  });
  assert.ok(sent <= 4);
  assert.equal(cancelled, true);
});

Deno.test("readBody reports a client that leaves in the middle as an abort", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent++ === 0) controller.enqueue(new Uint8Array(4));
      else controller.error(new Error("connection reset"));
    },
  });
  await assert.rejects(readBody(post(body), { maxBytes: 10 }), {
    name: "AbortError",
    message: /4 bytes/,
  });
});

Deno.test("readBody lets other work run while it decodes", async () => {
  const wire = gzipSync(new Uint8Array(16 * MIB));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await readBody(encoded(wire, "gzip"), { maxBytes: 16 * MIB });
  clearInterval(timer);
  assert.ok(turns > 2, `${turns} turns`);
});

Deno.test("readBody waits no longer for a client that falls behind, with a length and without", async () => {
  const headers = [{}, { "content-length": "10" }, {
    "content-length": `${5 * MIB}`,
  }];
  for (const fields of headers) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(4)),
    });
    let rings = 0;
    const pace = {
      ms: 60_000,
      later(run: () => void, ms: number) {
        assert.ok(ms > 59_000 && ms <= 60_000, `${ms}`);
        const timer = setTimeout(() => {
          rings++;
          run();
        }, 0);
        return () => clearTimeout(timer);
      },
    };
    const read = readBody(post(body, fields), { maxBytes: 10 * MIB, pace });
    await assert.rejects(read, { name: "BodyTooSlow" });
    assert.equal(rings, 1);
  }
});

Deno.test("readBody holds a body whose length is no number to the limit", async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(4)),
  });
  const request = post(body, { "content-length": "3, 3" });
  await assert.rejects(readBody(request, { maxBytes: 10 }), {
    name: "BodyTooLarge",
  });
});

/** What a lease was asked for. */
function leaseOf() {
  const asked: number[] = [];
  const lease: BodyLease = {
    grow: (bytes) => void asked.push(bytes),
    keep() {},
    [Symbol.dispose]() {},
  };
  return { lease, asked };
}

Deno.test("readBody takes bytes for a declared body before it reads, for another one as it comes, for an encoded one as it is decoded", async () => {
  const declared = leaseOf();
  const length = { "content-length": `${PLAIN.length}` };
  await readBody(post(PLAIN, length), { maxBytes: MIB, lease: declared.lease });
  assert.deepEqual(declared.asked, [BODY_COPIES * PLAIN.length]);

  const chunked = leaseOf();
  const chunks = [PLAIN.subarray(0, 7), PLAIN.subarray(7)];
  await readBody(post(ReadableStream.from(chunks)), {
    maxBytes: MIB,
    lease: chunked.lease,
  });
  assert.deepEqual(
    chunked.asked,
    chunks.map(({ length }) => BODY_COPIES * length),
  );

  const packed = leaseOf();
  const wire = gzipSync(PLAIN);
  await readBody(
    post(wire, {
      "content-encoding": "gzip",
      "content-length": `${wire.length}`,
    }),
    { maxBytes: MIB, lease: packed.lease },
  );
  assert.deepEqual(packed.asked, [wire.length, BODY_COPIES * PLAIN.length]);
});

Deno.test("readBody ends with what a lease refuses with, decoded or not", async () => {
  const lease: BodyLease = {
    grow: () => Promise.reject(new BodiesBusy(1, 1)),
    keep() {},
    [Symbol.dispose]() {},
  };
  for (const request of [post(PLAIN), encoded(gzipSync(PLAIN), "gzip")]) {
    await assert.rejects(readBody(request, { maxBytes: MIB, lease }), {
      name: "BodiesBusy",
    });
  }
});
