import assert from "node:assert/strict";
import fc from "fast-check";
import { linesOf } from "../../src/cli/lines.ts";

async function linesIn(chunks: readonly Uint8Array[]): Promise<string[]> {
  const stream = ReadableStream.from(chunks);
  return await Array.fromAsync(linesOf(stream));
}

Deno.test("linesOf gives the lines of a text, wherever its bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.integer({ min: 1, max: 7 }),
      async (texts, size) => {
        const bytes = new TextEncoder().encode(texts.join("\n"));
        const chunks = Array.from(
          { length: Math.ceil(bytes.length / size) },
          (_, i) => bytes.slice(i * size, (i + 1) * size),
        );
        const expected = texts.join("\n").split("\n").filter((t) => t !== "");
        assert.deepEqual(await linesIn(chunks), expected);
      },
    ),
  );
});
