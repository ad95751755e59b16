import assert from "node:assert/strict";
import { ByteBody } from "../../src/upstream/byte_body.ts";

const bytes = Uint8Array.from({ length: 700_001 }, (_, i) => i % 251);

function request(body: BodyInit): Request {
  return new Request("http://up.example/", { method: "POST", body });
}

Deno.test("ByteBody gives its bytes and their number, and no type", async () => {
  const made = request(new ByteBody(bytes));
  assert.equal(new ByteBody(bytes).size, bytes.length);
  assert.equal(made.headers.get("content-type"), null);
  assert.deepEqual(await made.bytes(), bytes);
});

Deno.test("ByteBody gives the bytes again for every request", async () => {
  const body = new ByteBody(bytes);
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await request(body).bytes(), bytes);
  }
});

Deno.test("ByteBody hands parts of the array on, not copies", async () => {
  const parts: Uint8Array[] = [];
  for await (const part of new ByteBody(bytes).stream()) parts.push(part);
  assert.ok(parts.length > 1);
  assert.ok(parts.every(({ buffer }) => buffer === bytes.buffer));
});

Deno.test("ByteBody gives what it began to give after its release, and begins no more", async () => {
  const body = new ByteBody(bytes);
  const begun = body.stream().getReader();
  const first = await begun.read();
  body.release();
  const parts = [first.value!];
  for (let part = await begun.read(); !part.done; part = await begun.read()) {
    parts.push(part.value);
  }
  assert.deepEqual(await new Blob(parts).bytes(), bytes);
  assert.equal(body.size, bytes.length);
  assert.throws(() => body.stream(), TypeError);
});
