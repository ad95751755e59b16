import assert from "node:assert/strict";
import { diffKind } from "../../../src/compressors/diff/kind.ts";
import { lockedIn } from "../../../src/compressors/diff/locked.ts";
import { lockedText } from "../../../src/compressors/diff/locked_package.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { contextWith } from "./make_diff.ts";

/** The diff of a file, each of whose hunks is given without its header. */
function diffOf(path: string, hunks: readonly (readonly string[])[]): string {
  const header = [`diff --git a/${path} b/${path}`, `--- a/${path}`];
  const bodies = hunks.flatMap((lines, i) => {
    const count = (not: string) =>
      lines.filter((line) => !line.startsWith(not)).length;
    const at = 100 * i + 1;
    return [`@@ -${at},${count("+")} +${at},${count("-")} @@`, ...lines];
  });
  return [...header, `+++ b/${path}`, ...bodies, ""].join("\n");
}

function sentOf(text: string): string {
  const outcome = entryOf(diffKind).compressor.compress(
    text,
    contextWith(true),
  );
  assert.equal(outcome.type, "elided");
  return outcome.type === "elided" ? outcome.text : "";
}

/** What `package-lock.json` says of a package that gets a patch. */
function patched(
  name: string,
  minor: number,
  more: readonly string[] = [],
): string[] {
  return [
    `     "node_modules/${name}": {`,
    `-      "version": "1.${minor}.0",`,
    `-      "resolved": "https://registry.npmjs.org/${name}-1.${minor}.0.tgz",`,
    `-      "integrity": "sha512-${"ab".repeat(20)}${minor}",`,
    `+      "version": "1.${minor}.1",`,
    `+      "resolved": "https://registry.npmjs.org/${name}-1.${minor}.1.tgz",`,
    `+      "integrity": "sha512-${"cd".repeat(20)}${minor}",`,
    ...more,
    '       "license": "MIT",',
  ];
}

const FORMS: Readonly<Record<string, readonly string[]>> = {
  "package-lock.json": patched("react", 2),
  "yarn.lock": [
    ' "react@^1.0.0", react@^1.2.0:',
    '-  version "1.2.0"',
    '+  version "1.2.1"',
  ],
  "web/yarn.lock": [
    ' "react@npm:^1.0.0":',
    "-  version: 1.2.0",
    '-  resolution: "react@npm:1.2.0"',
    "+  version: 1.2.1",
    '+  resolution: "react@npm:1.2.1"',
  ],
  "pnpm-lock.yaml": [
    "-  react@1.2.0(other@2.0.0):",
    "+  react@1.2.1(other@2.0.0):",
    "     resolution: {integrity: sha512-abc}",
  ],
  "Cargo.lock": [
    " [[package]]",
    ' name = "react"',
    '-version = "1.2.0"',
    '+version = "1.2.1"',
    ' source = "registry"',
  ],
  "composer.lock": [
    '             "name": "react",',
    '-            "version": "v1.2.0",',
    '+            "version": "v1.2.1",',
    '             "source": {',
  ],
  "Gemfile.lock": ["-    react (1.2.0)", "+    react (1.2.1)"],
  "Podfile.lock": ["-  - react (1.2.0):", "+  - react (1.2.1):"],
  "Pipfile.lock": [
    '         "react": {',
    '             "hashes": [',
    '-                "sha256:aa"',
    '+                "sha256:bb"',
    "             ],",
    '-            "version": "==1.2.0"',
    '+            "version": "==1.2.1"',
  ],
  "pubspec.lock": [
    "   react:",
    '     dependency: "direct main"',
    "     description:",
    "       name: react",
    '-    version: "1.2.0"',
    '+    version: "1.2.1"',
  ],
  "packages.lock.json": [
    '       "react": {',
    '         "type": "Direct",',
    '-        "resolved": "1.2.0",',
    '+        "resolved": "1.2.1",',
  ],
  "Package.resolved": [
    '       "identity" : "react",',
    '       "state" : {',
    '-        "version" : "1.2.0"',
    '+        "version" : "1.2.1"',
    "       }",
  ],
  "mix.lock": [
    '-  "react": {:hex, :react, "1.2.0", "aa", [:mix]},',
    '+  "react": {:hex, :react, "1.2.1", "bb", [:mix]},',
  ],
  "bun.lock": [
    '-    "react": ["react@1.2.0", "", {}, "sha512-aa"],',
    '+    "react": ["react@1.2.1", "", {}, "sha512-bb"],',
  ],
};

