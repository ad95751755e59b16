import assert from "node:assert/strict";
import { systemCode } from "../../src/cli/failure.ts";
import { readAtMost, readFileAtMost } from "../../src/cli/read_bytes.ts";

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
