import assert from "node:assert/strict";
import { readTomlLock } from "../../../src/compressors/config/lock_toml.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "./samples.ts";

Deno.test("readTomlLock reads every package of a Cargo.lock", () => {
  const input = inputOf("cargo_lock");
  const [region] = readTomlLock(indexLines(input));
  assert.equal(region!.entries.length, input.match(/^name = /gm)!.length);
  assert.deepEqual(region!.omitted, ["source", "checksum", "dependencies"]);
  const own = region!.entries.find(({ name }) => name === "parcel-tracker")!;
  assert.equal(own.said, "parcel-tracker 0.3.1");
  assert.equal(own.source, "");
  assert.deepEqual(own.needs.slice(0, 3), ["anyhow", "clap", "regex"]);
});

Deno.test("readTomlLock reads inline tables, tables of an entry and remarks", () => {
  const text = `[[package]]
name = "a"
version = "1.0"
optional = true
groups = ["dev"]
dependencies = [
    { name = "b", marker = "x" },
]

[package.dependencies]
idna = ">=2"

[package.source]
type = "git"
url = "https://git.example.org/a.git"
resolved_reference = "abc"

[[package]]
name = "b"
version = "2.0"
dependencies = ["c", "d 1.0"]

[metadata]
lock-version = "2.1"
`;
  const [region] = readTomlLock(indexLines(text));
  const [a, b] = region!.entries;
  assert.deepEqual(a!.needs, ["b", "idna"]);
  assert.deepEqual(a!.remarks, ["optional", 'groups ["dev"]']);
  assert.equal(a!.source, '"https://git.example.org/a.git" "abc"');
  assert.deepEqual(b!.needs, ["c", "d"]);
  assert.equal(
    text.split("\n")[region!.to - 1],
    'dependencies = ["c", "d 1.0"]',
  );
});

Deno.test("readTomlLock gives nothing without packages", () => {
  assert.deepEqual(readTomlLock(indexLines("[tool]\nx = 1\n")), []);
});
