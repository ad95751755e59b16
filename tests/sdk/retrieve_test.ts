import assert from "node:assert/strict";
import type { Retrieved } from "../../src/core/retrieved.ts";
import { retrieveWith } from "../../src/sdk/retrieve.ts";

/** A door that answers with `data`, and what it was asked. */
function door(success: boolean, data: object) {
  const asked: unknown[] = [];
  return {
    asked,
    give: (wanted: unknown, via: unknown) => {
      asked.push([wanted, via]);
      return Promise.resolve({ success, data } as unknown as Retrieved);
    },
  };
}

Deno.test("retrieveWith hands an original out in the library's words", async () => {
  const data = {
    hash: "h",
    original_content: "text",
    original_item_count: 9,
    compressed_item_count: 2,
  };
  const whole = door(true, data);
  const facts = {
    success: true,
    hash: "h",
    originalContent: "text",
    originalItemCount: 9,
    compressedItemCount: 2,
  };
  assert.deepEqual(await retrieveWith(whole, "h", {}), facts);
  assert.deepEqual(whole.asked, [[{ hash: "h" }, "library"]]);
  const part = door(true, { ...data, part: "lines 1-2 of 9" });
  assert.deepEqual(await retrieveWith(part, "h", { lines: "1-2" }), {
    ...facts,
    part: "lines 1-2 of 9",
  });
  assert.deepEqual(part.asked, [[{ lines: "1-2", hash: "h" }, "library"]]);
});

Deno.test("retrieveWith says why there is nothing", async () => {
  const error = "expired";
  const gone = door(false, {
    error,
    hash: "h",
    status: "expired",
    ttl_seconds: 60,
  });
  assert.deepEqual(await retrieveWith(gone, "h", {}), {
    success: false,
    hash: "h",
    error,
    status: "expired",
    ttlSeconds: 60,
  });
});
