import assert from "node:assert/strict";
import { join } from "node:path";
import {
  bytesBelow,
  entriesIn,
  entryAt,
  isLocked,
  removed,
  removedEmpty,
  startOf,
} from "../../../src/cli/uninstall/disk.ts";
import { inHome } from "./home.ts";

Deno.test("entriesIn tells files, directories and links apart, and does not follow a link to a directory", async () => {
  await inHome(async (home) => {
    await home.write({ "d/file": "123", "d/sub/x": "" });
    await Deno.symlink(join(home.path, "d"), join(home.path, "d/link"));
    const entries = await entriesIn(join(home.path, "d"));
    assert.deepEqual(
      entries.map(({ name, kind, bytes }) => `${name} ${kind} ${bytes}`),
      ["file file 3", "link link 0", "sub directory 0"],
    );
    assert.deepEqual(await entriesIn(join(home.path, "d/link")), []);
    assert.deepEqual(await entriesIn(join(home.path, "none")), []);
  });
});

Deno.test("entryAt gives nothing for what is not there, or is below a file", async () => {
  await inHome(async (home) => {
    await home.write({ file: "" });
    assert.equal(await entryAt(home.path, "none"), undefined);
    assert.equal(await entryAt(join(home.path, "file"), "none"), undefined);
    assert.equal((await entryAt(home.path, "file"))?.owner, Deno.uid());
  });
});

Deno.test("bytesBelow adds up all files, and none twice through a link", async () => {
  await inHome(async (home) => {
    await home.write({ "a/x": "12", "a/b/y": "345" });
    await Deno.symlink(join(home.path, "a/b"), join(home.path, "a/link"));
    assert.equal(await bytesBelow(join(home.path, "a")), 5);
  });
});

Deno.test("startOf gives the first bytes, and nothing of what cannot be read", async () => {
  await inHome(async (home) => {
    await home.write({ file: "#!/bin/sh" });
    assert.equal(await startOf(join(home.path, "file"), 2), "#!");
    assert.equal(await startOf(join(home.path, "none"), 2), "");
    assert.equal(await startOf(home.path, 2), "");
  });
});

Deno.test("isLocked knows a file that a process has locked", async () => {
  await inHome(async (home) => {
    await home.write({ lock: "" });
    const path = join(home.path, "lock");
    assert.equal(await isLocked(path), false);
    {
      using file = await Deno.open(path, { write: true });
      await file.lock(true);
      assert.equal(await isLocked(path), true);
    }
    assert.equal(await isLocked(path), false);
    assert.equal(await isLocked(join(home.path, "none")), false);
  });
});

Deno.test("removed removes a link and not what it leads to", async () => {
  await inHome(async (home) => {
    await home.write({ "theirs/file": "", "ours/x": "" });
    const at = (name: string) => join(home.path, name);
    await Deno.symlink(at("theirs"), at("ours/link"));
    await Deno.symlink(at("theirs"), at("link"));
    assert.equal(await removed(at("ours"), true), undefined);
    assert.equal(await removed(at("link"), true), undefined);
    assert.equal(await removed(at("none"), true), undefined);
    assert.deepEqual(await home.all(), ["theirs/file"]);
  });
});

Deno.test("removed says that a directory is still there where a file was meant", async () => {
  await inHome(async (home) => {
    await home.write({ "mine/file": "" });
    assert.notEqual(await removed(join(home.path, "mine"), false), undefined);
    assert.deepEqual(await home.all(), ["mine/file"]);
  });
});

Deno.test("removedEmpty leaves a directory that holds something, and a link", async () => {
  await inHome(async (home) => {
    await home.write({ "full/file": "" });
    const at = (name: string) => join(home.path, name);
    await Deno.mkdir(at("empty"));
    await Deno.symlink(at("empty"), at("link"));
    assert.equal(await removedEmpty(at("full")), false);
    assert.equal(await removedEmpty(at("link")), false);
    assert.equal(await removedEmpty(at("none")), false);
    assert.equal(await removedEmpty(at("empty")), true);
    assert.deepEqual(await home.all(), ["full/file", "link"]);
  });
});
