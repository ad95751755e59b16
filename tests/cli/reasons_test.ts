import assert from "node:assert/strict";
import { REASONS, reasonText } from "../../src/cli/reasons.ts";

const SRC = new URL("../../src/", import.meta.url);
/** Where a text is left alone: a call or a property that takes a slug, or a list of slugs. */
const PLACES = [
  /\b(?:alone|unchanged|unclaimed)\(([^()]*)\)/g,
  /\breason:([^,;)}\n]*)/g,
  /\btype ScanFailure =([^;]*);/g,
  /\bfunction refusalOf([\s\S]*?)\n}/g,
  /\bconst reason =([^;]*);/g,
];

async function* typeScript(directory: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const url = new URL(isDirectory ? `${name}/` : name, directory);
    if (isDirectory) yield* typeScript(url);
    else if (name.endsWith(".ts")) yield url;
  }
}

/** Files whose functions return slugs. */
const RETURNING = /\/(?:live_zone_pass|seen_blocks)\.ts$/;
const RETURNED = /\breturn (?:[\w.]+ === undefined \? )?("[a-z_]+")/g;

/** Slugs that the source gives as reasons. */
async function slugs(): Promise<Set<string>> {
  const found = new Set<string>();
  const files = [
    "pipeline/router.ts",
    "pipeline/compress_by_kind.ts",
    "pipeline/compress_body.ts",
    "pipeline/live_zone_pass.ts",
    "pipeline/seen_blocks.ts",
    "sdk/library.ts",
  ]
    .map((path) => new URL(path, SRC));
  for (const folder of ["compressors/", "engine/"]) {
    for await (const url of typeScript(new URL(folder, SRC))) files.push(url);
  }
  for (const file of files) {
    const text = await Deno.readTextFile(file);
    const places = RETURNING.test(file.href) ? [...PLACES, RETURNED] : PLACES;
    for (const place of places) {
      for (const [, inside] of text.matchAll(place)) {
        for (const [, slug] of inside!.matchAll(/"([a-z_]+)"/g)) {
          found.add(slug!);
        }
      }
    }
  }
  return found;
}

Deno.test("REASONS has a row for each slug that the source gives, and no other", async () => {
  const found = await slugs();
  assert.ok(found.size > 10);
  found.add("empty");
  assert.deepEqual(Object.keys(REASONS).sort(), [...found].sort());
});

Deno.test("reasonText gives plain words, in one piece of a line", () => {
  for (const slug of Object.keys(REASONS)) {
    assert.match(reasonText(slug), /^[a-zA-Z][\w ,']+\w$/, slug);
    assert.doesNotMatch(reasonText(slug), /_/, slug);
  }
});

Deno.test("reasonText repeats the message of a compressor that failed", () => {
  assert.equal(reasonText("Bad luck"), "compression failed: Bad luck");
  assert.equal(reasonText("toString"), "compression failed: toString");
});
