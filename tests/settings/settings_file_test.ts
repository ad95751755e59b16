import assert from "node:assert/strict";
import {
  fileTrouble,
  openSettingsFile,
} from "../../src/settings/settings_file.ts";
import { inTempDir } from "../temp_dir.ts";

async function modeOf(path: string): Promise<number> {
  return (await Deno.stat(path)).mode! & 0o777;
}

Deno.test("update makes the file and its directory, for its owner only", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/a/b/settings.json`;
    const file = openSettingsFile(path);
    assert.equal(await file.read(), undefined);
    await file.update((before) => {
      assert.equal(before, undefined);
      return { after: "{}\n" };
    });
    assert.equal(await file.read(), "{}\n");
    if (Deno.build.os !== "windows") assert.equal(await modeOf(path), 0o600);
    const names: string[] = [];
    for await (const { name } of Deno.readDir(`${directory}/a/b`)) {
      names.push(name);
    }
    assert.deepEqual(names.sort(), ["settings.json", "settings.json.lock"]);
  }));

Deno.test({
  name: "update makes a file that others could read private, changed or not",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inTempDir(async (directory) => {
      const path = `${directory}/settings.json`;
      for (const after of ["{}", undefined]) {
        await Deno.writeTextFile(path, "{ }");
        await Deno.chmod(path, 0o644);
        await openSettingsFile(path).update(() => ({ after }));
        assert.equal(await modeOf(path), 0o600);
      }
      assert.equal(await Deno.readTextFile(path), "{ }");
    }),
});

Deno.test("update leaves the file as it was when the change throws", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/settings.json`;
    await Deno.writeTextFile(path, "{ }");
    const file = openSettingsFile(path);
    await assert.rejects(
      file.update(() => {
        throw new RangeError("no");
      }),
      { message: "no" },
    );
    assert.equal(await file.read(), "{ }");
    await file.update(() => ({ after: "{}" }));
    assert.equal(await file.read(), "{}");
  }));

Deno.test("update keeps what it is told to set aside", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/settings.json`;
    await Deno.writeTextFile(path, "{ broken");
    const file = openSettingsFile(path);
    await file.update(() => ({ after: "{}", setAside: true }));
    assert.equal(await Deno.readTextFile(`${path}.unreadable`), "{ broken");
  }));

Deno.test({
  name: "update follows a link",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inTempDir(async (directory) => {
      await Deno.writeTextFile(`${directory}/real.json`, "{ }");
      await Deno.symlink("real.json", `${directory}/settings.json`);
      await openSettingsFile(`${directory}/settings.json`)
        .update(() => ({ after: "{}" }));
      assert.equal(await Deno.readTextFile(`${directory}/real.json`), "{}");
      assert.ok((await Deno.lstat(`${directory}/settings.json`)).isSymlink);
    }),
});

Deno.test("update loses none of many changes at once", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/settings.json`;
    const numbers = Array.from({ length: 12 }, (_, i) => i);
    await Promise.all(
      numbers.map((i) =>
        openSettingsFile(path).update((before) => ({
          after: JSON.stringify([...JSON.parse(before ?? "[]"), i]),
        }))
      ),
    );
    const found: number[] = JSON.parse(await Deno.readTextFile(path));
    assert.deepEqual(found.sort((a, b) => a - b), numbers);
  }));

Deno.test("update and read tell a file that cannot be used by its code", () =>
  inTempDir(async (directory) => {
    const file = openSettingsFile(directory);
    await assert.rejects(file.read(), { code: "EISDIR" });
    await assert.rejects(file.update(() => ({ after: "{}" })), {
      code: "EISDIR",
    });
  }));

Deno.test("fileTrouble says what a code means, and keeps the code", () => {
  assert.equal(fileTrouble("EROFS"), "the disk is read-only (EROFS)");
  assert.equal(fileTrouble("EACCES"), "permission denied (EACCES)");
  assert.match(fileTrouble("ENOENT"), /^there is no such directory, .*ENOENT/);
  assert.equal(
    fileTrouble("EBUSY"),
    "another program is changing it; try again",
  );
});

Deno.test("fileTrouble leaves a code without words as it is", () => {
  assert.equal(fileTrouble("EXYZ"), "EXYZ");
  assert.equal(fileTrouble("toString"), "toString");
});
