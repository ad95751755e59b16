import assert from "node:assert/strict";
import {
  type ExtensionWishes,
  placeExtensions,
} from "../../src/extensions/place_extensions.ts";

const FILES = new Set([
  "/c/plugins/a/mod.ts",
  "/w/plugins/a/mod.ts",
  "/w/plugins/b.js",
  "/w/secret.ts",
]);

const place = async (names: string[], wishes: Partial<ExtensionWishes> = {}) =>
  await placeExtensions({
    names,
    source: "shell",
    onlyByFlag: undefined,
    directories: ["/c/plugins", "/w/plugins"],
    ...wishes,
  }, (path) => Promise.resolve(FILES.has(path)));

Deno.test("placeExtensions finds plugins in their directories, files and packages", async () => {
  const { modules, failures } = await place([
    "a",
    "b",
    "./x/y.ts",
    "/z.ts",
    "npm:some@1.0.0",
    "jsr:@a/b",
    "a",
  ]);
  assert.deepEqual(failures, []);
  assert.deepEqual(modules.map(({ specifier }) => specifier), [
    "file:///c/plugins/a/mod.ts",
    "file:///w/plugins/b.js",
    `file://${Deno.cwd()}/x/y.ts`,
    "file:///z.ts",
    "npm:some@1.0.0",
    "jsr:@a/b",
  ]);
});

Deno.test("placeExtensions refuses names of plugins that lead elsewhere", async () => {
  const names = ["a/b", "a\\b", "..", ".", "plugins/a", "nowhere"];
  const { modules, failures } = await place(names);
  assert.deepEqual(modules, []);
  assert.deepEqual(failures.map(({ name }) => name), names);
  assert.match(failures[0]!.reason, /holds no \/ and no backslash/);
  assert.match(failures.at(-1)!.reason, /no nowhere\/mod.ts or nowhere.ts in/);
});

Deno.test("placeExtensions takes names from the command line only where little is allowed", async () => {
  const onlyByFlag = "SVC_OFFLINE";
  for (const source of ["shell", "file"] as const) {
    const { modules, failures } = await place(["a"], { source, onlyByFlag });
    assert.deepEqual(modules, []);
    assert.match(failures[0]!.reason, /^SVC_OFFLINE is on: then only/);
  }
  const { modules } = await place(["a"], { source: "flag", onlyByFlag });
  assert.equal(modules.length, 1);
});

Deno.test("placeExtensions takes plugins only from the settings file: a page may write it", async () => {
  const names = ["/w/secret.ts", "./x.ts", "file:///x.ts", "npm:a", "jsr:@a/b"];
  const { modules, failures } = await place([...names, "a"], {
    source: "file",
  });
  assert.deepEqual(modules.map(({ name }) => name), ["a"]);
  assert.deepEqual(failures.map(({ name }) => name), names);
});
