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
import { HOSTILE_TEXTS } from "./hostile_texts.ts";

const context: CompressContext = {
  query: "why did the worker fail",
  mayElide: true,
  countTokens: (text) => Math.ceil(text.length / 4),
  compressPart: () => ({ type: "unchanged", reason: "not_asked" }),
};

/** UTF-16 units of the shorter texts; the longer ones have 16 times as many. */
const SHORT = 32_768;

/** Texts by their names. */
type Texts = Readonly<Record<string, MakeText>>;

/** Long texts take long to make: those of one group are made once. */
function madeOnce(make: MakeText): MakeText {
  const made = new Map<number, string>();
  return (length) => made.getOrInsertComputed(length, make);
}

const GROUPS: Readonly<Record<string, Texts>> = Object.fromEntries(
  Object.entries({ "what tools print": SAMPLES, ...HOSTILE_TEXTS }).map((
    [group, texts],
  ) => [
    group,
    Object.fromEntries(
      Object.entries<MakeText>(texts).map((
        [name, make],
      ) => [name, madeOnce(make)]),
    ),
  ]),
);

/** Requires that twice the text takes at most 2.2 times the time, for each text of each group. */
function testDoubling(
  reader: string,
  work: (text: string) => unknown,
  groups = GROUPS,
) {
  for (const [group, texts] of Object.entries(groups)) {
    Deno.test(`${reader} takes at most 2.2 times the time for twice the text: ${group}`, async () => {
      const steep: string[] = [];
      for (const [name, make] of Object.entries(texts)) {
        const factor = await tooSteep({ make, work }, SHORT)
          .catch((error: Error) => error);
        if (factor !== undefined) steep.push(`${name}: ${factor}`);
      }
      assert.deepEqual(steep, []);
    });
  }
}

for (const kind of Object.keys(CONTENT) as ContentKind[]) {
  const { compressor, recognise } = CONTENT[kind];
  testDoubling(kind, (text) => {
    recognise(text);
    return compressor.compress(text, context);
  }, { ...GROUPS, "what tools print": { [kind]: SAMPLES[kind] } });
}

testDoubling("detect", (text) => makeDetector(CONTENT).detect(text));

const { decide } = await openRouter();
testDoubling("a decision", async (text) => {
  const decision = await decide(jobOf(text, { query: "why did it fail" }));
  assert.notEqual(decision.type, "failed");
});

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

const userTexts = Object.fromEntries(
  Object.entries(USER_TEXTS).map(([name, text]) => [
    name,
    (length: number) => `Why?\n\n${text.repeat(length / text.length)}`,
  ]),
);

// Of a text without parts that are looked at the rest is that of a decision.
testDoubling("a user's text", (text) => {
  const decision = decide(jobOf(text, { rule: "user" }));
  assert.notEqual(decision.type, "failed");
}, {
  "what is never closed": GROUPS["what is never closed"]!,
  "mixtures": GROUPS["mixtures"]!,
  "what users paste": userTexts,
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

Deno.test("tooSteep finds a square of 8e-7 of the linear part", async () => {
  const make = (size: number) => "a".repeat(size);
  let sum = 0;
  const work = ({ length }: string) => {
    const steps = length / 4 * (1 + 8e-7 * length);
    for (let i = 0; i < steps; i++) sum = (sum * 31 + i) | 0;
  };
  const isFound = async () =>
    await tooSteep({ make, work }, SHORT) !== undefined;
  // Other programs may spoil one measurement.
  assert.ok(await isFound() || await isFound() || await isFound());
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
    assertLinear("search", { make, work, sizes: [200, 4_000] }),
    /^AssertionError.*: search: \d+ times the CPU time for 20 times the size/,
  );
});
