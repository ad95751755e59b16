import {
  ensureInstallId,
  readInstallId,
} from "../../src/telemetry/small_file.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { namesIn } from "./export_samples.ts";
import { tempDir } from "../temp_dir.ts";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

async function withPath(body: (path: string) => Promise<void>): Promise<void> {
  await using temp = await tempDir();
  const root = temp.path;
  await body(join(root, "config", "install_id"));
}

Deno.test("ensureInstallId makes an id once, for the user only", async () => {
  await withPath(async (path) => {
    const first = await ensureInstallId(path);
    assert.match(first.id, UUID);
    assert.equal(first.unkept, undefined);
    assert.deepEqual(await ensureInstallId(path), first);
    assert.equal(await readInstallId(path), first.id);
    assert.deepEqual(await namesIn(join(path, "..")), ["install_id"]);
    if (Deno.build.os === "windows") return;
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(join(path, ".."))).mode! & 0o777, 0o700);
  });
});

Deno.test("ensureInstallId replaces what is no id", async () => {
  for (const text of ["", "hello", "x".repeat(5000), "../../etc/passwd"]) {
    await withPath(async (path) => {
      await Deno.mkdir(join(path, ".."));
      await Deno.writeTextFile(path, text);
      assert.equal(await readInstallId(path), undefined);
      const { id } = await ensureInstallId(path);
      assert.equal(await readInstallId(path), id);
      if (Deno.build.os === "windows") return;
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    });
  }
});

Deno.test("ensureInstallId gives the same id to all who make it at the same time", async () => {
  await withPath(async (path) => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => ensureInstallId(path)),
    );
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    assert.equal(await readInstallId(path), made[0]?.id);
  });
});

Deno.test("ensureInstallId is random and writes nothing without a path", async () => {
  const [a, b] = [
    await ensureInstallId(undefined),
    await ensureInstallId(undefined),
  ];
  assert.match(a.id, UUID);
  assert.notEqual(a.id, b.id);
  assert.equal(a.unkept, "stateless");
});

Deno.test("ensureInstallId says why it could not keep the id", async () => {
  await withPath(async (path) => {
    // A file stands where the directory should be.
    await Deno.writeTextFile(join(path, ".."), "x");
    const { id, unkept } = await ensureInstallId(path);
    assert.match(id, UUID);
    assert.match(String(unkept), /^E[A-Z]+$/);
  });
});

Deno.test("readInstallId makes nothing", async () => {
  await withPath(async (path) => {
    assert.equal(await readInstallId(path), undefined);
    await assert.rejects(Deno.stat(join(path, "..")), Deno.errors.NotFound);
  });
});
