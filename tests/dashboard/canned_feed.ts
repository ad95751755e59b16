/** The feed of the same day: requests of all kinds. @module */
import type {
  FeedAnswer,
  FeedRow,
  InspectedBlock,
  InspectedRequest,
} from "../../dashboard/api.ts";
import { NOW } from "./canned.ts";

/** Place of the request in which svc changed the prefix, in the feed. */
export const BROKEN = 994;

/** A request of the feed, one of all kinds. @param seq Its place; the greater, the newer. */
export function feedRow(seq: number): FeedRow {
  if (seq % 11 === 9) return passedRow(seq);
  // Names and figures may be long: the table has to bear them.
  const isLong = seq % 10 === 3;
  const before = (18_000 + (seq * 7919) % 60_000) * (isLong ? 17 : 1);
  const saved = seq % 6 === 0
    ? -412
    : Math.round(before * ((seq * 37) % 60) / 100);
  const status = seq % 13 === 4 ? 529 : seq % 17 === 5 ? 400 : 200;
  const refused_by = seq % 23 === 7 ? "budget" : null;
  const cached = seq % 19 === 3 && refused_by === null;
  const isTaken = status === 200 && !cached && refused_by === null;
  const isPriced = seq % 29 !== 12;
  return {
    ...rowOf(seq),
    model: !isPriced
      ? "my-unknown-model"
      : isLong
      ? "claude-sonnet-4-5-20250929"
      : seq % 5 === 0
      ? "claude-haiku-4-5"
      : "claude-sonnet-4-5",
    project: isLong ? "a-project-with-a-rather-long-name" : "storefront",
    overhead_ms: isLong ? 1184 : 2.31,
    status,
    cached,
    refused_by,
    error_type: status === 529
      ? "overloaded_error"
      : status === 400
      ? "invalid_request_error"
      : null,
    failures: seq % 31 === 1
      ? [{ stage: "commit_forms", reason: "Error: database is locked" }]
      : [],
    input_tokens_original: before,
    input_tokens_optimized: before - saved,
    tokens_saved: isTaken ? saved : 0,
    savings_percent: isTaken ? Math.round(10_000 * saved / before) / 100 : 0,
    usage: { input: 41, cache_read: 16_000, cache_write: 1800, output: 320 },
    cost_usd: isTaken && isPriced ? 0.01892 : null,
    cost_basis: !isTaken ? null : isPriced ? "measured" : "estimated",
    saved_gross_usd: isTaken && isPriced ? saved * 3e-6 : null,
    saved_net_usd: isTaken && isPriced ? saved * 1.1e-6 : null,
    transforms_applied: seq % 6 === 0
      ? ["retrieve_tool"]
      : seq % 6 === 1
      ? ["log", "wrapped:json", "search_results", "retrieve_tool"]
      : ["log", "json"],
    prefix: {
      verdict: seq === BROKEN ? "ours" : "extended",
      previous_bytes: 181_204,
      equal_bytes: seq === BROKEN ? 61_030 : 181_204,
      first_difference: seq === BROKEN ? "/messages/3/content" : null,
    },
    blocks: 3,
  };
}

/** A request without a conversation. */
function passedRow(seq: number): FeedRow {
  return {
    ...rowOf(seq),
    provider: "passthrough",
    status: seq % 2 === 0 ? 404 : 200,
    conversation: null,
    latency_ms: 120.4,
    ttfb_ms: 119,
    overhead_ms: 0.41,
  };
}

function rowOf(seq: number): FeedRow {
  return {
    request_id: `3f2a91c0-0000-4000-8000-${String(seq).padStart(12, "0")}`,
    seq,
    timestamp: new Date(Date.parse(NOW) - (1000 - seq) * 9000).toISOString(),
    provider: "messages",
    upstream: "api.anthropic.com",
    model: null,
    routed_from: null,
    project: "storefront",
    stack: null,
    agent: "claude-cli",
    conversation: "9f86d081884c7d65",
    status: 200,
    cached: false,
    refused_by: null,
    error_type: null,
    failures: [],
    input_tokens_original: 0,
    input_tokens_optimized: 0,
    tokens_saved: 0,
    savings_percent: 0,
    usage: { input: null, cache_read: null, cache_write: null, output: null },
    cost_usd: null,
    cost_basis: null,
    saved_gross_usd: null,
    saved_net_usd: null,
    latency_ms: 4120.4,
    ttfb_ms: 1240.2,
    overhead_ms: 2.31,
    transforms_applied: [],
    prefix: null,
    further_rounds: 0,
    retrievals: 0,
    blocks: 0,
  };
}

/** What is asked of the feed. */
export interface FeedAsked {
  /** Place of the newest request. */
  readonly newest: number;
  /** Requests at most. */
  readonly rows: number;
  /** Whether only those with a problem are listed. */
  readonly hasProblem: boolean;
}

/** Body of `/transformations/feed`. */
export function feedAnswer(
  { newest, rows, hasProblem }: FeedAsked,
): FeedAnswer {
  const found = Array.from({ length: 200 }, (_, i) => feedRow(newest - i))
    .filter(({ status, failures }) =>
      !hasProblem || status >= 400 || failures.length > 0
    );
  return {
    transformations: found.slice(0, rows),
    log_full_messages: false,
  };
}

const LOG = Array.from(
  { length: 120 },
  (_, i) =>
    i === 77
      ? "FAILED cart_test.ts: expected 3 items, found 2"
      : `ok ${i + 1} catalog_test.ts: lists page ${i + 1} (${i % 9} ms)`,
);

/** A file that was read: nothing became of it. */
const FILE_READ: InspectedBlock = {
  number: 3,
  message_index: 46,
  is_known: false,
  tool_name: "Read",
  kind: "source_code",
  outcome: "alone",
  strategy: null,
  reason: "file_read",
  bytes: 9120,
  tokens_before: null,
  tokens_after: null,
  hash: null,
  form: null,
  form_cut: 0,
  original: null,
  original_cut: 0,
  original_status: "never_kept",
};

const BLOCKS: readonly InspectedBlock[] = [
  {
    ...FILE_READ,
    number: 1,
    message_index: 42,
    is_known: true,
    tool_name: "Bash",
    kind: "log",
    outcome: "elided",
    strategy: "log",
    reason: null,
    bytes: 6120,
    tokens_before: 2410,
    tokens_after: 402,
    hash: "0a1b2c3d4e5f60718293a4b5",
    form: [
      ...LOG.slice(0, 5),
      "[70 lines omitted]",
      ...LOG.slice(75, 80),
      "[30 lines omitted]",
      ...LOG.slice(110),
      "[retrieve the rest by hash 0a1b2c3d4e5f60718293a4b5]",
    ].join("\n"),
    original: LOG.join("\n"),
    original_status: "kept",
  },
  {
    ...FILE_READ,
    number: 2,
    message_index: 44,
    tool_name: "mcp__github__list_issues",
    kind: "json",
    outcome: "reformatted",
    strategy: "json",
    reason: null,
    bytes: 1480,
    tokens_before: 510,
    tokens_after: 300,
    form: "id,title,state\n1,<b>Cart</b> is empty,open\n2,Typo,closed",
  },
  FILE_READ,
];

/** Body of `/transformations/{id}`. */
export function inspected(id: string): InspectedRequest {
  const row = feedRow(Number(id.slice(-12)));
  return {
    ...row,
    tokens_before: row.input_tokens_original,
    tokens_after: row.input_tokens_optimized,
    strategies: row.transforms_applied,
    blocks: BLOCKS,
  };
}
