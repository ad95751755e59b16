/** A finished request as programs are shown it, and the texts of its blocks. @module */
import type { SeenBlock, StageFailure } from "./ledger.ts";
import type { LoggedRequest } from "./ledger_reader.ts";
import { percentOf } from "./percent.ts";
import type { CcrStore } from "./store.ts";

/** A finished request, for JSON. What is unknown is `null`. */
export interface RequestFacts {
  /** Random, per request. */
  readonly request_id: string;
  /** Position in the ledger; rises with time. */
  readonly seq: number;
  /** When it came, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** Id of the provider format. */
  readonly provider: string;
  /** Label of its destination. */
  readonly upstream: string | null;
  /** As sent upstream. */
  readonly model: string | null;
  /** The client's model, where a rule asked another one; `null` for the client's own. */
  readonly routed_from: string | null;
  /** Project it belongs to. */
  readonly project: string;
  /** What the client calls its stack. */
  readonly stack: string | null;
  /** Product name of the client's user agent. */
  readonly agent: string | null;
  /** Digest of its conversation. */
  readonly conversation: string | null;
  /** HTTP status relayed to the client; 499 when it left first. */
  readonly status: number;
  /** Whether it was answered from the response cache. */
  readonly cached: boolean;
  /** What refused it here. */
  readonly refused_by: "budget" | "rate_limit" | null;
  /** The provider's word for its error, or ours; `null` when it named none. */
  readonly error_type: string | null;
  /** Steps that failed and were skipped: the request was sent without them. */
  readonly failures: readonly StageFailure[];
  /** Tokens as received, by our counter. */
  readonly tokens_before: number;
  /** Tokens as sent, by our counter. */
  readonly tokens_after: number;
  /** Tokens that compression took away, less those it added; 0 for a request that failed. */
  readonly tokens_saved: number;
  /** Share of `tokens_before` in percent, two decimals. */
  readonly savings_percent: number;
  /** Tokens as the provider billed them. */
  readonly usage: {
    /** Uncached prompt tokens. */
    readonly input: number | null;
    /** Prompt tokens read from the provider's cache. */
    readonly cache_read: number | null;
    /** Prompt tokens written to it. */
    readonly cache_write: number | null;
    /** Generated tokens. */
    readonly output: number | null;
  };
  /** US dollars. */
  readonly cost_usd: number | null;
  /** Where the cost comes from; `null` for a request that reached no model. */
  readonly cost_basis: "measured" | "estimated" | null;
  /** US dollars saved at the list price of input. */
  readonly saved_gross_usd: number | null;
  /** US dollars saved, price-weighted and net. */
  readonly saved_net_usd: number | null;
  /** Milliseconds from first byte in to last byte out. */
  readonly latency_ms: number;
  /** Milliseconds to the first byte of the response. */
  readonly ttfb_ms: number | null;
  /** Milliseconds that this service added. */
  readonly overhead_ms: number;
  /** Ids of the compressors and passes whose edits went out. */
  readonly strategies: readonly string[];
  /** How its bytes go on from the request before. */
  readonly prefix: {
    /** See {@linkcode PrefixProof}. */
    readonly verdict: "first" | "extended" | "client" | "decided" | "ours";
    /** Bytes sent for the request before. */
    readonly previous_bytes: number;
    /** Bytes of them that were sent again unchanged. */
    readonly equal_bytes: number;
    /** JSON Pointer of the first value that differs. */
    readonly first_difference: string | null;
  } | null;
  /** Requests that were sent besides the first, to go on after a retrieval. */
  readonly further_rounds: number;
  /** Originals that its model was given back. */
  readonly retrievals: number;
}

/** A tool result that a request met for the first time, for JSON. What is unknown is `null`. */
export interface BlockFacts {
  /** Its number among those of the request, from 1. */
  readonly number: number;
  /** Index of the message or item that holds it, from 0. */
  readonly message_index: number;
  /** Whether an earlier request brought it as well: it was sent as it was then. */
  readonly is_known: boolean;
  /** Tool that printed it. */
  readonly tool_name: string | null;
  /** What it was taken for. */
  readonly kind: string | null;
  /** What was sent for it. */
  readonly outcome: "elided" | "reformatted" | "alone";
  /** Id of the compressor; `null` when it was left alone. */
  readonly strategy: string | null;
  /** Why it was left alone, a slug; `null` when it was not. */
  readonly reason: string | null;
  /** Bytes of its string literal as received. */
  readonly bytes: number;
  /** Tokens of the original, by our counter. */
  readonly tokens_before: number | null;
  /** Tokens of what was sent. */
  readonly tokens_after: number | null;
  /** Hash by which the original can be retrieved; `null` when nothing was left out. */
  readonly hash: string | null;
}

