import assert from "node:assert/strict";
import { ScanBuffer } from "../../src/tokens/char_kind.ts";

const text8 = new TextDecoder("utf-8", { ignoreBOM: true });

Deno.test("ScanBuffer.fill holds the text as UTF-8, then a byte that no text holds", () => {
  const buffer = new ScanBuffer();
  for (const text of ["", "a é 漢 😀", "é".repeat(100_000), "b", "\ud800x"]) {
    buffer.fill(text);
    assert.equal(
      text8.decode(buffer.bytes.subarray(0, buffer.length)),
      text.toWellFormed(),
    );
    assert.equal(buffer.bytes[buffer.length], 0xff);
  }
});

Deno.test("ScanBuffer.clear lets go of a buffer made for a large text", () => {
  const buffer = new ScanBuffer();
  buffer.fill("x".repeat(1_000_000));
  assert.ok(buffer.bytes.length > 1_000_000);
  buffer.clear();
  assert.equal(buffer.length, 0);
  assert.ok(buffer.bytes.length < 200_000);
});
