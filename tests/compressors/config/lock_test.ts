import assert from "node:assert/strict";
import {
  labelOfPackages,
  packageLines,
  readLock,
  startsAsLock,
  wholePackages,
} from "../../../src/compressors/config/lock.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { goldensIn, inputOf } from "../goldens.ts";

const COUNTED: Record<string, RegExp> = {
  cargo_lock: /^name = /gm,
  uv_lock: /^name = /gm,
  yarn_lock: /^ {2}version /gm,
  pnpm_lock: /^ {4}resolution: /gm,
};
for (const [name, sign] of Object.entries(COUNTED)) {
  Deno.test(`readLock reads every package of ${name}`, () => {
    const input = inputOf(`config/${name}`);
    const { packages } = readLock(input)!;
    assert.equal(packages.length, input.match(sign)!.length);
    for (const { from, to, name, version } of packages) {
      assert.ok(to > from && name !== "" && version !== "");
    }
  });
}

Deno.test("readLock takes a module and its list of needs for one", () => {
  const input = inputOf("config/go_sum");
  const versions = new Set(
    input.trim().split("\n").map((line) =>
      line.split(" ").slice(0, 2).join(" ").replace(/\/go\.mod$/, "")
    ),
  );
  assert.deepEqual(
    readLock(input)!.packages.map(({ name, version }) => `${name} ${version}`),
    [...versions],
  );
});

Deno.test("readLock ends the gems where something else starts", () => {
  const lines = inputOf("config/gemfile_lock").split("\n");
  const last = readLock(lines.join("\n"))!.packages.at(-1)!;
  assert.equal(lines[last.from], "    ttfunk (1.8.0)");
  assert.equal(lines[last.to + 1], "PLATFORMS");
});

Deno.test("readLock reads scopes, quotes and peers", () => {
  const yarn = readLock(
    '"@babel/core@npm:^7.0.0, @babel/core@npm:^7.1.0":\n  version: 7.22.5\n  resolution: "@babel/core@npm:7.22.5"\n  linkType: hard\n\n' +
      '"web@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "web@workspace:."\n  linkType: soft\n',
  )!;
  assert.deepEqual(yarn.packages.map(({ name, version }) => [name, version]), [
    ["@babel/core", "7.22.5"],
    ["web", "0.0.0-use.local"],
  ]);
  const pnpm = readLock(
    "lockfileVersion: '6.0'\n\nimporters:\n\n  .: {}\n\npackages:\n\n  /@scope/a@1.0.0(b@2.0.0):\n    resolution: {integrity: sha512-x}\n    deprecated: use c\n\n" +
      "  c@file:../c:\n    resolution: {directory: ../c, type: directory}\n",
  )!;
  assert.equal(pnpm.packages[0]!.name, "@scope/a");
  assert.ok(pnpm.packages[0]!.fields.has("deprecated"));
});

Deno.test("readLock leaves other texts and quoted lock files alone", () => {
  for (const { name, input } of goldensIn("config")) {
    if (!/lock|sum/.test(name)) assert.equal(startsAsLock(input), false);
    else {
      assert.equal(startsAsLock(input), true);
      assert.equal(readLock("```\n" + input + "```\n"), undefined);
    }
  }
});

Deno.test("packageLines leaves out packages in a row, and what repeats them", () => {
  const input = inputOf("config/pnpm_lock");
  const lock = readLock(input)!;
  const [echoes, packages] = packageLines(lock, indexLines(input));
  assert.equal(packages!.from, lock.packages[0]!.from);
  assert.equal(packages!.to, lock.packages.at(-1)!.to);
  assert.ok(echoes!.from > packages!.to);
  assert.equal(labelOfPackages(lock, echoes!), "what each package needs");
});

Deno.test("packageLines keeps packages that their names are hardly shorter than", () => {
  const input =
    "GEM\n  specs:\n    a (1.0)\n    b (2.0)\n\nPLATFORMS\n  ruby\n";
  assert.deepEqual(packageLines(readLock(input)!, indexLines(input)), []);
});

Deno.test("wholePackages gives the project's own package and those that the question names", () => {
  const input = inputOf("config/cargo_lock");
  const lines = input.split("\n");
  const namesOf = (query: string) =>
    wholePackages(readLock(input)!, query).map(({ from }) => lines[from + 1]);
  assert.deepEqual(namesOf(""), ['name = "parcel-tracker"']);
  assert.deepEqual(namesOf("which version of serde json?").slice(1), [
    'name = "serde"',
    'name = "serde_json"',
  ]);
});

Deno.test("labelOfPackages names the packages of a gap alone", () => {
  const input = inputOf("config/cargo_lock");
  const lock = readLock(input)!;
  const [first, second, third] = lock.packages;
  assert.equal(
    labelOfPackages(lock, { from: second!.from, to: third!.from }),
    `1 package, without source, checksum, dependencies:\n${second!.name} ${
      second!.version
    }`,
  );
  assert.match(
    labelOfPackages(lock, { from: first!.from, to: third!.to }),
    /^3 packages, without /,
  );
});
