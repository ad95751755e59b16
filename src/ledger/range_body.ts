/** Body of `GET /stats-range`: what happened between given times. @module */
import type {
  ActivityReader,
  DurationBin,
  Measure,
  ModelActivity,
  TimeSpan,
} from "../core/activity.ts";
import type { Dimension } from "../core/ledger_reader.ts";
import { OTHER, UNKNOWN } from "./bounded_table.ts";
import { namedReports } from "./named_sums.ts";
import {
  isMoneyKnown,
  noSums,
  type SumsReport,
  sumsReport,
  usd,
} from "./sums.ts";

/** Sums of all requests of a span. */
export interface SpanSums extends SumsReport {
  /** Requests with a 4xx status, but for clients that left (499). */
  readonly refused: number;
}

/** Durations of the requests of a span whose answer began upstream. */
export interface SpanDurations {
  /** Number of samples. */
  readonly requests: number;
  /** Half of them took at most this, in milliseconds, within 10 %; `null` without a sample. */
  readonly p50_ms: number | null;
  /** 95 % of them. */
  readonly p95_ms: number | null;
}

/** What the requests of a model cost. */
export interface ModelCost {
  /** Finished requests. */
  readonly requests: number;
  /** What those with a known price cost; `null` where none has one. */
  readonly cost_usd: number | null;
  /** Requests whose cost is unknown. */
  readonly unpriced_requests: number;
}

/** What happened between two neighbouring edges. */
export interface RangeInterval extends SpanSums {
  /** ISO 8601, UTC. */
  readonly from: string;
  /** ISO 8601, UTC; the first moment that does not belong to it. */
  readonly until: string;
  /** From the first byte in to the last byte out. */
  readonly latency: SpanDurations;
  /** What svc added. */
  readonly overhead: SpanDurations;
  /** Up to the first byte of the answer. */
  readonly ttfb: SpanDurations;
  /** By model: at most {@linkcode MAX_MODELS}, and `(other)`; missing for callers that are not trusted. */
  readonly cost_by_model?: Readonly<Record<string, ModelCost>>;
}

/** The whole body. */
export interface RangeBody {
  /** Of this shape. */
  readonly schema_version: 1;
  /** ISO 8601. */
  readonly generated_at: string;
  /** Sums of all intervals. */
  readonly total: SpanSums;
  /** One per pair of neighbouring edges, the oldest first; those in which nothing happened too. */
  readonly intervals: readonly RangeInterval[];
  /** Sums by name, of the days (UTC) that begin in the range; only when `by` was asked for, and for trusted callers. */
  readonly by?: Readonly<Record<string, SumsReport>>;
}

/** What is asked. */
export interface RangeQuery {
  /** Times in milliseconds since the Unix epoch, ascending, at least two. */
  readonly edges: readonly number[];
  /** Which table is added; `undefined` for none. */
  readonly by: Dimension | undefined;
}

