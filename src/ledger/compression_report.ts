/** Requests that compression changed or not, and tool results that were met for the first time. @module */
import { filled, type RunSums } from "./run_sums.ts";
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