/** The texts of a block, as far as the store has them. */
export interface BlockTexts {
  /** What was sent for it; `undefined` for one that was left alone, and when it is not kept any more. */
  readonly form: string | undefined;
  /** What was received; `undefined` when it is not kept. */
  readonly original: string | undefined;
  /** `never_kept`: nothing was left out, so that there was no need. `missing`: removed, or never stored here. */
  readonly originalStatus: "kept" | "expired" | "missing" | "never_kept";
}

/** The part of a store that texts are read from. */
export type TextStore = Pick<CcrStore, "forms" | "entry">;

/** The facts of a request without its blocks. */
export function requestFacts(request: LoggedRequest): RequestFacts {
  const { prefix } = request;
  return {
    request_id: request.id,
    seq: request.seq,
    timestamp: new Date(request.at).toISOString(),
    provider: request.provider,
    upstream: request.upstream || null,
    model: request.model || null,
    routed_from: request.routedFrom ?? null,
    project: request.project,
    stack: request.stack || null,
    agent: request.agent || null,
    conversation: request.conversation || null,
    status: request.status,
    cached: request.cached,
    refused_by: request.refusedBy ?? null,
    error_type: request.errorType || null,
    failures: request.failures,
    tokens_before: request.tokensBefore,
    tokens_after: request.tokensAfter,
    tokens_saved: request.tokensSaved,
    savings_percent: percentOf(request.tokensSaved, request.tokensBefore),
    usage: usageFacts(request),
    cost_usd: usdOf(request.nanoUsd),
    cost_basis: request.costBasis ?? null,
    saved_gross_usd: usdOf(request.savedGrossNanoUsd),
    saved_net_usd: usdOf(request.savedNetNanoUsd),
    latency_ms: rounded(request.latencyMs),
    ttfb_ms: request.ttfbMs === undefined ? null : rounded(request.ttfbMs),
    overhead_ms: rounded(request.overheadMs),
    strategies: request.strategies,
    prefix: prefix === undefined ? null : prefixFacts(prefix),
    further_rounds: request.furtherRounds,
    retrievals: request.retrievals,
  };
}

function usageFacts(request: LoggedRequest): RequestFacts["usage"] {
  return {
    input: request.input ?? null,
    cache_read: request.cacheRead ?? null,
    cache_write: request.cacheWrite ?? null,
    output: request.output ?? null,
  };
}

function prefixFacts(
  prefix: NonNullable<LoggedRequest["prefix"]>,
): RequestFacts["prefix"] {
  return {
    verdict: prefix.verdict,
    previous_bytes: prefix.previousBytes,
    equal_bytes: prefix.equalBytes,
    first_difference: prefix.firstDifference || null,
  };
}

/** The facts of a block. @param index Its place among the blocks of the request, from 0. */
export function blockFacts(block: SeenBlock, index: number): BlockFacts {
  return {
    number: index + 1,
    message_index: block.messageIndex,
    is_known: block.isKnown,
    tool_name: block.toolName || null,
    kind: block.kind || null,
    outcome: block.outcome,
    strategy: block.strategy || null,
    reason: block.reason || null,
    bytes: block.bytes,
    tokens_before: block.tokensBefore ?? null,
    tokens_after: block.tokensAfter ?? null,
    hash: block.entry ?? null,
  };
}

/**
 * Reads the texts of a block. That somebody looked counts as no retrieval.
 *
 * @param now Milliseconds since the Unix epoch.
 */
export function blockTexts(
  { key, entry, outcome }: SeenBlock,
  store: TextStore,
  now: number,
): BlockTexts {
  const frozen = key === undefined || outcome === "alone"
    ? undefined
    : store.forms([key]).get(key);
  const form = frozen && textOf(frozen.literal);
  if (entry === undefined) {
    return { form, original: undefined, originalStatus: "never_kept" };
  }
  const found = store.entry(entry, now);
  return "status" in found
    ? { form, original: undefined, originalStatus: found.status }
    : { form, original: found.original, originalStatus: "kept" };
}

function textOf(literal: Uint8Array): string {
  const text: unknown = JSON.parse(new TextDecoder().decode(literal));
  return String(text);
}

/** To a microsecond: beyond it there is only noise of floating point. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function usdOf(nanoUsd: number | undefined): number | null {
  return nanoUsd === undefined ? null : nanoUsd / 1e9;
}
