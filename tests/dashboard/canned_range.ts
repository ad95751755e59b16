/** Activity between any times, and conversations, of the same made-up day of work. @module */
import type {
  ConversationReport,
  ConversationsBody,
  RangeBody,
  RangeInterval,
  SpanDurations,
} from "../../dashboard/api.ts";
import { LIFETIME, NO_SUMS, NOW } from "./canned.ts";

const HOUR_MS = 3_600_000;

/** Activity of an hour: it rises and falls, with losses now and then, and a model without a price. */
function hourOf(at: number): RangeInterval {
  const hour = Math.floor(at / HOUR_MS);
  const busy = Math.max(0, Math.sin(hour * 0.61) + Math.sin(hour * 0.23 + 1));
  const requests = Math.round(busy * 9);
  const saved = Math.round(busy * 61_000);
  const cost = busy * 0.24;
  const unpriced = hour % 24 === 10 ? 3 : 0;
  const net = requests === 0 ? 0 : busy * 0.09 - (hour % 11 === 5 ? 0.4 : 0);
  const times = (p50: number): SpanDurations => ({
    requests,
    p50_ms: requests === 0 ? null : p50 * (1 + busy / 3),
    p95_ms: requests === 0 ? null : 3.1 * p50 * (1 + busy / 2),
  });
  return {
    ...NO_SUMS,
    from: "",
    until: "",
    requests,
    refused: hour % 9 === 0 ? Math.min(1, requests) : 0,
    failed: hour % 13 === 0 ? Math.min(1, requests) : 0,
    input_tokens: Math.round(busy * 210_000),
    tokens_saved: saved,
    total_cost_usd: cost,
    compression_savings_usd: net,
    gross_savings_usd: saved * 3e-6,
    unpriced_requests: requests === 0 ? 0 : unpriced,
    latency: times(4120),
    ttfb: times(1240),
    overhead: times(2.3),
    cost_by_model: modelsOf(requests, cost, unpriced),
  };
}

function modelsOf(requests: number, cost: number, unpriced: number) {
  const row = (requests: number, cost_usd: number | null) => ({
    requests,
    cost_usd,
    unpriced_requests: cost_usd === null ? requests : 0,
  });
  return {
    ...requests > 0 && {
      "claude-sonnet-4-5": row(requests, cost * 0.7),
      "gpt-5.2": row(requests, cost * 0.3),
    },
    ...unpriced > 0 && { "my-unknown-model": row(unpriced, null) },
  };
}

/** The hours of a span as one. */
function intervalOf(from: number, until: number): RangeInterval {
  const first = Math.max(from, Date.parse(NOW) - 120 * 24 * HOUR_MS);
  const last = Math.min(until, Date.parse(NOW));
  const hours: RangeInterval[] = [];
  for (let at = first; at < last; at += HOUR_MS) hours.push(hourOf(at));
  const sums = total(hours);
  const { latency, ttfb, overhead } =
    hours.find(({ requests }) => requests > 0) ?? hourOf(0);
  return {
    ...sums,
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    latency,
    ttfb,
    overhead,
    cost_by_model: modelsOf(
      sums.requests,
      sums.total_cost_usd ?? 0,
      sums.unpriced_requests,
    ),
  };
}

type Total = RangeBody["total"];

function total(rows: readonly Total[]): Total {
  const sums = { ...NO_SUMS, refused: 0 };
  for (const key of Object.keys(sums) as (keyof Total)[]) {
    sums[key] = rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);
  }
  return sums;
}

/** Body of `/stats-range`. @param tables What is given for `by`. */
export function rangeAnswer(
  edges: readonly number[],
  by: string | undefined,
): RangeBody {
  const intervals = edges.slice(0, -1).map((from, i) =>
    intervalOf(from, edges[i + 1]!)
  );
  return {
    schema_version: 1,
    generated_at: NOW,
    total: total(intervals),
    intervals,
    ...by === "project" && { by: LIFETIME.projects ?? {} },
  };
}

/** The same of a proxy that nobody used. */
export function unusedRange(edges: readonly number[]): RangeBody {
  const intervals = edges.slice(0, -1).map((from, i): RangeInterval => ({
    ...hourOf(0),
    ...NO_SUMS,
    refused: 0,
    from: new Date(from).toISOString(),
    until: new Date(edges[i + 1]!).toISOString(),
    cost_by_model: {},
  }));
  return {
    schema_version: 1,
    generated_at: NOW,
    total: { ...NO_SUMS, refused: 0 },
    intervals,
  };
}

/** A conversation, one of all kinds. */
function conversationOf(i: number): ConversationReport {
  const isLong = i % 7 === 3;
  const isPriced = i % 6 !== 4;
  const last = Date.parse(NOW) - i * 47 * 60_000;
  return {
    ...NO_SUMS,
    conversation: `${i}`.padStart(8, "c0ffee") + "1d2c3b4a5968778695a4b3c2",
    first_at: new Date(last - 3 * HOUR_MS).toISOString(),
    last_at: new Date(last).toISOString(),
    model: isPriced
      ? isLong ? "claude-sonnet-4-5-20250929" : "claude-sonnet-4-5"
      : "my-unknown-model",
    agent: "claude-cli",
    project: isLong ? "a-project-with-a-rather-long-name" : "storefront",
    requests: 3 + i,
    failed: i % 5 === 2 ? 1 : 0,
    refused: i % 4 === 2 ? 2 : 0,
    input_tokens: 181_204 * (i + 1),
    tokens_saved: i === 5 ? -412 : 40_111 * (i + 1),
    total_cost_usd: isPriced ? 0.4213 * (i + 1) : null,
    compression_savings_usd: isPriced ? 0.1 * (i + 1) : null,
    gross_savings_usd: isPriced ? 0.3 * (i + 1) : null,
    unpriced_requests: isPriced ? 0 : 3 + i,
    retrievals: i % 3,
    prefix: {
      extended: 2 + i,
      client: i % 3 === 1 ? 2 : 0,
      decided: i % 8 === 6 ? 1 : 0,
      ours: i === 9 ? 1 : 0,
    },
  };
}

/** Body of `/stats-conversations`: two pages. */
export function conversationsAnswer(
  after: string | undefined,
): ConversationsBody {
  const first = after === undefined ? 0 : 20;
  return {
    schema_version: 1,
    generated_at: NOW,
    conversations: Array.from(
      { length: 20 },
      (_, i) => conversationOf(first + i),
    ),
    next: after === undefined ? "1.c" : null,
  };
}
