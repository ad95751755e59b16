/** Time grows with the length of the text, not with its square: for every kind, of its own texts and of hostile ones. */
import assert from "node:assert/strict";
import { makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import type { CompressContext, Compressor } from "../../src/core/compressor.ts";
import type { ContentKind } from "../../src/core/detector.ts";
import { type MakeText, SAMPLES } from "../bench/samples.ts";

/** Characters of the texts that are compared. */
const SMALL = 100_000;
const SIZES = [1_000_000, 5_000_000];
/** Time per character may grow by this factor: caches get cold, and machines are noisy. */
const MAX_GROWTH = 3;
/** Milliseconds below which a time says nothing. */
const NOISE_MS = 4;
/** A machine that was busy gets another chance; a text that takes quadratic time misses every one. */
const TRIES = 4;

const KINDS = Object.keys(CONTENT) as ContentKind[];

/** Texts that no tool prints. */
const HOSTILE: Readonly<Record<string, MakeText>> = {
  "one letter": (n) => "a".repeat(n),
  "spaces": (n) => " ".repeat(n),
  "newlines": (n) => "\n".repeat(n),
  "dashes": (n) => "-".repeat(n),
  "pipes": (n) => "|".repeat(n),
  "opening brackets": (n) => "[".repeat(n),
  "opening tags": (n) => "<a>".repeat(n / 3),
  "nested objects": (n) => '{"a":'.repeat(n / 5),
  "open fences": (n) => "```x\n".repeat(n / 5),
  "open strings": (n) => '["a\n'.repeat(n / 4),
  "short lines": (n) => "a: b\n".repeat(n / 5),
  "numbers": (n) => "1 ".repeat(n / 2),
  "slashes": (n) => "a/".repeat(n / 2),
  "one line of words": (n) => "word, and ".repeat(n / 10),
};

const context: CompressContext = {
  query: "why did the worker fail",
  mayElide: true,
  countTokens: (text) => Math.ceil(text.length / 4),
  compressPart: () => ({ type: "unchanged", reason: "not_asked" }),
};

/** Lets a compressor load what it needs for a text. */
async function readied(compressor: Compressor, text: string): Promise<void> {
  const outcome = compressor.compress(text, context);
  if (outcome.type === "unchanged") await outcome.until;
}

/** Shortest of a few runs, in milliseconds. */
function timeOf(work: () => unknown, runs: number): number {
  let best = Infinity;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function assertLinear(
  name: string,
  make: MakeText,
  work: (text: string) => unknown,
): void {
  const small = make(SMALL);
  work(small);
  for (const size of SIZES) {
    const large = make(size);
    let growth = Infinity;
    for (let i = 0; i < TRIES && growth > MAX_GROWTH; i++) {
      const unit = Math.max(NOISE_MS, timeOf(() => work(small), 3)) /
        small.length;
      growth = Math.min(
        growth,
        timeOf(() => work(large), 1) / large.length / unit,
      );
    }
    assert.ok(
      growth <= MAX_GROWTH,
      `${name}: ${
        growth.toFixed(1)
      } times as long per character at ${size} characters`,
    );
  }
}

for (const kind of KINDS) {
  const { compressor, recognise } = CONTENT[kind];
  Deno.test(`${kind} takes time in proportion to its own texts`, async () => {
    await readied(compressor, SAMPLES[kind](SMALL));
    assertLinear(
      kind,
      SAMPLES[kind],
      (text) => compressor.compress(text, context),
    );
  });
  Deno.test(`${kind} takes time in proportion to hostile texts`, async () => {
    await readied(compressor, SAMPLES.source_code(SMALL));
    for (const [name, make] of Object.entries(HOSTILE)) {
      assertLinear(name, make, (text) => {
        recognise(text);
        return compressor.compress(text, context);
      });
    }
  });
}

Deno.test("makeDetector takes time in proportion to any text", () => {
  const detector = makeDetector(CONTENT);
  for (
    const [name, make] of Object.entries({ ...SAMPLES, ...HOSTILE })
  ) assertLinear(name, make, (text) => detector.detect(text));
});
