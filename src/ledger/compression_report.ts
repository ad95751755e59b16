/** Requests that compression changed or not, and tool results that were met for the first time. @module */
import { type Fields, filled, type RunSums } from "./run_sums.ts";
import { round } from "./sums.ts";

/** Reports the requests of a run. */
export function compressionReport(sums: RunSums) {
  const row = sums.of("compressed");
  const { requests = 0, percents = 0, max = 0, removed = 0, before = 0 } = row;
  return {
    /** Requests with at least one edit of ours. */
    requests_compressed: requests,
    /** Mean over them of tokens saved of tokens received, in percent; by our count. */
    avg_compression_pct: requests === 0 ? 0 : round(percents / requests),
    /** Largest of that. */
    best_compression_pct: max,
    /** The request with the largest one, e.g. `12000 to 3100 tokens`; empty for none. */
    best_detail: sums.note("compressed") ?? "",
    /** Net tokens that they save. */
    total_tokens_removed: removed,
    /** Tokens that they came with, by our count. */
    total_tokens_before: before,
    /** Requests without an edit, by the reason that most of their new tool results have; only reasons that occur. */
    uncompressed_requests: sums.table("uncompressed", ({ n = 0 }) => n),
  };
}

/** Reports the tool results of a run. */
export function freshReport(sums: RunSums) {
  return filled({
    /** All of them. */
    blocks: 0,
    /** Those whose tokens were counted: the others were left alone at a glance. */
    counted_blocks: 0,
    /** Those that got a form. */
    compressed_blocks: 0,
    /** Tokens of the counted ones. */
    tokens_before: 0,
    /** Tokens of what was sent for them. */
    tokens_after: 0,
    /** Tokens of the ones with a form, before. */
    compressed_tokens_before: 0,
    /** And after. */
    compressed_tokens_after: 0,
  }, sums.of("fresh"));
}

/** Pairs of tool and compressor that are told apart. */
const MAX_PAIRS = 10_000;

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
