import assert from "node:assert/strict";
import fc from "fast-check";
import { blobToText, textToBlob } from "../../src/ccr/blob.ts";

Deno.test("blobToText gives back what textToBlob took", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(blobToText(textToBlob(text)), text);
    }),
    { examples: [["\ufeff\0a"], [""]] },
  );
});
