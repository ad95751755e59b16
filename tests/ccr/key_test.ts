import assert from "node:assert/strict";
import fc from "fast-check";
import {
  blockKey,
  ccrKey,
  conversationKey,
  retrievalKey,
} from "../../src/ccr/key.ts";

Deno.test("ccrKey is the start of the SHA-256 of the UTF-8 bytes", async () => {
  assert.equal(ccrKey("abc"), "ba7816bf8f01cfea414140de");
  const text = "é\n".repeat(1000);
  const bytes = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  assert.equal(ccrKey(text), new Uint8Array(digest).toHex().slice(0, 24));
});

Deno.test("blockKey differs when any part of the identity does", () => {
  const block = { toolName: "Bash", callId: "c", part: 0, text: "t" };
  const keys = [
    block,
    { ...block, toolName: "Read" },
    { ...block, toolName: "" },
    { ...block, toolName: undefined },
    { ...block, callId: "d" },
    { ...block, part: 1 },
    { ...block, text: "u" },
  ].map(blockKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(blockKey({ ...block }), keys[0]);
  assert.match(keys[0]!, /^[0-9a-f]{32}$/);
});

Deno.test("conversationKey tells an absent header from an empty one", () => {
  const values = [undefined, "", "-", "-;", "0:;"];
  const all = values.flatMap((session) =>
    values.flatMap((agent) =>
      values.map((firstUserText) =>
        conversationKey({ session, agent, firstUserText })
      )
    )
  );
  assert.equal(new Set(all).size, all.length);
  assert.match(all[0]!, /^[0-9a-f]{32}$/);
});

Deno.test("conversationKey keeps fields apart, whatever they hold", () => {
  const field = fc.string({ unit: fc.constantFrom("1", ":", ";", "-") });
  const fields = fc.tuple(field, field, field);
  fc.assert(fc.property(fields, fields, (one, other) => {
    const [a, b] = [one, other].map(([session, agent, firstUserText]) =>
      conversationKey({ session, agent, firstUserText })
    );
    assert.equal(a === b, JSON.stringify(one) === JSON.stringify(other));
  }));
});

Deno.test("retrievalKey differs when any part does", () => {
  const one = { anchor: "a", format: "f", data: "d" };
  const keys = [
    one,
    { ...one, anchor: "b" },
    { ...one, format: "fd", data: "" },
    { ...one, data: "e" },
  ].map(retrievalKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(retrievalKey({ ...one }), keys[0]);
});
