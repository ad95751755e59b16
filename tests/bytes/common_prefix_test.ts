import assert from "node:assert/strict";
import fc from "fast-check";
import { commonPrefix } from "../../src/bytes/common_prefix.ts";

const whole = (bytes: Uint8Array) => ({
  bytes,
  span: { start: 0, end: bytes.length },
});

Deno.test("commonPrefix finds the first byte that differs, wherever the ranges begin, also beyond one chunk", () => {
  fc.assert(
    fc.property(
      fc.nat(200_000),
      fc.nat(200_000),
      fc.nat(9),
      fc.nat(9),
      (length, place, before, otherBefore) => {
        const text = new Uint8Array(length).map((_, i) => i * 31);
        const [a, b] = [before, otherBefore].map((offset) => {
          const bytes = new Uint8Array(offset + length + 3).fill(7);
          bytes.set(text, offset);
          return { bytes, span: { start: offset, end: offset + length } };
        });
        assert.equal(commonPrefix(a!, b!), length);
        if (length === 0) return;
        const at = place % length;
        b!.bytes[otherBefore + at]! ^= 1;
        assert.equal(commonPrefix(a!, b!), at);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("commonPrefix ends where the shorter range does", () => {
  const long = Uint8Array.of(1, 2, 3, 4);
  assert.equal(commonPrefix(whole(long), whole(long.subarray(0, 2))), 2);
  assert.equal(commonPrefix(whole(long.subarray(0, 0)), whole(long)), 0);
  const inside = { bytes: long.subarray(1), span: { start: 1, end: 3 } };
  assert.equal(
    commonPrefix(inside, { bytes: long, span: { start: 2, end: 3 } }),
    1,
  );
});

Deno.test("commonPrefix leaves out what lies outside the bytes", () => {
  const bytes = Uint8Array.of(1, 2);
  const beyond = { bytes, span: { start: 1, end: 9 } };
  assert.equal(commonPrefix(beyond, beyond), 1);
  assert.equal(
    commonPrefix(beyond, { bytes, span: { start: 5, end: 9 } }),
    0,
  );
});
