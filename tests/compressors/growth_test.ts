/** Time grows with the length of the text, not with its square: for every kind, of its own texts and of hostile ones. */
import assert from "node:assert/strict";
import { makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import type { CompressContext, Compressor } from "../../src/core/compressor.ts";
import type { ContentKind } from "../../src/core/detector.ts";
import { type MakeText, SAMPLES } from "../bench/samples.ts";
import { assertLinear } from "../cpu_time.ts";

/** Characters of the texts that are compared. */
const SIZES = [100_000, 1_000_000, 5_000_000] as const;

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

for (const kind of KINDS) {
  const { compressor, recognise } = CONTENT[kind];
  Deno.test(`${kind} takes time in proportion to its own texts`, async () => {
    await readied(compressor, SAMPLES[kind](SIZES[0]));
    await assertLinear(kind, {
      make: SAMPLES[kind],
      work: (text) => compressor.compress(text, context),
      sizes: SIZES,
    });
  });
  Deno.test(`${kind} takes time in proportion to hostile texts`, async () => {
    await readied(compressor, SAMPLES.source_code(SIZES[0]));
    const work = (text: string) => {
      recognise(text);
      return compressor.compress(text, context);
    };
    for (const [name, make] of Object.entries(HOSTILE)) {
      await assertLinear(name, { make, work, sizes: SIZES });
    }
  });
}

Deno.test("makeDetector takes time in proportion to any text", async () => {
  const detector = makeDetector(CONTENT);
  const work = (text: string) => detector.detect(text);
  const makers = Object.entries({ ...SAMPLES, ...HOSTILE });
  for (const [name, make] of makers) {
    await assertLinear(name, { make, work, sizes: SIZES });
  }
});

Deno.test("assertLinear finds work that grows with the square of its text", async () => {
  const work = (text: string) => {
    let sum = 0;
    for (let i = 0; i < text.length; i++) {
      for (let k = 0; k < i; k++) sum += text.charCodeAt(k);
    }
    return sum;
  };
  const make = (size: number) => "a".repeat(size);
  await assert.rejects(
    assertLinear("search", { make, work, sizes: [500, 10_000] }),
    /^AssertionError.*: search: \d+ times the CPU time for 20 times the size/,
  );
});
