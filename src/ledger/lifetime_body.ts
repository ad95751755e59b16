/** Body of `GET /stats-lifetime`: what survives restarts, of all proxies of the workspace. @module */
import type { Dimension, LedgerReader, Sums } from "../core/ledger_reader.ts";
import type { LedgerState } from "./ledger.ts";
import { namedReports } from "./named_sums.ts";
import { percent, type SumsReport, usd } from "./sums.ts";
import type { Shown } from "./withhold.ts";

/** The whole body. A request is in it once it is in the file. */
export type LifetimeBody = Shown<ReturnType<typeof lifetimeBody>>;

/** Puts the body together. @throws What the database throws. */
export function lifetimeBody(
  reader: LedgerReader,
  state: LedgerState,
) {
  const sums = reader.lifetime();
  const saved = sums.saved - sums.added;
  const by = (dimension: Dimension) =>
    namedReports(reader.breakdown(dimension));
  return {
    /** Finished requests. */
    requests: { total: sums.requests, failed: sums.failed },
    /** Tokens. */
    tokens: {
      /** Prompt tokens that went upstream: as billed, else as sent. */
      input: sums.input,
      /** Generated tokens, as billed. */
      output: sums.output,
      /** Net tokens: `removed` less `added`. */
      saved,
      /** What the retrieval tool's definition and what it gave back added. */
      added: sums.added,
      /** Gross tokens: what compression took away. */
      removed: sums.saved,
      /** `input + saved`: what would have been sent. */
      total_before_compression: sums.input + saved,
      /** `saved` of `total_before_compression`, in percent. */
      savings_percent: percent(saved, sums.input + saved),
    },
    /** Money. */
    cost: {
      /** What requests cost. */
      total_cost_usd: usd(sums.nanoUsd),
      /** What they would have cost without svc: `total_cost_usd + compression_savings_usd`. */
      without_svc_usd: usd(sums.nanoUsd + sums.savedNet),
      /** Saved, price-weighted and net. */
      compression_savings_usd: usd(sums.savedNet),
      /** Saved tokens at the list price of input. */
      gross_savings_usd: usd(sums.savedGross),
      /** `compression_savings_usd` of `without_svc_usd`, in percent. */
      savings_pct: percent(sums.savedNet, sums.nanoUsd + sums.savedNet),
      /** Requests whose cost nobody knows. */
      unpriced_requests: sums.unpriced,
    },
    /** Providers' prompt caches, as billed. */
    prefix_cache: cacheReport(sums),
    /** By project; missing for callers that are not trusted, like the tables below except `by_kind`. */
    projects: by("project"),
    /** By provider format. */
    by_provider: by("provider"),
    /** By model. */
    by_model: by("model"),
    /** By `x-svc-stack`. */
    by_stack: by("stack"),
    /** By product name of the client. */
    by_agent: by("agent"),
    /** By tool; what was added is in `(added)`. */
    by_tool: formSums(by("tool")),
    /** By compressor; what was added is in `(added)`. */
    by_kind: formSums(by("kind")),
    /** Requests whose prefix svc changed though the client did not: must be 0. */
    prefix_stability: { ours: reader.brokenPrefixes() },
    /** Whether what happens is kept. */
    persistence: {
      /** Whether the last rows could be written. */
      healthy: state.healthy,
      /** Whether there is a file. */
      enabled: state.backend === "sqlite",
      /** Requests that are not in the file yet. */
      pending_records: state.waiting,
    },
  };
}

function cacheReport({ cacheRead, cacheWrite, input }: Sums) {
  return {
    /** Prompt tokens read from them. */
    cache_read_tokens: cacheRead,
    /** Prompt tokens written to them. */
    cache_write_tokens: cacheWrite,
    /** `cache_read_tokens` of `tokens.input`, in percent. */
    hit_rate: percent(cacheRead, input),
  };
}

/** Prompts and money belong to whole requests, not to their forms: a zero would be a lie. */
function formSums(table: Readonly<Record<string, SumsReport>>) {
  return Object.fromEntries(
    Object.entries(table).map(([name, row]) => {
      const { requests, tokens_saved, tokens_added } = row;
      return [name, { requests, tokens_saved, tokens_added }];
    }),
  );
}