for (const [path, lines] of Object.entries(FORMS)) {
  Deno.test(`lockedIn reads both versions of a package in ${path}`, () => {
    const view = parseDiff(diffOf(path, [lines]));
    assert.ok(view !== undefined);
    const { packages } = lockedIn(view, view.files[0]!);
    assert.match(
      lockedText(new Set(packages.values())),
      /^react v?1\.2\.0 → v?1\.2\.1$/,
    );
  });
}

Deno.test("lockedIn reads go.sum, where a module has two lines", () => {
  const view = parseDiff(diffOf("go.sum", [[
    "-example.com/a v1.2.0 h1:aa=",
    "-example.com/a v1.2.0/go.mod h1:ab=",
    "+example.com/a v1.2.1 h1:ba=",
    "+example.com/a v1.2.1/go.mod h1:bb=",
  ]]));
  assert.ok(view !== undefined);
  const { packages } = lockedIn(view, view.files[0]!);
  assert.equal(
    lockedText(new Set(packages.values())),
    "example.com/a v1.2.0 → v1.2.1",
  );
});

Deno.test("lockedIn keeps sides apart where a package is put between others", () => {
  const view = parseDiff(diffOf("Cargo.lock", [[
    " [[package]]",
    '+name = "new"',
    '+version = "3.0.0"',
    "+",
    "+[[package]]",
    ' name = "old"',
    ' version = "1.0.0"',
    "-",
    "-[[package]]",
    '-name = "gone"',
    '-version = "2.0.0"',
  ]]));
  assert.ok(view !== undefined);
  const { packages } = lockedIn(view, view.files[0]!);
  assert.equal(
    lockedText(new Set(packages.values())),
    "+new 3.0.0, -gone 2.0.0",
  );
});

Deno.test("diffKind lists every package of a lock file with both versions, and shows a downgrade", () => {
  const hunks = Array.from({ length: 60 }, (_, i) => patched(`p${i}`, i));
  const downgrade = [
    '     "node_modules/react": {',
    '-      "version": "18.3.1",',
    '+      "version": "17.0.2",',
  ];
  hunks.splice(30, 0, downgrade);
  const sent = sentOf(diffOf("package-lock.json", hunks));
  for (let i = 0; i < 60; i++) {
    assert.ok(sent.includes(`p${i} 1.${i}.0 → 1.${i}.1`), `p${i}`);
  }
  assert.ok(sent.includes(downgrade.join("\n")));
  assert.ok(sent.length < 0.2 * diffOf("package-lock.json", hunks).length);
});

Deno.test("diffKind lists downgrades first where there are many", () => {
  const hunks = Array.from(
    { length: 60 },
    (_, i) =>
      i % 2 === 0 ? patched(`p${i}`, i) : [
        `     "node_modules/d${i}": {`,
        `-      "version": "2.${i}.0",`,
        `+      "version": "1.${i}.0",`,
      ],
  );
  const sent = sentOf(diffOf("package-lock.json", hunks));
  assert.match(sent, /; d1 2\.1\.0 → 1\.1\.0 \(older\), d3 /);
});

Deno.test("diffKind keeps a field that few packages of a lock file get, below their name", () => {
  const hunks = Array.from({ length: 60 }, (_, i) =>
    patched(
      `p${i}`,
      i,
      i === 40 ? ['+      "hasInstallScript": true,'] : [],
    ));
  const sent = sentOf(diffOf("package-lock.json", hunks));
  assert.match(
    sent,
    / {4}"node_modules\/p40": \{\n(?:….*\n)?\+ {6}"hasInstallScript": true,\n/,
  );
});

Deno.test("diffKind counts the packages of a new lock file that it does not list", () => {
  const hunk = Array.from({ length: 200 }, (_, i) => [
    "+[[package]]",
    `+name = "p${i}"`,
    `+version = "1.0.${i}"`,
    "+",
  ]).flat();
  const sent = sentOf(diffOf("Cargo.lock", [hunk]));
  assert.ok(sent.includes("+p59 1.0.59, 140 more added"), sent);
});

Deno.test("diffKind names a flag with each package that gets it, unless most do", () => {
  const hunks = Array.from({ length: 60 }, (_, i) =>
    patched(`p${i}`, i, [
      ...i % 10 === 7 ? ['+      "hasInstallScript": true,'] : [],
      '+      "peer": true,',
    ]));
  const sent = sentOf(diffOf("package-lock.json", hunks));
  for (let i = 7; i < 60; i += 10) {
    assert.ok(sent.includes(`→ 1.${i}.1 +hasInstallScript`), `p${i}`);
  }
  assert.ok(!sent.includes("+peer"));
});
