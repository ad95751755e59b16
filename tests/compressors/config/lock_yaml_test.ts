import assert from "node:assert/strict";
import {
  readPnpmLock,
  readYarnLock,
} from "../../../src/compressors/config/lock_yaml.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "./samples.ts";

Deno.test("readYarnLock reads every package of a yarn.lock", () => {
  const input = inputOf("yarn_lock");
  const [region] = readYarnLock(indexLines(input));
  assert.equal(region!.entries.length, input.match(/^ {2}version /gm)!.length);
  const chalk = region!.entries.find(({ name }) => name === "chalk")!;
  assert.match(chalk.said, /^chalk 4\.\d+\.\d+$/);
  assert.deepEqual(chalk.needs, ["ansi-styles", "supports-color"]);
  assert.equal(chalk.source, "https://registry.yarnpkg.com/");
});

Deno.test("readYarnLock reads scopes, protocols and workspaces", () => {
  const text = `__metadata:
  version: 8

"@babel/core@npm:^7.0.0, @babel/core@npm:^7.1.0":
  version: 7.22.5
  resolution: "@babel/core@npm:7.22.5"
  dependencies:
    "@babel/types": "npm:^7.22.5"
  checksum: 10c0/abc
  languageName: node
  linkType: hard

"web@workspace:.":
  version: 0.0.0-use.local
  resolution: "web@workspace:."
  languageName: unknown
  linkType: soft
`;
  const [region] = readYarnLock(indexLines(text));
  assert.deepEqual(region!.entries.map(({ said }) => said), [
    "@babel/core 7.22.5",
    "web 0.0.0-use.local",
  ]);
  assert.deepEqual(region!.entries[0]!.needs, ["@babel/types"]);
  assert.equal(region!.entries[1]!.source, "workspace");
});

Deno.test("readPnpmLock reads packages, and snapshots as a region without entries", () => {
  const input = inputOf("pnpm_lock");
  const [packages, snapshots] = readPnpmLock(indexLines(input));
  assert.equal(
    packages!.entries.length,
    input.match(/^ {4}resolution: /gm)!.length,
  );
  assert.deepEqual(snapshots!.entries, []);
  assert.equal(snapshots!.to, input.trimEnd().split("\n").length);
});

Deno.test("readPnpmLock tells what is deprecated and what comes from elsewhere", () => {
  const text = `packages:

  /@scope/a@1.0.0(b@2.0.0):
    resolution: {integrity: sha512-x}
    deprecated: use c

  c@file:../c:
    resolution: {directory: ../c, type: directory}
`;
  const [region] = readPnpmLock(indexLines(text));
  const [a, c] = region!.entries;
  assert.equal(a!.name, "@scope/a");
  assert.deepEqual(a!.remarks, ["deprecated: use c"]);
  assert.match(c!.source, /directory/);
});
