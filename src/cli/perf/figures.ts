/** The figures of `svc perf`, in the words of its JSON. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import { percentOf } from "../../core/percent.ts";

/** What takes longer than half a second is felt, in milliseconds. */
export const SLOW_MS = 500;
const MINUTE_MS = 60_000;
/** Milliseconds between first and last byte below which an answer was no stream. */
const STREAM_MS = 100;
/** Status of a request whose client left first. */
const LEFT = 499;
/** Requests at each end of a conversation that are compared. */
const END = 5;
/** Nano-dollars in a dollar. */
const NANO = 1e9;

/** How a request ended; `other`: answered, but not by a model. */
const ENDINGS = [
  ...["answered", "other", "failed", "client_errors"] as const,
  ...["aborted", "cached", "refused"] as const,
];
type Ending = typeof ENDINGS[number];

/** How it ended. */
export function endingOf(
  { status, cached, refusedBy, costBasis }: LoggedRequest,
): Ending {
  if (refusedBy !== undefined) return "refused";
  if (cached) return "cached";
  if (status === LEFT) return "aborted";
  if (status >= 500) return "failed";
  if (status >= 400) return "client_errors";
  return costBasis === undefined ? "other" : "answered";
}

/** Which requests are looked at. */
export interface PerfSpan {
  /** Hours that are looked at; `undefined` for all that is kept. */
  readonly hours: number | undefined;
  /** Start of them, milliseconds since the Unix epoch. */
  readonly since: number | undefined;
}

/** All figures. */
export type Figures = ReturnType<typeof figuresOf>;

/**
 * The figures of requests. What they need of each request stays in memory, its texts do not.
 *
 * @param requests The oldest first.
 * @param asked Times that a model asked for what each compressor left out; `undefined` when nobody knows.
 */
export function figuresOf(
  requests: Iterable<LoggedRequest>,
  { hours, since }: PerfSpan,
  asked: ReadonlyMap<string, number> | undefined,
) {
  const rows = Array.from(requests, rowOf);
  const answered = rows.filter(({ ending }) => ending === "answered");
  const taken = rows.filter(({ isTaken }) => isTaken);
  const talks = byConversation(taken);
  // As in `/stats`: all three of the same requests, or they would not compare.
  const timed = rows.filter(({ ttfbMs }) => ttfbMs !== undefined);
  const compared = rows.map(({ verdict }) => verdict ?? "first")
    .filter((verdict) => verdict !== "first");
  const blocks = rows.flatMap(({ blocks }) => blocks);
  return {
    hours: hours ?? null,
    since: since === undefined ? null : new Date(since).toISOString(),
    requests: {
      total: rows.length,
      ...countsOf(ENDINGS, rows.map(({ ending }) => ending)),
    },
    tokens: tokenFigures(taken),
    models: models(answered),
    cache: cache(taken, talks),
    overhead_ms: timeSpread(timed.map(({ overheadMs }) => overheadMs)),
    ttfb_ms: timeSpread(timed.map(({ ttfbMs = 0 }) => ttfbMs)),
    latency_ms: timeSpread(timed.map(({ latencyMs }) => latencyMs)),
    output_tokens_per_second: spreadOf(timed.flatMap(speedOf)),
    busiest_minute_requests: [
      ...Map.groupBy(rows, ({ at }) => Math.floor(at / MINUTE_MS)).values(),
    ].reduce((most, { length }) => Math.max(most, length), 0),
    conversations: conversationSizes(talks),
    prefix: {
      compared: compared.length,
      ...countsOf(["client", "ours"] as const, compared),
    },
    compressors: compressors(blocks, asked),
    left_alone: leftAlone(blocks),
  };
}

/** How often each of some words is there. */
function countsOf<Word extends string>(
  words: readonly Word[],
  found: readonly string[],
): Record<Word, number> {
  const counts = words.map((word) =>
    [word, found.filter((one) => one === word).length] as const
  );
  return Object.fromEntries(counts) as Record<Word, number>;
}

/** What is kept of a request: results that it did not bring itself count with the request that did. */
function rowOf(request: LoggedRequest) {
  const { at, model, conversation, prefix, tokensBefore, tokensAfter } =
    request;
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = request;
  const { nanoUsd, latencyMs, ttfbMs, overheadMs, blocks } = request;
  const ending = endingOf(request);
  const isReported = [request.input, request.cacheRead, request.cacheWrite]
    .some((tokens) => tokens !== undefined);
  // Nothing is spread: there can be hundreds of thousands.
  return {
    at,
    model,
    conversation,
    tokensBefore,
    tokensAfter,
    isReported,
    input,
    cacheRead,
    cacheWrite,
    output,
    nanoUsd,
    latencyMs,
    ttfbMs,
    overheadMs,
    ending,
    verdict: prefix?.verdict,
    /** Whether a provider took it, so that its tokens count. */
    isTaken: ["answered", "other"].includes(ending) ||
      (ending === "aborted" && isReported),
    blocks: blocks.filter(({ isKnown }) => !isKnown),
  };
}

type Row = ReturnType<typeof rowOf>;

/** Tokens a second of a stream that a model answered. */
function speedOf({ ending, latencyMs, ttfbMs = 0, output }: Row): number[] {
  const streamed = latencyMs - ttfbMs;
  const isStream = streamed >= STREAM_MS && output > 0;
  return ending === "answered" && isStream ? [1000 * output / streamed] : [];
}

