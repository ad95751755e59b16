import { systemCode } from "../../src/core/errors.ts";
import assert from "node:assert/strict";
import { systemError } from "../../src/cli/failure.ts";
import {
  linesOf,
  readAtMost,
  readFileAtMost,
  talk,
  writeAll,
} from "../../src/cli/streams.ts";
import fc from "fast-check";

const stream = (...chunks: number[][]) =>
  ReadableStream.from(chunks.map((chunk) => Uint8Array.from(chunk)));

Deno.test("readAtMost gives all bytes up to the limit", async () => {
  assert.deepEqual(
    [...await readAtMost(stream([1], [], [2, 3]), 3)],
    [1, 2, 3],
  );
  assert.equal((await readAtMost(stream(), 0)).length, 0);
});

Deno.test("readAtMost stops at the first byte too many", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(10));
    },
  }, { highWaterMark: 0 });
  assert.equal(await readAtMost(endless, 25).catch(systemCode), "EFBIG");
  assert.equal(pulled, 3);
});

Deno.test("readFileAtMost reads a file, and refuses one that is longer", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, Uint8Array.of(1, 2, 3));
  assert.deepEqual([...await readFileAtMost(path, 3)], [1, 2, 3]);
  assert.equal(await readFileAtMost(path, 2).catch(systemCode), "EFBIG");
  await Deno.remove(path);
  assert.equal(await readFileAtMost(path, 2).catch(systemCode), "ENOENT");
});

Deno.test("readFileAtMost refuses directories and devices", async () => {
  assert.equal(await readFileAtMost("/", 9).catch(systemCode), "EISDIR");
  assert.equal(
    await readFileAtMost("/dev/zero", 9).catch(systemCode),
    "EFTYPE",
  );
});

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

/** A stream that takes three bytes at a time. */
function slow() {
  const taken: number[] = [];
  const writeSync = (bytes: Uint8Array) => {
    taken.push(...bytes.subarray(0, 3));
    return Math.min(3, bytes.length);
  };
  return {
    writeSync,
    text: () => new TextDecoder().decode(Uint8Array.from(taken)),
  };
}

/** A stream that fails with that code. */
function broken(code: string) {
  return {
    writeSync(): number {
      throw systemError(code, "no");
    },
  };
}

Deno.test("writeAll and talk write on until everything is written", () => {
  const stream = slow();
  writeAll(stream, new TextEncoder().encode("0123456789"));
  talk(stream, " né");
  assert.equal(stream.text(), "0123456789 né");
});

Deno.test("talk says nothing of a reader that has gone, writeAll does, and both of anything else", () => {
  talk(broken("EPIPE"), "x");
  talk(broken("EIO"), "x");
  assert.throws(() => writeAll(broken("EPIPE"), Uint8Array.of(1)), {
    code: "EPIPE",
  });
  assert.throws(() => talk(broken("ENOSPC"), "x"), { code: "ENOSPC" });
});
