/**
 * Time grows with the length of the text, not with its square: for every kind, of its own texts and of hostile ones;
 * for a whole decision, and for cutting a part out of an original.
 */
import assert from "node:assert/strict";
import { makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import type { CompressContext } from "../../src/core/compressor.ts";
import type { ContentKind } from "../../src/core/detector.ts";
import { type MakeText, SAMPLES } from "../bench/samples.ts";
import { cutOriginal, openRouter } from "../../src/compute/open_router.ts";
import { assertLinear, tooSteep } from "../cpu_time.ts";
import { jobOf } from "../pipeline/jobs.ts";
import { HOSTILE_TEXTS, type MakeHostile } from "./hostile_texts.ts";

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

for (const kind of KINDS) {
  const { compressor, recognise } = CONTENT[kind];
  Deno.test(`${kind} takes time in proportion to its own texts`, async () => {
    await assertLinear(kind, {
      make: SAMPLES[kind],
      work: (text) => compressor.compress(text, context),
      sizes: SIZES,
    });
  });
  Deno.test(`${kind} takes time in proportion to hostile texts`, async () => {
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

/** UTF-16 units of the shorter texts that are doubled; the longest have 32 times as many. */
const SHORT = 32_768;

/** Hostile texts are long: those of one group are made once. */
function madeOnce(make: MakeHostile): MakeHostile {
  const made = new Map<number, string>();
  return (length) => made.getOrInsertComputed(length, make);
}

const HOSTILE_GROUPS = Object.entries(HOSTILE_TEXTS).map(([name, texts]) => ({
  name,
  texts: Object.entries(texts).map(([text, make]) =>
    [text, madeOnce(make)] as const
  ),
}));

/** Requires that twice the text takes at most 2.2 times the time, for each text of each group, or of those that are named. */
function testDoubling(
  reader: string,
  work: (text: string) => unknown,
  groups: readonly string[] = HOSTILE_GROUPS.map(({ name }) => name),
) {
  for (const { name, texts } of HOSTILE_GROUPS) {
    if (!groups.includes(name)) continue;
    Deno.test(`${reader} takes at most 2.2 times the time for twice the text: ${name}`, async () => {
      const steep: string[] = [];
      for (const [text, make] of texts) {
        const factor = await tooSteep({ make, work }, SHORT)
          .catch((error: Error) => error);
        if (factor !== undefined) steep.push(`${text}: ${factor}`);
      }
      assert.deepEqual(steep, []);
    });
  }
}

for (const kind of KINDS) {
  const { compressor, recognise } = CONTENT[kind];
  testDoubling(kind, (text) => {
    recognise(text);
    return compressor.compress(text, context);
  });
}

const { decide } = await openRouter();
testDoubling("a decision", async (text) => {
  const decision = await decide(jobOf(text, { query: "why did it fail" }));
  assert.notEqual(decision.type, "failed");
});

// Of a text without parts that are looked at the rest is that of a decision.
testDoubling("a user's text", (text) => {
  const decision = decide(jobOf(text, { rule: "user" }));
  assert.notEqual(decision.type, "failed");
}, ["what is never closed", "mixtures"]);

/** What only users' texts are looked through for. */
const USER_TEXTS: Readonly<Record<string, string>> = {
  "fences of logs": "```log\n2026-01-02T03:04:05 INFO a=1\n```\n",
  "fences without an end": "```a\n2026-01-02T03:04:05 INFO a=1\n",
  "documents without an end": '<file path="a.log">\n[1] INFO a\n',
  "instructions without an end": "<system-reminder>\n",
  "unknown elements": "<a-b>\n</a-c>\n",
  "lines of words between logs": "[1] INFO a\n[2] INFO b\n[3] INFO c\nwhy?\n\n",
  "changes without an end": "@@ -1,999999999 +1,999999999 @@\n+a\n",
};

Deno.test("a user's text takes time in proportion to it", async () => {
  const work = (text: string) => decide(jobOf(text, { rule: "user" }));
  for (const [name, text] of Object.entries(USER_TEXTS)) {
    const make = (length: number) =>
      `Why?\n\n${text.repeat(length / text.length)}`;
    await assertLinear(name, { make, work, sizes: SIZES });
  }
});

function cut(
  original: string,
  strategy: string,
  wanted: Parameters<typeof cutOriginal>[1],
) {
  return cutOriginal({ original, strategy, toolName: "" }, wanted);
}

testDoubling("cutOriginal", (original) => [
  cut(original, "log", { query: "why did it fail" }),
  cut(original, "smart_crusher", { query: "why, a" }),
  cut(original, "smart_crusher", { path: "a[3]" }),
  cut(original, "diff", { path: "a" }),
  cut(original, "search", { path: "a.ts" }),
  cut(original, "numbered", { lines: "5-9" }),
  cut(original, "mixed", { path: "a.ts" }),
  cut(original, "pasted:diff", { path: "a.ts" }),
]);

Deno.test("tooSteep finds work that grows with the square of its text, and no other", async () => {
  const make = (size: number) => "a".repeat(size);
  const count = (text: string, times: number) => {
    let sum = 0;
    for (let k = 0; k < times; k++) {
      for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
    }
    return sum;
  };
  const square = (text: string) => count(text, text.length);
  const factor = await tooSteep({ make, work: square }, 40);
  assert.ok(factor !== undefined && factor > 3 && factor < 5, `${factor}`);
  const linear = (text: string) => count(text, 9);
  assert.equal(await tooSteep({ make, work: linear }, 2_000), undefined);
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
