import assert from "node:assert/strict";
import { join } from "node:path";
import { denoDisk } from "../../src/cli/disk.ts";
import { systemCode } from "../../src/cli/failure.ts";

Deno.test("denoDisk writes a new file only, and gives it the mode of another one", async () => {
  const directory = await Deno.makeTempDir();
  try {
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
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