/** The models, the most requests first. */
function models(answered: readonly Row[]) {
  const groups = [...Map.groupBy(answered, ({ model }) => model)];
  return groups.map(([model, rows]) => {
    const unpriced = rows.filter(({ nanoUsd }) => nanoUsd === undefined).length;
    return {
      model,
      requests: rows.length,
      ...tokenFigures(rows),
      output_tokens: sum(rows, "output"),
      cost_usd: unpriced === rows.length ? null : sum(rows, "nanoUsd") / NANO,
      unpriced_requests: unpriced,
      latency_p50_ms: spreadOf(rows.map(({ latencyMs }) => latencyMs)).p50,
    };
  }).sort((a, b) => b.requests - a.requests);
}

function byConversation(taken: readonly Row[]): readonly Row[][] {
  const named = taken.filter(({ conversation }) => conversation !== "");
  return [...Map.groupBy(named, (row) => row.conversation).values()];
}

/** What was read from prompt caches; of long conversations, at their start and at their end. */
function cache(taken: readonly Row[], talks: readonly Row[][]) {
  const reported = taken.filter(({ isReported }) => isReported);
  const long = talks
    .map((rows) => rows.filter(({ isReported }) => isReported))
    .filter(({ length }) => length >= 2 * END);
  return {
    requests: reported.length,
    input_tokens: sum(reported, "input"),
    read_tokens: sum(reported, "cacheRead"),
    write_tokens: sum(reported, "cacheWrite"),
    hit_percent: hitPercent(reported),
    long_conversations: long.length,
    first_5_hit_percent: hitPercent(long.flatMap((rows) => rows.slice(0, END))),
    last_5_hit_percent: hitPercent(long.flatMap((rows) => rows.slice(-END))),
  };
}

function hitPercent(rows: readonly Row[]): number | null {
  const read = sum(rows, "cacheRead");
  const prompt = sum(rows, "input") + read + sum(rows, "cacheWrite");
  return prompt === 0 ? null : percentOf(read, prompt);
}

function conversationSizes(talks: readonly Row[][]) {
  return {
    count: talks.length,
    requests: spreadOf(talks.map(({ length }) => length)),
    tokens: spreadOf(
      talks.map((rows) =>
        rows.reduce((most, row) => Math.max(most, row.tokensBefore), 0)
      ),
    ),
  };
}

type Block = LoggedRequest["blocks"][number];

/** The compressors, the greatest saving first. */
function compressors(
  blocks: readonly Block[],
  asked: ReadonlyMap<string, number> | undefined,
) {
  const made = blocks.filter(({ outcome }) => outcome !== "alone");
  const groups = [...Map.groupBy(made, ({ strategy }) => strategy)];
  return groups.map(([strategy, group]) => ({
    strategy,
    results: group.length,
    elided: group.filter(({ outcome }) => outcome === "elided").length,
    ...tokenFigures(group),
    asked_for: asked === undefined ? null : asked.get(strategy) ?? 0,
  })).sort((a, b) => b.tokens_saved - a.tokens_saved);
}

/** What was left alone, the most bytes first; by its key once: only the process that skipped one knows it again. */
function leftAlone(blocks: readonly Block[]) {
  const keys = new Set<unknown>();
  const alone = blocks.filter(({ outcome, key }) =>
    outcome === "alone" &&
    (key === undefined || keys.size < keys.add(key).size)
  );
  return [...Map.groupBy(alone, ({ reason }) => reason)]
    .map(([reason, group]) => ({
      reason,
      results: group.length,
      bytes: sum(group, "bytes"),
    })).sort((a, b) => b.bytes - a.bytes);
}

/** How values are spread; `null` where there are none. */
export type Spread = ReturnType<typeof spreadOf>;

/** The same of milliseconds, with the number of those above 500. */
export type TimeSpread = ReturnType<typeof timeSpread>;

/** Tokens as received and as sent, by our counter. */
export type TokenFigures = ReturnType<typeof tokenFigures>;

/** The spread of some values, to three decimals. Percentiles are values that were met: the nearest rank. */
function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  const at = (share: number) =>
    length === 0 ? null : rounded(sorted[Math.ceil(share * length) - 1]!);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return {
    count: length,
    avg: length === 0 ? null : rounded(total / length),
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

function timeSpread(values: readonly number[]) {
  const over_500_ms = values.filter((value) => value > SLOW_MS).length;
  return { ...spreadOf(values), over_500_ms };
}

/** Tokens before and after, what was saved, and its share in percent. */
function tokenFigures(
  rows: readonly Pick<Block, "tokensBefore" | "tokensAfter">[],
) {
  const before = sum(rows, "tokensBefore");
  const saved = before - sum(rows, "tokensAfter");
  return {
    tokens_before: before,
    tokens_after: before - saved,
    tokens_saved: saved,
    savings_percent: percentOf(saved, before),
  };
}

/** Adds up what is known. */
export function sum<Key extends string>(
  rows: readonly Readonly<Record<Key, number | undefined>>[],
  key: Key,
): number {
  return rows.reduce((total, row) => total + (row[key] ?? 0), 0);
}
