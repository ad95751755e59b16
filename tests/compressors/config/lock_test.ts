import assert from "node:assert/strict";
import fc from "fast-check";
import { elideLock } from "../../../src/compressors/config/lock.ts";
import type { LockFormat } from "../../../src/compressors/config/lock_format.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";
import { inputOf } from "./samples.ts";

function elide(text: string, format: LockFormat, query = "") {
  return elideLock(viewConfig(text), format, { query, firstLine: 1 })!;
}

Deno.test("elideLock writes name and version of every package, wherever it stands", () => {
  fc.assert(
    fc.property(fc.nat(39), fc.integer({ min: 0, max: 99 }), (place, minor) => {
      const parts = inputOf("cargo_lock").split("\n\n");
      parts.splice(
        1 + place,
        0,
        `[[package]]\nname = "odd-one"\nversion = "0.${minor}.1"\nsource = "git+https://git.example.org/odd#abc"\ndependencies = [\n "libc",\n]`,
      );
      const { text } = elide(parts.join("\n\n"), "toml");
      assert.ok(
        text.includes(
          `\nodd-one 0.${minor}.1 (source "git+https://git.example.org/odd#abc"; needs libc)\n`,
        ),
        text,
      );
    }),
    { numRuns: 20 },
  );
});

Deno.test("elideLock says what a package of the project itself needs", () => {
  const { text } = elide(inputOf("cargo_lock"), "toml");
  assert.match(
    text,
    /^parcel-tracker 0\.3\.1 \(no source; needs anyhow, clap, /m,
  );
  assert.match(text, /^version = 4$/m);
});

Deno.test("elideLock gives packages that the query names in full, and says who needs them", () => {
  const { text } = elide(inputOf("cargo_lock"), "toml", "Why is memchr there?");
  assert.match(
    text,
    /^… lines \d+-\d+ in full:\n\[\[package\]\]\nname = "memchr"/m,
  );
  assert.match(text, /^aho-corasick \S+ \(needs memchr\)$/m);
});

Deno.test("elideLock leaves what stands outside the packages as it is", () => {
  const { text } = elide(inputOf("pnpm_lock"), "pnpm");
  const input = inputOf("pnpm_lock");
  const head = input.slice(0, input.indexOf("\npackages:"));
  assert.ok(text.startsWith(head));
  assert.match(text, /^… lines \d+-\d+ omitted \(dependencies per package\)$/m);
});

Deno.test("elideLock leaves few packages as they are", () => {
  const { text } = elide(inputOf("gemfile_lock"), "gem");
  assert.ok(text.includes("    parcel_labels (0.2.0)\n      prawn (~> 2.4)\n"));
});

Deno.test("elideLock gives nothing for a text without packages", () => {
  assert.equal(
    elideLock(viewConfig("a: 1\n"), "yarn", { query: "", firstLine: 1 }),
    undefined,
  );
});
