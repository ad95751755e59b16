/** What became of forms: how much each kind and tool saved, and how often the model asked for the rest. @module */
import { type Fields, filled, type RunSums } from "./run_sums.ts";
import type { Withheld } from "./withhold.ts";

/** Pairs of tool and compressor that are told apart. */
const MAX_PAIRS = 10_000;

/** Part of the stats report. */
export type RetrievalsReport = Withheld<
  Readonly<ReturnType<typeof retrievalsReport>>,
  "by_tool"
>;

/** Reports the forms of a run. */
export function retrievalsReport(sums: RunSums) {
  const { total = 0, tokens = 0, rounds = 0, input = 0, shapes = 0 } = sums.of(
    "retrievals",
  );
  return {
    /** Originals given back, whole or in part, through every door of this process. */
    total,
    /** Tokens of them. */
    tokens,
    /** Requests that were sent to go on after a retrieval. */
    further_requests: rounds,
    /** Prompt tokens that the provider counted for them, those from its cache included: what retrievals cost besides. */
    further_input_tokens: input,
    /** Pairs of tool and compressor that had a form; counted up to ten thousand. */
    shapes: Math.min(shapes, MAX_PAIRS),
    /** By compressor. */
    by_strategy: sums.table("form_strategy", shapeReport),
    /** By tool; missing for callers that are not trusted. */
    by_tool: sums.table("form_tool", shapeReport),
  };
}

function shapeReport(fields: Fields) {
  const row = filled({
    /** Different forms. */
    forms: 0,
    /** Those that leave something out. */
    elided: 0,
    /** Tokens that they save once. */
    tokens_saved: 0,
    /** Times that an original was given back. */
    asked_for: 0,
    /** Tokens of what was given back. */
    tokens_given_back: 0,
  }, fields);
  return {
    ...row,
    /** `tokens_saved - tokens_given_back`. */
    net_tokens_saved: row.tokens_saved - row.tokens_given_back,
  };
}
