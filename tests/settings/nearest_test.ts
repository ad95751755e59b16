import { ROWS } from "../../src/settings/registry.ts";
import { PATH_VARIABLES } from "../../src/settings/paths.ts";
import assert from "node:assert/strict";
import {
  nearest,
  SETTING_NAMES,
  unknownVariables,
} from "../../src/settings/nearest.ts";

Deno.test("nearest finds the setting that a mistyped name means", () => {
  for (
    const [typed, meant] of [
      ["modee", "mode"],
      ["mdoe", "mode"],
      ["rmp", "rpm"],
      ["Budgt", "budget"],
      ["SVC_MODEE", "SVC_MODE"],
      ["svc_proxy_tokn", "SVC_PROXY_TOKEN"],
    ] as const
  ) assert.equal(nearest(typed, SETTING_NAMES), meant, typed);
});

Deno.test("nearest gives nothing where no name is like it", () => {
  for (const typed of ["", "x", "PATH", "toString", "colour_scheme"]) {
    assert.equal(nearest(typed, SETTING_NAMES), undefined, typed);
  }
  assert.equal(nearest("mode", []), undefined);
  assert.equal(nearest("a", ["b"]), undefined);
});

Deno.test("unknownVariables knows every variable that is read", () => {
  const names = [
    ...ROWS.flatMap((row) => [row.env, ...row.aliases ?? []]),
    ...PATH_VARIABLES.map(({ env }) => env),
  ];
  const env = Object.fromEntries(names.map((name) => [name, "x"]));
  assert.deepEqual(unknownVariables({ ...env, PATH: "x", svc_x: "x" }), []);
});

Deno.test("unknownVariables names the others in one sentence, never their values", () => {
  assert.deepEqual(unknownVariables({ SVC_PRT: "hunter2" }), [
    "SVC_PRT (did you mean SVC_PORT?) is not a setting of this version: ignored",
  ]);
  assert.deepEqual(
    unknownVariables({ SVC_YYYYYY: "1", SVC_XXXXXX: "1", SVC_Z: "" }),
    [
      "SVC_XXXXXX, SVC_YYYYYY are not settings of this version: ignored",
    ],
  );
});

Deno.test("unknownVariables knows every variable that the source reads by name", async () => {
  const env: Record<string, string> = {};
  for await (const text of sources(new URL("../../src/", import.meta.url))) {
    for (const [, name] of text.matchAll(/\benv\.(SVC_\w+)/g)) env[name!] = "x";
  }
  assert.ok(Object.keys(env).length > 0);
  assert.deepEqual(unknownVariables(env), []);
});

async function* sources(directory: URL): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const url = new URL(isDirectory ? `${name}/` : name, directory);
    if (isDirectory) yield* sources(url);
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(url);
  }
}
