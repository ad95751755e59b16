/** Counting requests and tokens. @module */
import type { CostRecord, SavedTokens } from "./cost.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "./store.ts";
import type { Usage } from "./usage.ts";

/** A form that stands in a request. */
export interface SentForm {
  /** The block that it stands for. */
  readonly key: BlockKey;
  /** The original that it names; `undefined` when nothing was left out. */
  readonly entry: CcrKey | undefined;
  /** Tool whose result it stands for; empty when unknown. */
  readonly toolName: string;
  /** Id of the compressor. */
  readonly strategy: string;
  /** Tokens saved each time it is sent, by our counter. */
  readonly saved: number;
}

/** Why blocks of older turns are decided: the provider has forgotten the prompt, it pays anyway, or the prompt was refused as too long. */
export type OlderReason = "cold_cache" | "pays" | "too_long";

/** One finished request. Built once, at the end, from the values each stage returned. */
export interface RequestRecord {
  /** Random, per request. */
  readonly id: string;
  /** Milliseconds since the Unix epoch at which it came. */
  readonly at: number;
  /** Id of the provider format; `passthrough` for a route without one. */
  readonly provider: string;
  /** {@linkcode Upstream.label} of its destination; empty when it never had one. */
  readonly upstream: string;
  /** As sent upstream; empty when the body did not say. */
  readonly model: string;
  /** HTTP status relayed to the client; 499 when it left first. */
  readonly status: number;
  /** Tokens as received, by our counter. */
  readonly tokensBefore: number;
  /** Tokens as sent, by our counter. */
  readonly tokensAfter: number;
  /** Milliseconds from first byte in to last byte out. */
  readonly latencyMs: number;
  /** Milliseconds of it that this service added. */
  readonly overheadMs: number;
  /** Tokens by the provider's count, summed over all rounds. */
  readonly usage: Usage;
  /** Tokens by the provider's count, summed over the rounds after the first. */
  readonly furtherUsage: Usage;
  /** What compression took away and added. */
  readonly savedTokens: SavedTokens;
  /** What it cost; `undefined` for a request that reached no model. */
  readonly cost: CostRecord | undefined;
  /** Whether it was answered from the response cache. */
  readonly cached: boolean;
  /** What refused it here, before it was sent; `undefined` for nothing. */
  readonly refusedBy: "budget" | "rate_limit" | undefined;
  /** Why blocks of older turns got forms in it; `undefined` when none did. */
  readonly olderDecided: OlderReason | undefined;
  /** Ids of the compressors and passes whose edits went out. */
  readonly strategies: readonly string[];
  /** One slug for every block that was met for the first time and left alone. */
  readonly leftAlone: readonly string[];
  /** Forms in the request. */
  readonly forms: readonly SentForm[];
  /** Requests that were sent for it besides the first, to go on after a retrieval. */
  readonly furtherRounds: number;
  /** Originals that its model was given back. */
  readonly retrieved: readonly RetrievalEvent[];
}

/** Counts requests and tokens. */
export interface StatsLedger<Report> {
  /** Never throws: accounting must not fail a request. */
  record(entry: RequestRecord): void;
  /** Counts an original that was given back through another door. Never throws. */
  retrieved(event: RetrievalEvent): void;
  /** Snapshot; cheap enough for every scrape. */
  report(): Report;
}
