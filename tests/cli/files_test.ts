import { systemCode } from "../../src/core/errors.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { denoDisk, denoFiles } from "../../src/cli/files.ts";
import { inTempDir, tempDir } from "../temp_dir.ts";

Deno.test("denoDisk writes a new file only, and gives it the mode of another one", async () => {
  await using temp = await tempDir();
  const directory = temp.path;
  const disk = denoDisk();
  const path = join(directory, "a");
  await disk.write(path, "text", 0o600);
  assert.equal(await Deno.readTextFile(path), "text");
  await assert.rejects(
    disk.write(path, "other", 0o600),
    (error) => systemCode(error) === "EEXIST",
  );
  await disk.likeOther(path, { ...await Deno.stat(path), mode: 0o640 });
  const { mode } = await Deno.stat(path);
  assert.equal((mode ?? 0o640) & 0o777, 0o640);
  await disk.syncNames(directory);
  await disk.syncNames(join(directory, "missing"));
});

const files = denoFiles();

async function namesIn(directory: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(directory));
  return entries.map(({ name }) => name);
}

async function modeOf(path: string): Promise<number> {
  return (await Deno.stat(path)).mode! & 0o777;
}

Deno.test("denoFiles reads no text where there is no file, also below one", async () => {
  const { read } = denoFiles();
  const path = await Deno.makeTempFile();
  assert.equal(await read(`${path}/below`), undefined);
  assert.equal(await read(path), "");
  await Deno.remove(path);
  assert.equal(await read(path), undefined);
});

Deno.test("denoFiles makes a new file with its directories, for its owner only", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a/b/c.json");
    assert.equal(await files.read(path), undefined);
    assert.equal(await files.exists(path), false);
    await files.replace(path, { before: undefined, after: "ä" });
    assert.equal(await files.read(path), "ä");
    assert.equal(await files.exists(path), true);
    if (Deno.build.os !== "windows") assert.equal(await modeOf(path), 0o600);
    assert.deepEqual(await namesIn(join(directory, "a/b")), ["c.json"]);
  }));

Deno.test("denoFiles replaces bytes that are no text, and only those that were expected", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a");
    const [one, two] = [Uint8Array.of(0xff, 1), Uint8Array.of(0xff, 2)];
    await files.replace(path, { before: undefined, after: one });
    await files.replace(path, { before: one, after: two });
    assert.deepEqual(await Deno.readFile(path), two);
    for (const before of [one, undefined]) {
      await assert.rejects(
        files.replace(path, { before, after: one }),
        (error) => ["EBUSY", "EILSEQ"].includes(systemCode(error) ?? ""),
      );
    }
    const none = join(directory, "none");
    await assert.rejects(files.replace(none, { before: one, after: two }));
    assert.deepEqual(await namesIn(directory), ["a"]);
  }));

Deno.test("denoFiles keeps the mode and follows links to the real file", () =>
  inTempDir(async (directory) => {
    const real = join(directory, "real.json");
    const link = join(directory, "link.json");
    await Deno.writeTextFile(real, "old");
    await Deno.chmod(real, 0o640);
    await Deno.symlink("real.json", link);
    await files.replace(link, { before: "old", after: "new" });
    assert.equal(await Deno.readTextFile(real), "new");
    assert.equal((await Deno.lstat(link)).isSymlink, true);
    assert.equal(await modeOf(real), 0o640);
  }));

Deno.test("denoFiles changes nothing when the file is not what it was, and leaves no temporary file", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a.json");
    await Deno.writeTextFile(path, "theirs");
    for (const before of ["mine", undefined]) {
      const code = await files.replace(path, { before, after: "new" })
        .catch(systemCode);
      assert.equal(code, "EBUSY");
    }
    assert.equal(await Deno.readTextFile(path), "theirs");
    assert.deepEqual(await namesIn(directory), ["a.json"]);
  }));

Deno.test({
  name: "denoFiles does not replace a file that nobody may write to",
  ignore: Deno.build.os === "windows",
  async fn() {
    await inTempDir(async (directory) => {
      const path = join(directory, "a.json");
      await Deno.writeTextFile(path, "old");
      await Deno.chmod(path, 0o444);
      const code = await files.replace(path, { before: "old", after: "new" })
        .catch(systemCode);
      assert.equal(code, "EACCES");
      assert.equal(await Deno.readTextFile(path), "old");
      assert.deepEqual(await namesIn(directory), ["a.json"]);
    });
  },
});

Deno.test("denoFiles copies once, with the mode", () =>
  inTempDir(async (directory) => {
    const from = join(directory, "a");
    const to = join(directory, "b");
    assert.equal(await files.copyOnce(from, to), false);
    await Deno.writeTextFile(from, "one");
    await Deno.chmod(from, 0o604);
    assert.equal(await files.copyOnce(from, to), true);
    assert.equal(await modeOf(to), 0o604);
    await Deno.writeTextFile(from, "two");
    assert.equal(await files.copyOnce(from, to), false);
    assert.equal(await Deno.readTextFile(to), "one");
  }));

Deno.test("denoFiles removes a file, also one that is not there", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a");
    await Deno.writeTextFile(path, "");
    await files.remove(path);
    await files.remove(path);
    assert.equal(await files.exists(path), false);
  }));

Deno.test("denoFiles keeps a byte order mark, and refuses directories and bytes that are no text", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a");
    await Deno.writeTextFile(path, "\uFEFFx");
    assert.equal(await files.read(path), "\uFEFFx");
    await Deno.writeFile(path, Uint8Array.of(0xff));
    assert.equal(await files.read(path).catch(systemCode), "EILSEQ");
    assert.equal(await files.read(directory).catch(systemCode), "EISDIR");
  }));
