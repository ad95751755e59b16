import assert from "node:assert/strict";
import { join } from "node:path";
import {
  replaceSmallFile,
  smallFile,
  writeBeside,
} from "../../src/telemetry/small_file.ts";
import { namesIn } from "./export_samples.ts";

async function inDirectory(
  body: (directory: string) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await body(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("replaceSmallFile makes file and directory for the user only, and leaves nothing else", async () => {
  await inDirectory(async (root) => {
    const directory = join(root, "a", "b");
    const path = join(directory, "f");
    assert.equal(await replaceSmallFile(path, "one"), undefined);
    assert.equal(await replaceSmallFile(path, "two"), undefined);
    assert.equal(await smallFile(path, 10), "two");
    assert.deepEqual(await namesIn(directory), ["f"]);
    if (Deno.build.os === "windows") return;
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(directory)).mode! & 0o777, 0o700);
  });
});

Deno.test("replaceSmallFile gives the reason when it cannot write", async () => {
  await inDirectory(async (root) => {
    const file = join(root, "f");
    await Deno.writeTextFile(file, "x");
    const reason = await replaceSmallFile(join(file, "below"), "y");
    assert.match(String(reason), /^E[A-Z]+$/);
    assert.equal(await Deno.readTextFile(file), "x");
  });
});

Deno.test("smallFile is undefined for a long file, a directory, and none", async () => {
  await inDirectory(async (root) => {
    const path = join(root, "f");
    await Deno.writeTextFile(path, "12345");
    assert.equal(await smallFile(path, 4), undefined);
    assert.equal(await smallFile(path, 5), "12345");
    assert.equal(await smallFile(root, 99), undefined);
    assert.equal(await smallFile(join(root, "no"), 99), undefined);
  });
});

Deno.test("writeBeside never writes over another file", async () => {
  await inDirectory(async (root) => {
    const path = join(root, "f");
    const [a, b] = [await writeBeside(path, "a"), await writeBeside(path, "b")];
    assert.notEqual(a, b);
    assert.equal(await Deno.readTextFile(a), "a");
  });
});