/** What the body is made of. */
export interface RangeParts {
  /** Reads the ledger. */
  readonly activity: ActivityReader;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Models of an answer that have a name of their own: those that cost most. */
export const MAX_MODELS = 8;
/** A read is of two days at most, in milliseconds: a busy month has tens of thousands of rows. */
const PIECE_MS = 2 * 86_400_000;
/** What is older than this, in milliseconds, has few rows: days, and after three years none. */
const KEPT_MS = 1100 * 86_400_000;
/** Reads in one turn of the event loop. */
const PER_TURN = 4;

/** Puts the body together, in several turns of the event loop. @throws What the database throws. */
export async function rangeBody(
  { activity, now }: RangeParts,
  { edges, by }: RangeQuery,
): Promise<RangeBody> {
  const spans = edges.slice(0, -1).map((from, i) => ({
    from,
    until: edges[i + 1]!,
  }));
  const read: ReadInterval[] = spans.map((span) => ({
    span,
    models: [],
    durations: [],
  }));
  let reads = 0;
  for (const { span, models, durations } of read) {
    for (const piece of piecesOf(span, now)) {
      if (reads++ % PER_TURN === 0) await nextTurn();
      models.push(...activity.models(piece));
      durations.push(...activity.durations(piece));
    }
  }
  await nextTurn();
  const all = read.flatMap(({ models }) => models);
  const named = namedModels(all);
  const whole = { from: edges[0]!, until: edges.at(-1)! };
  return {
    schema_version: 1,
    generated_at: new Date(now).toISOString(),
    total: spanSums(all),
    intervals: read.map((interval) => intervalOf(interval, named)),
    ...by && { by: namedReports(activity.names(by, whole)) },
  };
}

/** An interval as the ledger has it. */
interface ReadInterval {
  readonly span: TimeSpan;
  /** A model may come more than once, as a duration may. */
  readonly models: ModelActivity[];
  readonly durations: DurationBin[];
}

/** Pieces of a span in which there may be rows, the rest as one. */
function piecesOf({ from, until }: TimeSpan, now: number): readonly TimeSpan[] {
  const first = Math.min(Math.max(from, now - KEPT_MS), until);
  const last = Math.max(Math.min(until, now + PIECE_MS), first);
  const pieces: TimeSpan[] = from < first ? [{ from, until: first }] : [];
  for (let at = first; at < last; at += PIECE_MS) {
    pieces.push({ from: at, until: Math.min(at + PIECE_MS, last) });
  }
  if (last < until) pieces.push({ from: last, until });
  return pieces;
}

function intervalOf(
  { span, models, durations }: ReadInterval,
  named: ReadonlySet<string>,
): RangeInterval {
  const of = (measure: Measure) =>
    durationsOf(durations.filter((bin) => bin.measure === measure));
  return {
    from: new Date(span.from).toISOString(),
    until: new Date(span.until).toISOString(),
    ...spanSums(models),
    latency: of("latency"),
    overhead: of("overhead"),
    ttfb: of("ttfb"),
    cost_by_model: costByModel(models, named),
  };
}

function spanSums(models: readonly ModelActivity[]): SpanSums {
  const sums = { ...noSums(), refused: 0 };
  for (const model of models) {
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) {
      sums[key] += model[key];
    }
  }
  return { ...sumsReport(sums), refused: sums.refused };
}

/** Those that cost most; without a price, those with most requests. */
function namedModels(models: readonly ModelActivity[]): ReadonlySet<string> {
  const totals = new Map<string, { nanoUsd: number; requests: number }>();
  for (const { name, nanoUsd, requests } of models) {
    const total = totals.get(nameOf(name)) ?? { nanoUsd: 0, requests: 0 };
    total.nanoUsd += nanoUsd;
    total.requests += requests;
    totals.set(nameOf(name), total);
  }
  const sorted = [...totals].sort(([, a], [, b]) =>
    b.nanoUsd - a.nanoUsd || b.requests - a.requests
  );
  return new Set(sorted.slice(0, MAX_MODELS).map(([name]) => name));
}

/** A request without a cost (one that was only passed on) has no row. */
function costByModel(
  models: readonly ModelActivity[],
  named: ReadonlySet<string>,
): Readonly<Record<string, ModelCost>> {
  const rows = new Map<
    string,
    { requests: number; nanoUsd: number; unpriced: number }
  >();
  for (const { name, requests, nanoUsd, unpriced } of models) {
    if (nanoUsd === 0 && unpriced === 0) continue;
    const shown = named.has(nameOf(name)) ? nameOf(name) : OTHER;
    const row = rows.get(shown) ?? { requests: 0, nanoUsd: 0, unpriced: 0 };
    row.requests += requests;
    row.nanoUsd += nanoUsd;
    row.unpriced += unpriced;
    rows.set(shown, row);
  }
  return Object.fromEntries(
    [...rows].map(([name, row]) => [name, {
      requests: row.requests,
      cost_usd: isMoneyKnown(row) ? usd(row.nanoUsd) : null,
      unpriced_requests: row.unpriced,
    }]),
  );
}

function nameOf(model: string): string {
  return model || UNKNOWN;
}

function durationsOf(unsorted: readonly DurationBin[]): SpanDurations {
  const bins = unsorted.toSorted((a, b) => a.ms - b.ms);
  const requests = bins.reduce((sum, bin) => sum + bin.requests, 0);
  const at = (share: number) => {
    let seen = 0;
    const found = bins.find((bin) =>
      (seen += bin.requests) >= share * requests
    );
    return found === undefined ? null : Math.round(found.ms * 100) / 100;
  };
  return { requests, p50_ms: at(0.5), p95_ms: at(0.95) };
}

/** Between two turns others get theirs. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
