import type { CompressedText } from "../../src/core/compress_text.ts";
import assert from "node:assert/strict";
import { explain } from "../../src/cli/explain.ts";
import { textWidth } from "../../src/cli/terminal.ts";

const MARKER = "[… Retrieve more: hash=7caf42733975058b8cd44e2b]";
const part = { firstLine: 3, length: 1900, shortened: 1900, reason: "" };

/** Explains `text` instead of `original`; `parts` replaces what a test needs otherwise. */
function explained(
  original: string,
  text: string,
  parts: Partial<CompressedText> = {},
  width = 80,
): string {
  const result: CompressedText = {
    text,
    tokensBefore: 100,
    tokensAfter: 10,
    strategy: "log",
    looked: { kind: "log", parts: [] },
    ...parts,
  };
  return explain({ original, result }, width);
}

Deno.test("explain names the decision, and the lines that had to stay", () => {
  const original = [
    "start",
    ..."abcdefgh".split("").map((letter) => `INFO ${letter}`),
    "ERROR job 7 failed",
    "WARN one",
    "WARN two",
    "end",
  ].join("\n");
  assert.equal(
    explained(
      original,
      `start\nERROR job 7 failed\nWARN one\nend\n${MARKER}`,
    ),
    `  Kind: log
  Decision: parts were left out: this saves more than a lossless rewrite. The
    original is stored; the marker at the end says how to get it back
  Kept unchanged: 4 of 13 lines (1, 10-11, 13)
  Must-keep lines: 1 failure
    LINE  REPORTS  RESULT     TEXT
      10  failure  unchanged  ERROR job 7 failed
      11  warning  unchanged  WARN one
  Omitted warnings and totals: 1
`,
  );
});

Deno.test("explain says when failures are omitted, or when there are none", () => {
  const original = "ERROR a 1\nERROR a 2\nERROR a 3\nok";
  const some = explained(original, `ERROR a 1\nERROR a 3\n${MARKER}`);
  assert.match(some, /: 3 failures; of failures that are alike, the first and/);
  assert.match(some, /\n +2 {2}failure {2}omitted {4}ERROR a 2\n/);
  const none = explained("a\nb", `a\n${MARKER}`);
  assert.match(none, /Must-keep lines: none, no line reports a failure\n$/);
});

Deno.test("explain does not take words of source code for failures", () => {
  const text = explained("throw error;\nx", "x", {
    strategy: "code_aware",
    looked: { kind: "source_code", parts: [] },
  });
  assert.match(text, /Kind: source code\n/);
  assert.match(text, /Decision: rewritten losslessly: /);
  assert.doesNotMatch(text, /Must-keep/);
});

Deno.test("explain names the parts, and the rule where it is not called like the kind", () => {
  const text = explained("{}", "{}", {
    strategy: "wrapped:json",
    looked: {
      kind: "wrapped",
      parts: [
        { ...part, kind: undefined, firstLine: 40, reason: "no_kind" },
        { ...part, kind: "json", shortened: 300 },
      ],
    },
  });
  assert.match(text, /Kind: wrapped output\n/);
  assert.match(text, /losslessly \(rule: wrapped JSON\): /);
  assert.match(
    text.replace(/\s+/g, " "),
    /Part from line 40: not recognised, 1,900 characters, skipped: its kind of text is not recognised Part from line 3: JSON, 1,900 -> 300 characters/,
  );
});

Deno.test("explain says why a text was skipped, and compares nothing then", () => {
  const text = explained("a", "a", {
    strategy: "",
    reason: "too_small",
    looked: { kind: undefined, parts: [] },
  });
  assert.equal(
    text,
    "  Kind: not recognised\n  Decision: skipped: too short to gain anything\n",
  );
});

Deno.test("explain says where the list of parts ends", () => {
  const parts = Array.from({ length: 40 }, () => ({
    ...part,
    kind: "log" as const,
  }));
  const of = (some: typeof parts) =>
    explained("a", "a", { looked: { kind: "mixed", parts: some } });
  assert.match(of(parts), /are not listed\n/);
  assert.doesNotMatch(of(parts.slice(1)), /not listed/);
});

Deno.test("explain is bounded, and obeys no terminal code of the text", () => {
  const lines = Array.from(
    { length: 2000 },
    (_, i) => `ERROR ${i} \x1b]0;x\x07 ${"日本 ".repeat(80)}`,
  );
  const odd = lines.filter((_, i) => i % 2 === 0).join("\n");
  const text = explained(lines.join("\n"), odd, {}, 60);
  assert(text.split("\n").length < 60);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f]/);
  for (const line of text.split("\n")) assert(textWidth(line) <= 60, line);
  assert.match(text, /and at least \d+ more/);
});
