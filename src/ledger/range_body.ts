/** Body of `GET /stats-range`: what happened between given times. @module */
import { nextTurn } from "../core/next_turn.ts";
import type {
  ActivityReader,
  ConversationQuery,
  DurationBin,
  LoggedConversation,
  Measure,
  ModelActivity,
  TimeSpan,
} from "../core/activity.ts";
import type { Dimension } from "../core/ledger_reader.ts";
import { namedReports, OTHER, UNKNOWN } from "./named_sums.ts";
import {
  addSums,
  isMoneyKnown,
  noSums,
  type RunningSums,
} from "../core/sums.ts";
import { sumsReport, usd } from "./sums.ts";
import type { Shown } from "./withhold.ts";

/** The whole body. */
export type RangeBody = Shown<Awaited<ReturnType<typeof rangeBody>>>;

/** What is asked. */
interface RangeQuery {
  /** Times in milliseconds since the Unix epoch, ascending, at least two. */
  readonly edges: readonly number[];
  /** Which table is added; `undefined` for none. */
  readonly by: Dimension | undefined;
}

/** What the body is made of. */
interface RangeParts {
  /** Reads the ledger. */
  readonly activity: ActivityReader;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Models of an answer that have a name of their own: those that cost most. */
const MAX_MODELS = 8;
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
) {
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
    /** Of this shape. */
    schema_version: 1 as const,
    /** ISO 8601. */
    generated_at: new Date(now).toISOString(),
    /** Sums of all intervals. */
    total: spanSums(all),
    /** One per pair of neighbouring edges, the oldest first; those in which nothing happened too. */
    intervals: read.map((interval) => intervalOf(interval, named)),
    /** Sums by name, of the days (UTC) that begin in the range; only when `by` was asked for, and for trusted callers. */
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

/** What happened between two neighbouring edges. */
export type RangeInterval = RangeBody["intervals"][number];

function intervalOf(
  { span, models, durations }: ReadInterval,
  named: ReadonlySet<string>,
) {
  const of = (measure: Measure) =>
    durationsOf(durations.filter((bin) => bin.measure === measure));
  return {
    /** ISO 8601, UTC. */
    from: new Date(span.from).toISOString(),
    /** ISO 8601, UTC; the first moment that does not belong to it. */
    until: new Date(span.until).toISOString(),
    ...spanSums(models),
    /** From the first byte in to the last byte out. */
    latency: of("latency"),
    /** What svc added. */
    overhead: of("overhead"),
    /** Up to the first byte of the answer. */
    ttfb: of("ttfb"),
    /** By model: at most {@linkcode MAX_MODELS}, and `(other)`; missing for callers that are not trusted. */
    cost_by_model: costByModel(models, named),
  };
}

/** Sums of all requests of a span. */
function spanSums(models: readonly ModelActivity[]) {
  const sums = { ...noSums(), refused: 0 };
  for (const model of models) {
    addSums(sums, model);
    sums.refused += model.refused;
  }
  return {
    ...sumsReport(sums),
    /** Requests with a 4xx status, but for clients that left (499). */
    refused: sums.refused,
  };
}

/** Those that cost most; without a price, those with most requests. */
function namedModels(models: readonly ModelActivity[]): ReadonlySet<string> {
  const sorted = [...costsBy(models, nameOf)].sort(([, a], [, b]) =>
    b.nanoUsd - a.nanoUsd || b.requests - a.requests
  );
  return new Set(sorted.slice(0, MAX_MODELS).map(([name]) => name));
}

/** A request without a cost (one that was only passed on) has no row. */
function costByModel(
  models: readonly ModelActivity[],
  named: ReadonlySet<string>,
) {
  const rows = costsBy(
    models.filter(({ nanoUsd, unpriced }) => nanoUsd !== 0 || unpriced !== 0),
    (model) => named.has(nameOf(model)) ? nameOf(model) : OTHER,
  );
  return Object.fromEntries(
    [...rows].map(([name, row]) => [name, {
      /** Finished requests. */
      requests: row.requests,
      /** What those with a known price cost; `null` where none has one. */
      cost_usd: isMoneyKnown(row) ? usd(row.nanoUsd) : null,
      /** Requests whose cost is unknown. */
      unpriced_requests: row.unpriced,
    }]),
  );
}

function costsBy(
  models: readonly ModelActivity[],
  shown: (model: ModelActivity) => string,
): ReadonlyMap<string, RunningSums> {
  const rows = new Map<string, RunningSums>();
  for (const model of models) {
    const name = shown(model);
    const row = rows.get(name) ?? noSums();
    rows.set(name, row);
    addSums(row, model);
  }
  return rows;
}

function nameOf({ name }: ModelActivity): string {
  return name || UNKNOWN;
}

/** Durations of the requests of a span whose answer began upstream. */
export type SpanDurations = Readonly<ReturnType<typeof durationsOf>>;

function durationsOf(unsorted: readonly DurationBin[]) {
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

/** What the body is made of. */
interface ConversationsParts {
  /** Reads the ledger. */
  readonly activity: Pick<ActivityReader, "conversations">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The whole body. */
export type ConversationsBody = Readonly<ReturnType<typeof conversationsBody>>;

/** Puts one page together. @throws What the database throws. */
export function conversationsBody(
  { activity, now }: ConversationsParts,
  query: ConversationQuery,
) {
  // One more says whether there is another page.
  const found = activity.conversations({ ...query, limit: query.limit + 1 });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    /** Of this shape. */
    schema_version: 1 as const,
    /** ISO 8601. */
    generated_at: new Date(now).toISOString(),
    /** The one with the newest request first. */
    conversations: page.map(conversationReport),
    /** `after` of the next page; `null` on the last one. */
    next: last === undefined || found.length === page.length
      ? null
      : `${last.lastAt}.${last.id}`,
  };
}

/** All requests of a conversation, in the names of the wire. */
export type ConversationReport = Readonly<
  ReturnType<typeof conversationReport>
>;

function conversationReport(conversation: LoggedConversation) {
  const { extended, client, decided, ours } = conversation;
  return {
    /** Digest that names it. */
    conversation: conversation.id,
    /** When its first request came, ISO 8601, UTC. */
    first_at: new Date(conversation.firstAt).toISOString(),
    /** When its newest request came. */
    last_at: new Date(conversation.lastAt).toISOString(),
    /** Of its newest request that has one. */
    model: conversation.model || null,
    /** See `model`. */
    agent: conversation.agent || null,
    /** See `model`. */
    project: conversation.project || null,
    ...sumsReport(conversation),
    /** Requests with a 4xx status, but for clients that left (499). */
    refused: conversation.refused,
    /** Originals that its model was given back. */
    retrievals: conversation.retrievals,
    /** What became of the bytes of the request before. */
    prefix: { extended, client, decided, ours },
  };
}
