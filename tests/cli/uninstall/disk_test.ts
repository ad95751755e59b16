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
import { type Home, test } from "./home.ts";
import {
  type ProgramForm,
  programItems,
} from "../../../src/cli/uninstall/program_items.ts";

test("entriesIn tells files, directories and links apart, and does not follow a link to a directory", async (home) => {
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

test("entryAt gives nothing for what is not there, or is below a file", async (home) => {
  await home.write({ file: "" });
  assert.equal(await entryAt(home.path, "none"), undefined);
  assert.equal(await entryAt(join(home.path, "file"), "none"), undefined);
  assert.equal((await entryAt(home.path, "file"))?.owner, Deno.uid());
});

test("bytesBelow adds up all files, and none twice through a link", async (home) => {
  await home.write({ "a/x": "12", "a/b/y": "345" });
  await Deno.symlink(join(home.path, "a/b"), join(home.path, "a/link"));
  assert.equal(await bytesBelow(join(home.path, "a")), 5);
});

test("startOf gives the first bytes, and nothing of what cannot be read", async (home) => {
  await home.write({ file: "#!/bin/sh" });
  assert.equal(await startOf(join(home.path, "file"), 2), "#!");
  assert.equal(await startOf(join(home.path, "none"), 2), "");
  assert.equal(await startOf(home.path, 2), "");
});

test("isLocked knows a file that a process has locked", async (home) => {
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

test("removed removes a link and not what it leads to", async (home) => {
  await home.write({ "theirs/file": "", "ours/x": "" });
  const at = (name: string) => join(home.path, name);
  await Deno.symlink(at("theirs"), at("ours/link"));
  await Deno.symlink(at("theirs"), at("link"));
  assert.equal(await removed(at("ours"), true), undefined);
  assert.equal(await removed(at("link"), true), undefined);
  assert.equal(await removed(at("none"), true), undefined);
  assert.deepEqual(await home.all(), ["theirs/file"]);
});

test("removed says that a directory is still there where a file was meant", async (home) => {
  await home.write({ "mine/file": "" });
  assert.notEqual(await removed(join(home.path, "mine"), false), undefined);
  assert.deepEqual(await home.all(), ["mine/file"]);
});

test("removedEmpty leaves a directory that holds something, and a link", async (home) => {
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

const KEY = "0123456789abcdef".repeat(4);
const SOURCE: ProgramForm = { type: "source", directory: undefined };

function found(
  home: Home,
  form: ProgramForm = SOURCE,
  env: Readonly<Record<string, string>> = {},
) {
  const all = { HOME: home.path, TMPDIR: join(home.path, "tmp"), ...env };
  return programItems(all, { form, userId: Deno.uid() });
}

test("programItems finds unpacked versions in the cache and in the spare place", async (home) => {
  const spare = `tmp/svc-${Deno.uid()}`;
  await home.write({
    [`.cache/svc/${KEY}/app/main.js`]: "12345",
    [`${spare}/${KEY}/app/main.js`]: "",
    [`${spare}/.new.Zz12yy/deno`]: "",
  });
  const { items, staying, directories } = await found(home);
  assert.deepEqual(items.map(({ what, bytes }) => `${what} ${bytes}`), [
    "unpacked program 5",
    "unpacked in part 0",
    "unpacked program 0",
  ]);
  assert.deepEqual(staying, []);
  assert.deepEqual(
    directories,
    [".cache/svc", spare].map((name) => join(home.path, name)),
  );
});

test("programItems looks where XDG_CACHE_HOME says, if that is absolute", async (home) => {
  await home.write({ [`xdg/svc/${KEY}/app/main.js`]: "" });
  const XDG_CACHE_HOME = join(home.path, "xdg");
  const there = await found(home, SOURCE, { XDG_CACHE_HOME });
  assert.equal(there.items.length, 1);
  const relative = await found(home, SOURCE, { XDG_CACHE_HOME: "xdg" });
  assert.equal(relative.items.length, 0);
});

test("programItems takes nothing from the cache that svc did not unpack", async (home) => {
  await home.write({
    [`.cache/svc/${KEY}/other`]: "",
    ".cache/svc/mine/app/main.js": "",
    "elsewhere/app/main.js": "",
  });
  const linked = join(home.path, ".cache/svc", "f".repeat(64));
  await Deno.symlink(join(home.path, "elsewhere"), linked);
  const { items, staying } = await found(home);
  assert.deepEqual(items, []);
  assert.equal(staying.length, 3);
});

test("programItems takes nothing from a directory of another user", async (home) => {
  await home.write({ [`.cache/svc/${KEY}/app/main.js`]: "" });
  const env = { HOME: home.path };
  const facts = { form: SOURCE, userId: Deno.uid()! + 1 };
  assert.deepEqual((await programItems(env, facts)).items, []);
});

test("programItems takes the program's file only if it is still that", async (home) => {
  await home.write({ svc: "#!/bin/sh\n# svc 1", other: "#!/bin/sh\nrm" });
  const at = (name: string) => join(home.path, name);
  await Deno.symlink(at("svc"), at("link"));
  const itemsOf = async (name: string) => {
    const form = { type: "self_extracting", file: at(name) } as const;
    return await found(home, form);
  };
  assert.deepEqual((await itemsOf("svc")).items[0]?.paths, [at("svc")]);
  for (const name of ["other", "link"]) {
    const { items, staying } = await itemsOf(name);
    assert.deepEqual(items, []);
    assert.equal(staying[0]?.path, at(name));
  }
  assert.deepEqual((await itemsOf("gone")).staying, []);
  const executable = { type: "executable", file: at("other") } as const;
  assert.equal((await found(home, executable)).items.length, 1);
});

test("programItems finds the file where the installer puts it, once, and nothing else of that name", async (home) => {
  await home.write({ ".local/bin/svc": "#!/bin/sh\n# svc 0.1.0 for x" });
  const file = join(home.path, ".local/bin/svc");
  const running = { type: "self_extracting", file } as const;
  for (const form of [SOURCE, running]) {
    const { items } = await found(home, form);
    assert.deepEqual(items.flatMap(({ paths }) => paths), [file]);
  }
  await home.write({ ".local/bin/svc": "#!/bin/sh\nexec /usr/bin/svc" });
  const { items, staying } = await found(home);
  assert.deepEqual([items, staying], [[], []]);
});
