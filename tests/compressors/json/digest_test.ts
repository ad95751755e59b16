import assert from "node:assert/strict";
import fc from "fast-check";
import {
  digestOf,
  mayName,
  MIN_DIGEST_CHARS,
} from "../../../src/compressors/json/digest.ts";

const HEX64 =
  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const HEX40 = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3";
const SHA512 =
  "sha512-7NzBL0rN6fMUW+f7A6Io4h40qQlG+xGmtMxfbnH/K7TAtt8JQWVQK+6g0UXKMeVJoyV5EkkNsErQ8pVD3bLHbA==";
const BASE64 = SHA512.slice(7);
const JWT =
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

function labelOf(content: string, key = "x"): string | undefined {
  return digestOf(content, () => key)?.label;
}

Deno.test("digestOf names digests, encoded bytes and web tokens", () => {
  assert.equal(labelOf(SHA512), "sha512");
  assert.equal(labelOf(`sha1-qY9KPl9a0uPZs0p0kTYwMTExMTE= ${SHA512}`), "sha1");
  assert.equal(labelOf(`sha256:${HEX64}`), "sha256");
  assert.equal(labelOf(`h1:${BASE64.slice(0, 43)}=`), "h1 hash");
  assert.equal(labelOf(HEX64), "64 hex digits");
  assert.equal(labelOf(HEX64.toUpperCase()), "64 hex digits");
  assert.equal(labelOf(BASE64), "88 base64 characters");
  assert.equal(labelOf(JWT), "JWT");
  assert.match(
    labelOf(`data:image/png;base64,${BASE64.slice(0, 80)}${BASE64}`)!,
    /^image\/png as \d+ base64 characters$/,
  );
});

Deno.test("digestOf leaves names, paths, text and placeholders alone", () => {
  for (
    const content of [
      "",
      "sha512",
      "sha512-short",
      "src/compressors/json/tests/golden/some/LongName2/index",
      "com_example_project_module_ServiceImplementation2Factory",
      "https://example.com/a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
      "550e8400-e29b-41d4-a716-446655440000",
      "0".repeat(64),
      "ab".repeat(32),
      "1234567890".repeat(6),
      "x".repeat(1_000),
      "A".repeat(1_000),
      "a sentence of many words that is longer than forty characters",
      btoa("password=correct horse battery staple and 1 more"),
      `0x${HEX64}`,
    ]
  ) assert.equal(labelOf(content), undefined, content);
});

Deno.test("digestOf keeps what names a thing, by its key", () => {
  for (
    const key of [
      "id",
      "Id",
      "containerId",
      "NetworkID",
      "user_id",
      "uuid",
      "name",
      "version",
      "url",
      "downloadUrl",
      "next_cursor",
      "message",
    ]
  ) assert.equal(labelOf(HEX64, key), undefined, key);
  for (const key of ["integrity", "sha256", "https://example.com/a.ts"]) {
    assert.ok(labelOf(HEX64, key), key);
  }
});

Deno.test("digestOf takes 40 hex digits for a commit, unless the key says checksum", () => {
  for (const key of ["sha", "commit", "rev", "hash", "reference"]) {
    assert.equal(labelOf(HEX40, key), undefined, key);
  }
  for (const key of ["shasum", "sha1", "checksum", "digest"]) {
    assert.equal(labelOf(HEX40, key), "40 hex digits", key);
  }
});

Deno.test("digestOf knows short opaque ids by key and content", () => {
  assert.equal(labelOf("PR_kwDOABCD1234", "node_id"), "opaque");
  assert.equal(labelOf('W/\\"5d8c72a5edda8d6a\\"', "etag"), "opaque");
  assert.equal(labelOf("PR_kwDOABCD1234", "ref"), undefined);
  assert.equal(labelOf("not an id at all 1", "node_id"), undefined);
});

Deno.test("digestOf finds nearly all random bytes in base64 and hex", () => {
  let missed = 0;
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 200 }),
      fc.boolean(),
      (bytes, isHex) => {
        if (new Set(bytes).size < 20) return;
        const text = isHex
          ? [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")
          : btoa(String.fromCharCode(...bytes));
        if (labelOf(text) === undefined) missed++;
      },
    ),
    { numRuns: 300, seed: 7 },
  );
  assert.ok(missed < 15, `${missed}`);
});

Deno.test("digestOf needs MIN_DIGEST_CHARS characters", () => {
  const id = "PR_kwDO12345678";
  assert.equal(labelOf(id.slice(0, MIN_DIGEST_CHARS), "node_id"), "opaque");
  assert.equal(
    labelOf(id.slice(0, MIN_DIGEST_CHARS - 1), "node_id"),
    undefined,
  );
});

Deno.test("mayName holds for keys that tell records apart", () => {
  for (const key of ["name", "path", "user_id", "sha", "label"]) {
    assert.ok(mayName(key), key);
  }
  for (const key of ["integrity", "node_id", "etag", "size"]) {
    assert.ok(!mayName(key), key);
  }
});

Deno.test("digestOf knows encoded bytes of any length", () => {
  const base64 = btoa(String.fromCharCode(
    ...Array.from(
      { length: 3000 },
      (_, i) => (i * 7919 + (i >> 3) * 104729) % 251,
    ),
  ));
  const long = base64.repeat(2500);
  assert.ok(long.length > 8_388_608);
  const key = () => "blob";
  assert.equal(
    digestOf(long, key)?.label,
    `${long.length} base64 characters`,
  );
  assert.equal(digestOf(`${long} `, key), undefined);
  assert.equal(digestOf("word ".repeat(2_000_000), key), undefined);
});
