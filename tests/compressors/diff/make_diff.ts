/** Diffs for property tests, made and applied by the shortest means. @module */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CompressContext } from "../../../src/core/compressor.ts";
import { unfoldPairs } from "../../../src/compressors/diff/pairs.ts";
import type { FileDiff } from "../../../src/compressors/diff/parse.ts";

/** One step of an edit: the line stays, goes or comes. */
export type Step = readonly [kind: " " | "-" | "+", line: string];

/** An edit and its unified diff. */
export interface MadeDiff {
  readonly old: readonly string[];
  readonly added: readonly string[];
  /** `git diff` output with `context` lines around each change. */
  readonly text: string;
}

/** Context in which words and single signs count as tokens. */
export function contextWith(mayElide: boolean): CompressContext {
  return {
    query: "",
    mayElide,
    countTokens: (text) => text.match(/\w+|[^\w\s]/g)?.length ?? 0,
  };
}

/** Makes the diff of one file from its steps. */
export function makeDiff(steps: readonly Step[], context: number): MadeDiff {
  const shown = steps.map((_, i) =>
    steps.slice(Math.max(0, i - context), i + context + 1)
      .some(([kind]) => kind !== " ")
  );
  const out = ["diff --git a/x.ts b/x.ts", "index 12ab34c..56de78f 100644"];
  out.push("--- a/x.ts", "+++ b/x.ts");
  const next = [1, 1] as [number, number];
  for (let i = 0; i < steps.length;) {
    const start = i;
    while (i < steps.length && shown[i] === shown[start]) i++;
    const part = steps.slice(start, i);
    const counts = [count(part, "+"), count(part, "-")] as const;
    if (shown[start]) {
      out.push(
        `@@ -${side(next[0], counts[0])} +${side(next[1], counts[1])} @@`,
      );
      out.push(...part.map(([kind, line]) => kind + line));
    }
    next[0] += counts[0];
    next[1] += counts[1];
  }
  return {
    old: steps.filter(([kind]) => kind !== "+").map(([, line]) => line),
    added: steps.filter(([kind]) => kind !== "-").map(([, line]) => line),
    text: `${out.join("\n")}\n`,
  };
}

/** Steps whose kind is not `not`. */
function count(steps: readonly Step[], not: string): number {
  return steps.filter(([kind]) => kind !== not).length;
}

function side(next: number, count: number): string {
  return `${count === 0 ? next - 1 : next},${count}`;
}

/** Applies the hunks of `file` at exactly the places that their headers name. */
export function applyPatch(
  old: readonly string[],
  lines: readonly string[],
  file: FileDiff,
): readonly string[] {
  const out: string[] = [];
  let at = 0;
  for (const { start, end, sides } of file.hunks) {
    const [from, to] = sides;
    const place = from!.count === 0 ? from!.start : from!.start - 1;
    out.push(...old.slice(at, place));
    assert.equal(out.length, to!.count === 0 ? to!.start : to!.start - 1);
    at = place;
    for (const line of lines.slice(start + 1, end)) {
      if (line[0] !== "+") assert.equal(old[at++], line.slice(1));
      if (line[0] !== "-") out.push(line.slice(1));
    }
  }
  return [...out, ...old.slice(at)];
}

/** An elided form as a patch again: gaps filled from `old`, and the names that are implied. */
export function patchOf(form: string, old: readonly string[]): string {
  const out: string[] = [];
  let at = 0;
  for (const line of unfoldPairs(form).split("\n")) {
    const [, start, count = "1"] = /^@@ -(\d+)(?:,(\d+))?/.exec(line) ?? [];
    const [, first, last = first] =
      /^… lines? (\d+)(?:-(\d+))? omitted$/.exec(line) ?? [];
    if (start !== undefined) at = Number(start) - (count === "0" ? 0 : 1);
    else if (/^[- ]/.test(line)) at++;
    if (line === "diff --git x.ts") {
      out.push("diff --git a/x.ts b/x.ts", "--- a/x.ts", "+++ b/x.ts");
    } else if (first !== undefined) {
      const end = at + Number(last) - Number(first) + 1;
      while (at < end) out.push(` ${old[at++]!}`);
    } else if (!/^… \d header lines? omitted$/.test(line)) out.push(line);
  }
  return out.join("\n");
}

/** Lines that look like everything a diff is made of. */
export const sourceLine: fc.Arbitrary<string> = fc.constantFrom(
  "",
  "}",
  "  return total;",
  "function sum(values) {",
  "class Stock:",
  "-- a comment",
  "++ a plus",
  "@@ -1 +1 @@",
  "--- a/x.ts",
  "diff --git a/x.ts b/x.ts",
  "\\ No newline at end of file",
  "a line that is long enough to make hiding it pay for itself",
);

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(" ", " ", " ", " ", "-", "+"),
  sourceLine,
);

/** Random edits of one file with at least one change. */
export const madeDiff: fc.Arbitrary<MadeDiff> = fc.tuple(
  fc.array(step, { minLength: 1, maxLength: 80, size: "max" }),
  fc.constantFrom(0, 1, 3, 10),
).filter(([steps]) => steps.some(([kind]) => kind !== " "))
  .map(([steps, context]) => makeDiff(steps, context));

/** Lines of all kinds of diffs, for texts in which anything may follow anything. */
export const diffLine: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ..."diff --git a/x b/x|index 1..2 100644|--- a/x\n+++ b/x|@@ -1 +1 @@|-a|+b"
      .split("|"),
  ),
  fc.constantFrom(
    ..."diff --cc x|new file mode 100644|--- /dev/null|--- a/x|+++ b/x|@@ -1,2 +1,2 @@|@@@ -1 -1 +1 @@@| c||Index: x|=====|GIT binary patch|literal 3|\\ No newline|\ud800|x"
      .split("|"),
  ),
);
