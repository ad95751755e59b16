/** Counting requests and tokens. @module */
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

/** One finished request. Built once, at the end, from the values each stage returned. */
export interface RequestRecord {
  /** Id of the provider format; `passthrough` for a route without one. */
  readonly provider: string;
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
  /** Ids of the compressors and passes whose edits went out. */
  readonly strategies: readonly string[];
  /** One slug for every block that was met for the first time and left alone. */
  readonly leftAlone: readonly string[];
  /** Forms in the request. */
  readonly forms: readonly SentForm[];
  /** Requests that were sent for it besides the first, to go on after a retrieval. */
  readonly furtherRounds: number;
  /** Prompt tokens that the provider counted for them, cached ones included. */
  readonly furtherInput: number;
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
