/** Generated conversations for tests of the library, with results that real compressors take. */
import fc from "fast-check";
import type { Conversation } from "../conformance/conversation.ts";

/** What a result says where nothing was compressed. */
export const NO_FIGURES = {
  tokensBefore: 0,
  tokensAfter: 0,
  tokensSaved: 0,
  compressionRatio: 1,
  transformsApplied: [],
  transformsSummary: {},
  ccrHashes: [],
  compressed: false,
};

const many = (n: number, line: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => line(i)).join("\n");

/** A log of `n` lines. */
export function logOf(n: number, name = "job"): string {
  return many(
    n,
    (i) => `2026-03-02T08:00:${10 + i % 50}Z INFO ${name} ${i} done`,
  );
}

/** A module of `n` functions. */
export function sourceOf(n: number, name = "step"): string {
  return many(
    n,
    (i) =>
      [
        `/** Does part ${i}. */`,
        `export function ${name}${i}(rows: readonly number[]): number {`,
        "  let sum = 0;",
        "  for (const row of rows) {",
        `    if (row % ${i + 2} === 0) continue;`,
        "    sum += row * row;",
        "  }",
        `  console.log("part ${i}", sum);`,
        "  return sum;",
        "}",
        "",
      ].join("\n"),
  );
}

/** Rows as JSON. */
export function rowsOf(n: number): string {
  return JSON.stringify(
    Array.from({ length: n }, (_, id) => ({
      id,
      state: id % 20 ? "done" : "failed",
      owner: `team-${id % 3}`,
    })),
  );
}

const result = fc.oneof(
  fc.integer({ min: 20, max: 80 }).map((n) => logOf(n)),
  fc.integer({ min: 20, max: 80 }).map((n) => rowsOf(n)),
  fc.integer({ min: 4, max: 12 }).map((n) => sourceOf(n)),
  fc.string({ unit: "binary", maxLength: 400 }),
);

const call = fc.record({
  tool: fc.constantFrom("Bash", "Grep", "Read", "fetch_rows"),
  args: fc.constantFrom(
    { command: "cat x" },
    { pattern: "x" },
    { file_path: "src/part.ts" },
  ),
  result: fc.oneof(result, fc.array(result, { minLength: 1, maxLength: 3 })),
});

/** A conversation of up to five steps; every call has an id of its own. */
export const anyConversation: fc.Arbitrary<Conversation> = fc.record({
  question: fc.constantFrom("Why does job 3 fail?", "List it", ""),
  steps: fc.array(
    fc.record({
      says: fc.constantFrom("I look.", undefined),
      calls: fc.array(call, { minLength: 1, maxLength: 2 }),
      note: fc.constantFrom("Fix the bug", undefined),
    }),
    { minLength: 1, maxLength: 5 },
  ),
}).map(({ question, steps }) => ({
  question,
  steps: steps.map(({ says, calls, note }, i) => ({
    ...says !== undefined && { says },
    ...note !== undefined && { note },
    calls: calls.map((call, k) => ({ ...call, id: `c${i}_${k}` })),
  })),
}));

/** A conversation with one call per result. */
export function talk(...results: readonly string[]): Conversation {
  return {
    question: "why?",
    steps: results.map((result, i) => ({
      says: "I look.",
      calls: [{ id: `c${i}`, tool: "Bash", args: { command: "x" }, result }],
    })),
  };
}
