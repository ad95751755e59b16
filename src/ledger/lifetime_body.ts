/** Body of `GET /stats-lifetime`: what survives restarts, of all proxies of the workspace. @module */
import type { Dimension, LedgerReader } from "../core/ledger_reader.ts";
import type { LedgerState } from "./ledger.ts";
import { namedReports } from "./named_sums.ts";
import { percent, type SumsReport, usd } from "./sums.ts";

/** Sums by name; each table sums up to the totals. */
export type NamedReports = Readonly<Record<string, SumsReport>>;

/** What is known of forms with a name in common. */
export type FormSumsReport = Pick<
  SumsReport,
  "requests" | "tokens_saved" | "tokens_added"
>;

/** Sums of forms by name; each table sums up to `tokens.saved`. */
export type NamedForms = Readonly<Record<string, FormSumsReport>>;

/** The whole body. A request is in it once it is in the file. */
export interface LifetimeBody {
  /** Finished requests. */
  readonly requests: {
    /** However they ended. */
    readonly total: number;
    /** Those with a 5xx status. */
    readonly failed: number;
  };
  /** Tokens. */
  readonly tokens: {
    /** Prompt tokens that went upstream: as billed, else as sent. */
    readonly input: number;
    /** Generated tokens, as billed. */
    readonly output: number;
    /** Net tokens: `removed` less `added`. */
    readonly saved: number;
    /** What the retrieval tool's definition and what it gave back added. */
    readonly added: number;
    /** Gross tokens: what compression took away. */
    readonly removed: number;
    /** `input + saved`: what would have been sent. */
    readonly total_before_compression: number;
    /** `saved` of `total_before_compression`, in percent. */
    readonly savings_percent: number;
  };
  /** Money. */
  readonly cost: {
    /** What requests cost. */
    readonly total_cost_usd: number;
    /** What they would have cost without svc: `total_cost_usd + compression_savings_usd`. */
    readonly without_svc_usd: number;
    /** Saved, price-weighted and net. */
    readonly compression_savings_usd: number;
    /** Saved tokens at the list price of input. */
    readonly gross_savings_usd: number;
    /** `compression_savings_usd` of `without_svc_usd`, in percent. */
    readonly savings_pct: number;
    /** Requests whose cost nobody knows. */
    readonly unpriced_requests: number;
  };
  /** Providers' prompt caches, as billed. */
  readonly prefix_cache: {
    /** Prompt tokens read from them. */
    readonly cache_read_tokens: number;
    /** Prompt tokens written to them. */
    readonly cache_write_tokens: number;
    /** `cache_read_tokens` of `tokens.input`, in percent. */
    readonly hit_rate: number;
  };
  /** By project; missing for callers that are not trusted, like the tables below except `by_kind`. */
  readonly projects?: NamedReports;
  /** By provider format. */
  readonly by_provider?: NamedReports;
  /** By model. */
  readonly by_model?: NamedReports;
  /** By `x-svc-stack`. */
  readonly by_stack?: NamedReports;
  /** By product name of the client. */
  readonly by_agent?: NamedReports;
  /** By tool; what was added is in `(added)`. */
  readonly by_tool?: NamedForms;
  /** By compressor; what was added is in `(added)`. */
  readonly by_kind: NamedForms;
  /** Requests whose prefix svc changed though the client did not: must be 0. */
  readonly prefix_stability: { readonly ours: number };
  /** Whether what happens is kept. */
  readonly persistence: {
    /** Whether the last rows could be written. */
    readonly healthy: boolean;
    /** Whether there is a file. */
    readonly enabled: boolean;
    /** Requests that are not in the file yet. */
    readonly pending_records: number;
  };
}

/** Puts the body together. @throws What the database throws. */
export function lifetimeBody(
  reader: LedgerReader,
  state: LedgerState,
): LifetimeBody {
  const sums = reader.lifetime();
  const saved = sums.saved - sums.added;
  const by = (dimension: Dimension) =>
    namedReports(reader.breakdown(dimension));
  return {
    requests: { total: sums.requests, failed: sums.failed },
    tokens: {
      input: sums.input,
      output: sums.output,
      saved,
      added: sums.added,
      removed: sums.saved,
      total_before_compression: sums.input + saved,
      savings_percent: percent(saved, sums.input + saved),
    },
    cost: {
      total_cost_usd: usd(sums.nanoUsd),
      without_svc_usd: usd(sums.nanoUsd + sums.savedNet),
      compression_savings_usd: usd(sums.savedNet),
      gross_savings_usd: usd(sums.savedGross),
      savings_pct: percent(sums.savedNet, sums.nanoUsd + sums.savedNet),
      unpriced_requests: sums.unpriced,
    },
    prefix_cache: {
      cache_read_tokens: sums.cacheRead,
      cache_write_tokens: sums.cacheWrite,
      hit_rate: percent(sums.cacheRead, sums.input),
    },
    projects: by("project"),
    by_provider: by("provider"),
    by_model: by("model"),
    by_stack: by("stack"),
    by_agent: by("agent"),
    by_tool: formSums(by("tool")),
    by_kind: formSums(by("kind")),
    prefix_stability: { ours: reader.brokenPrefixes() },
    persistence: {
      healthy: state.healthy,
      enabled: state.backend === "sqlite",
      pending_records: state.waiting,
    },
  };
}

/** Prompts and money belong to whole requests, not to their forms: a zero would be a lie. */
function formSums(table: NamedReports): NamedForms {
  return Object.fromEntries(
    Object.entries(table).map(([name, row]) => {
      const { requests, tokens_saved, tokens_added } = row;
      return [name, { requests, tokens_saved, tokens_added }];
    }),
  );
}
