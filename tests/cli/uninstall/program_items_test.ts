import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type ProgramForm,
  programItems,
} from "../../../src/cli/uninstall/program_items.ts";
import { type Home, inHome } from "./home.ts";

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

Deno.test("programItems finds unpacked versions in the cache and in the spare place", async () => {
  await inHome(async (home) => {
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
});

Deno.test("programItems looks where XDG_CACHE_HOME says, if that is absolute", async () => {
  await inHome(async (home) => {
    await home.write({ [`xdg/svc/${KEY}/app/main.js`]: "" });
    const XDG_CACHE_HOME = join(home.path, "xdg");
    const there = await found(home, SOURCE, { XDG_CACHE_HOME });
    assert.equal(there.items.length, 1);
    const relative = await found(home, SOURCE, { XDG_CACHE_HOME: "xdg" });
    assert.equal(relative.items.length, 0);
  });
});

Deno.test("programItems takes nothing from the cache that svc did not unpack", async () => {
  await inHome(async (home) => {
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
});

Deno.test("programItems takes nothing from a directory of another user", async () => {
  await inHome(async (home) => {
    await home.write({ [`.cache/svc/${KEY}/app/main.js`]: "" });
    const env = { HOME: home.path };
    const facts = { form: SOURCE, userId: Deno.uid()! + 1 };
    assert.deepEqual((await programItems(env, facts)).items, []);
  });
});

Deno.test("programItems takes the program's file only if it is still that", async () => {
  await inHome(async (home) => {
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
});

Deno.test("programItems finds the file where the installer puts it, once, and nothing else of that name", async () => {
  await inHome(async (home) => {
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
});
