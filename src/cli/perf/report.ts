/** How values are spread. @module */

/** Percentiles are values that were met: the nearest rank. `null` where there are no values. */
export interface Spread {
  /** Values. */
  readonly count: number;
  /** Their average. */
  readonly avg: number | null;
  /** Half of them are not greater. */
  readonly p50: number | null;
  /** Nine of ten are not greater. */
  readonly p90: number | null;
  /** 95 of 100 are not greater. */
  readonly p95: number | null;
  /** 99 of 100 are not greater. */
  readonly p99: number | null;
  /** The greatest. */
  readonly max: number | null;
}

/** The spread of some values, to three decimals. Sorts `values` in place. */
export function spreadOf(values: number[]): Spread {
  values.sort((a, b) => a - b);
  const { length } = values;
  const at = (share: number) =>
    length === 0 ? null : rounded(values[Math.ceil(share * length) - 1]!);
  const sum = values.reduce((total, value) => total + value, 0);
  return {
    count: length,
    avg: length === 0 ? null : rounded(sum / length),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  };
}

/** Three decimals: beyond them there is only noise of floating point. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Milliseconds that requests took. */
export interface TimeSpread extends Spread {
  /** Values above 500 ms. */
  readonly over_500_ms: number;
}

/** Tokens as received and as sent, by our counter. */
export interface TokenFigures {
  /** As received. */
  readonly tokens_before: number;
  /** As sent. */
  readonly tokens_after: number;
  /** The difference. */
  readonly tokens_saved: number;
  /** `tokens_saved` of `tokens_before`, in percent, two decimals. */
  readonly savings_percent: number;
}

/** Requests to one model. */
export interface ModelFigures extends TokenFigures {
  /** As sent upstream; empty when unknown. */
  readonly model: string;
  /** Answered requests. */
  readonly requests: number;
  /** Generated tokens. */
  readonly output_tokens: number;
  /** US dollars of the requests with a price; `null` when none has one. */
  readonly cost_usd: number | null;
  /** Requests whose cost nobody knows: they are not in it. */
  readonly unpriced_requests: number;
  /** Half of the requests took no longer, in milliseconds. */
  readonly latency_p50_ms: number | null;
}

/** What one compressor made of tool results that were new. */
export interface CompressorFigures extends TokenFigures {
  /** Its id. */
  readonly strategy: string;
  /** Tool results that it shortened. */
  readonly results: number;
  /** Those of them that it left something out of. */
  readonly elided: number;
  /** Times that a model asked for what it left out; `null` where no originals are kept on disk. */
  readonly asked_for: number | null;
}

/** Tool results that were left alone for one reason. */
export interface LeftAloneFigures {
  /** A slug. */
  readonly reason: string;
  /** Tool results. */
  readonly results: number;
  /** Their bytes, as received. */
  readonly bytes: number;
}

/** Providers' prompt caches, as billed. */
export interface CacheFigures {
  /** Requests whose tokens the provider reported. */
  readonly requests: number;
  /** Uncached prompt tokens. */
  readonly input_tokens: number;
  /** Prompt tokens read from a cache. */
  readonly read_tokens: number;
  /** Prompt tokens written to one. */
  readonly write_tokens: number;
  /** `read_tokens` of all prompt tokens, in percent; `null` when none were reported. */
  readonly hit_percent: number | null;
  /** Conversations of ten or more such requests. */
  readonly long_conversations: number;
  /** The share read in the first five requests of them; `null` when there are none. */
  readonly first_5_hit_percent: number | null;
  /** The share read in the last five. */
  readonly last_5_hit_percent: number | null;
}

/** The whole report. */
export interface PerfReport {
  /** Hours that are looked at; `null` for all that is kept. */
  readonly hours: number | null;
  /** Start of them, ISO 8601 in UTC. */
  readonly since: string | null;
  /** Requests by how they ended. */
  readonly requests: {
    /** All of them. */
    readonly total: number;
    /** Answered by a model. */
    readonly answered: number;
    /** Answered by an upstream, but not by a model: lists of models, counts of tokens. */
    readonly other: number;
    /** A 5xx status. */
    readonly failed: number;
    /** Another status from 400 on, from upstream. */
    readonly client_errors: number;
    /** The client left first. */
    readonly aborted: number;
    /** Answered from the response cache. */
    readonly cached: number;
    /** Refused here: budget or rate limit. */
    readonly refused: number;
  };
  /** Tokens of requests that a provider took. */
  readonly tokens: TokenFigures;
  /** Models, the most requests first. */
  readonly models: readonly ModelFigures[];
  /** Prompt caches. */
  readonly cache: CacheFigures;
  /** Milliseconds that svc added; like the next two of requests whose answer began upstream. */
  readonly overhead_ms: TimeSpread;
  /** Milliseconds to the first byte. */
  readonly ttfb_ms: TimeSpread;
  /** Milliseconds to the last byte. */
  readonly latency_ms: TimeSpread;
  /** Generated tokens per second between the first byte and the last, of streams that models answered. */
  readonly output_tokens_per_second: Spread;
  /** Requests in the busiest minute. */
  readonly busiest_minute_requests: number;
  /** Conversations. */
  readonly conversations: {
    /** How many. */
    readonly count: number;
    /** Requests of each. */
    readonly requests: Spread;
    /** Tokens of its largest request, as received. */
    readonly tokens: Spread;
  };
  /** How prompts went on from those before them. */
  readonly prefix: {
    /** Requests that were compared with the one before. */
    readonly compared: number;
    /** Those in which the client changed something. */
    readonly client: number;
    /** Those in which svc did: must be 0. */
    readonly ours: number;
  };
  /** Compressors, the greatest saving first. A result counts once, when it is new. */
  readonly compressors: readonly CompressorFigures[];
  /** What was left alone, the most bytes first. */
  readonly left_alone: readonly LeftAloneFigures[];
  /** What to do, where the figures say that something should be done. */
  readonly recommendations: readonly string[];
}

/** `part` of `whole` in percent, two decimals; 0 of nothing. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round(10_000 * part / whole) / 100;
}
