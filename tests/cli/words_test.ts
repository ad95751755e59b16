import assert from "node:assert/strict";
import {
  ageText,
  cleanText,
  costText,
  countText,
  manyText,
  msText,
  nameText,
  REASONS,
  reasonText,
  safeJson,
  savedText,
  shareText,
  shortId,
  sizeText,
  statusText,
  timeText,
} from "../../src/cli/words.ts";
import { NOON, requestOf } from "./inspect/samples.ts";
import fc from "fast-check";

Deno.test("countText and manyText put thousands apart and know one from many", () => {
  assert.equal(countText(1_234_567), "1,234,567");
  assert.equal(manyText(1, "line"), "1 line");
  assert.equal(manyText(0, "line"), "0 lines");
});

Deno.test("timeText gives day and time on the reader's clock", () => {
  assert.equal(timeText(NOON + 5000), "2026-01-31 12:00:05");
});

Deno.test("msText shows tenths of small times only", () => {
  assert.equal(msText(1.94), "1.9 ms");
  assert.equal(msText(0), "0 ms");
  assert.equal(msText(2310.4), "2,310 ms");
});

Deno.test("shareText has a minus for what was added, and always one decimal", () => {
  assert.equal(shareText(802, 1000), "80.2 %");
  assert.equal(shareText(400, 1000), "40.0 %");
  assert.equal(shareText(-10, 1000), "-1.0 %");
  assert.equal(shareText(0, 1000), "0.0 %");
  assert.equal(shareText(-5, 0), "0.0 %");
});

Deno.test("savedText says what became of tokens", () => {
  assert.equal(savedText(400, 1000), "saved 40.0 %");
  assert.equal(savedText(-31, 1000), "added 3.1 %");
  assert.equal(savedText(0, 0), "saved 0.0 %");
});

Deno.test("statusText says why a request is not just answered", () => {
  const cases = [
    [{ status: 200 }, "200"],
    [{ status: 200, cached: true }, "200 cached"],
    [{ status: 499 }, "499 aborted"],
    [{ status: 502 }, "502 failed"],
    [{ status: 404 }, "404 refused upstream"],
    [{ status: 404, provider: "passthrough" }, "404 passed through"],
    [{ status: 200, provider: "passthrough" }, "200 passed through"],
    [{ status: 502, provider: "passthrough" }, "502 failed"],
    [{ status: 429, refusedBy: "rate_limit" }, "429 refused: rate limit"],
    [{ status: 402, refusedBy: "budget" }, "402 refused: budget"],
  ] as const;
  for (const [parts, text] of cases) {
    assert.equal(statusText(requestOf(1, parts)), text);
  }
});

Deno.test("costText tells an estimate, an unknown price and no cost apart", () => {
  assert.equal(costText(requestOf(1)), "$0.0123");
  assert.equal(costText(requestOf(1, { costBasis: "estimated" })), "~$0.0123");
  assert.equal(costText(requestOf(1, { nanoUsd: undefined })), "?");
  const none = { costBasis: undefined, nanoUsd: undefined };
  assert.equal(costText(requestOf(1, none)), "-");
});

Deno.test("shortId takes the first eight characters", () => {
  assert.equal(shortId("0123456789"), "01234567");
});

Deno.test("sizeText gives three digits in a unit that fits", () => {
  const sizes = [0, 1, 999, 1000, 9994, 9995, 99_949, 99_950, 999_499, 999_500];
  assert.deepEqual(sizes.map(sizeText), [
    "0 bytes",
    "1 bytes",
    "999 bytes",
    "1.00 kB",
    "9.99 kB",
    "10.0 kB",
    "99.9 kB",
    "100 kB",
    "999 kB",
    "1.00 MB",
  ]);
  assert.equal(sizeText(2 ** 30), "1.07 GB");
  assert.equal(sizeText(5e12), "5000 GB");
});

Deno.test("ageText names the largest unit and rounds down", () => {
  const seconds = [-5, 0, 0.9, 59, 60, 3599, 3600, 86_399, 86_400, 1e6];
  assert.deepEqual(seconds.map((one) => ageText(one * 1000)), [
    "0 s",
    "0 s",
    "0 s",
    "59 s",
    "1 min",
    "59 min",
    "1 h",
    "23 h",
    "1 d",
    "11 d",
  ]);
});

Deno.test("nameText lets no name break a line or colour a terminal", () => {
  assert.equal(nameText(""), "-");
  assert.equal(nameText("a\n\x1b[31m\u202eb"), "a??[31m?b");
  assert.equal(nameText("x".repeat(32)), "x".repeat(32));
  assert.equal(nameText("😀".repeat(40)), `${"😀".repeat(31)}…`);
});

const SRC = new URL("../../src/", import.meta.url);
/** Where a text is left alone: a call or a property that takes a slug, or a list of slugs. */
const PLACES = [
  /\b(?:alone|unchanged|unclaimed)\(([^()]*)\)/g,
  /\breason:([^,;)}\n]*)/g,
  /\btype ScanFailure =([^;]*);/g,
  /\bfunction refusalOf([\s\S]*?)\n}/g,
  /\bconst reason =([^;]*);/g,
  /\batAGlance\(one,([^)]*)\)/g,
];

async function* typeScript(directory: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const url = new URL(isDirectory ? `${name}/` : name, directory);
    if (isDirectory) yield* typeScript(url);
    else if (name.endsWith(".ts")) yield url;
  }
}

/** Files whose functions return slugs. */
const RETURNING =
  /\/(?:block_jobs|compress_by_kind|live_zone_pass|pasted_part|seen_blocks)\.ts$/;
const RETURNED = /\breturn (?:[\w.]+ === undefined \? )?("[a-z_]+")/g;

/** Slugs that the source gives as reasons. */
async function slugs(): Promise<Set<string>> {
  const found = new Set<string>();
  const files = [
    "pipeline/block_jobs.ts",
    "pipeline/router.ts",
    "pipeline/compress_by_kind.ts",
    "pipeline/compress_body.ts",
    "pipeline/live_zone_pass.ts",
    "pipeline/pasted_part.ts",
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

Deno.test("cleanText shows control characters as signs and keeps tabs and line feeds", () => {
  assert.equal(cleanText("\x1b[31ma\tb\r\n\x7f\x9b"), "␛[31ma\tb␍\n␡\ufffd");
});

Deno.test("cleanText takes away what turns the direction of writing, not the characters of words", () => {
  assert.equal(cleanText("a\u202eb é 👩‍💻 \ud800"), "a\ufffdb é 👩‍💻 \ufffd");
});

Deno.test("cleanText leaves no control character, for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.doesNotMatch(cleanText(text), /(?![\t\n])\p{Cc}/u);
  }));
});

Deno.test("safeJson escapes what a terminal would obey, and means the same", () => {
  const value = { text: "\x1b\x7f\x9b\u202eé" };
  assert.equal(
    safeJson(value),
    '{"text":"\\u001b\\u007f\\u009b\\u202eé"}',
  );
  assert.deepEqual(JSON.parse(safeJson(value, 2)), value);
});
