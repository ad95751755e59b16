/** Counting requests and tokens. @module */
import type { ContextBudget } from "./context_budget.ts";
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

/** A tool result that this request brought, behind the last thing its model had said or met for the first time, and what became of it. */
export interface SeenBlock {
  /** Whether an earlier request, of this or of another conversation, brought it as well: it was sent as it was then. */
  readonly isKnown: boolean;
  /** The block; `undefined` for one that cannot be decoded. */
  readonly key: BlockKey | undefined;
  /** The original in the store; `undefined` when nothing was left out. */
  readonly entry: CcrKey | undefined;
  /** Index of the message or item that holds it, from 0. */
  readonly messageIndex: number;
  /** Tool that printed it; empty when unknown. */
  readonly toolName: string;
  /** What it was taken for; empty when nothing claimed it or nobody looked. */
  readonly kind: string;
  /** What is sent for it. */
  readonly outcome: "elided" | "reformatted" | "alone";
  /** Id of the compressor, e.g. `log` or `wrapped:json`; empty when left alone. */
  readonly strategy: string;
  /** Why it was left alone, a slug; empty when it was not. */
  readonly reason: string;
  /** Bytes of its string literal as received. */
  readonly bytes: number;
  /** Tokens of the original, by our counter; `undefined` when nobody counted them: it was left alone at a glance. */
  readonly tokensBefore: number | undefined;
  /** Tokens of what is sent; as `tokensBefore` when it was left alone. */
  readonly tokensAfter: number | undefined;
}

/** How the bytes sent for a conversation go on from those of its request before. */
export interface PrefixProof {
  /**
   * `first`: no request of the conversation to compare with. `extended`: everything sent before was sent again, and
   * only added to. `client`: the client changed something itself. `decided`: older blocks were given forms on purpose
   * ({@linkcode RequestRecord.olderDecided}). `ours`: the client sent the same and we did not: must never happen.
   */
  readonly verdict: "first" | "extended" | "client" | "decided" | "ours";
  /** Bytes of the prompt sent for the request before: its tools, instructions and conversation; 0 for `first`. */
  readonly previousBytes: number;
  /** Bytes of them that were sent again unchanged, up to the first difference. */
  readonly equalBytes: number;
  /** JSON Pointer (RFC 6901) of the first value that differs; empty for `first` and `extended`. */
  readonly firstDifference: string;
}

/** Why blocks of older turns are decided: the provider has forgotten the prompt, it pays anyway, or the prompt was refused as too long. */
export type OlderReason = "cold_cache" | "pays" | "too_long";

/** A step that failed in a request, which was then sent without it. */
export interface StageFailure {
  /** Name of the step, e.g. `compress_block`. */
  readonly stage: string;
  /** What was thrown, on one line. */
  readonly reason: string;
}

/** What a request asks of its answer. */
export interface AnswerShape {
  /** Whether shorter answers are asked for; else the conversation is held out, for comparison. */
  readonly isShaped: boolean;
  /** Whether the user has spoken, or only tools have. */
  readonly turn: "ask" | "results";
}

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
  /** Project it belongs to; `default` when nothing says. */
  readonly project: string;
  /** What the client calls its stack (`x-svc-stack`); empty when it says nothing. */
  readonly stack: string;
  /** Product name of the client's user agent, e.g. `claude-cli`; empty when it has none. */
  readonly agent: string;
  /** Digest of its conversation; empty when it belongs to none. */
  readonly conversation: string;
  /** HTTP status relayed to the client; 499 when it left first. */
  readonly status: number;
  /** Tokens as received, by our counter. */
  readonly tokensBefore: number;
  /** Tokens as sent, by our counter. */
  readonly tokensAfter: number;
  /** Milliseconds from first byte in to last byte out. */
  readonly latencyMs: number;
  /** Milliseconds from first byte in to the first byte of the response; `undefined` when none came. */
  readonly ttfbMs: number | undefined;
  /** Milliseconds of `latencyMs` that this service added before it sent the request. */
  readonly overheadMs: number;
  /** Tokens by the provider's count, summed over all rounds. */
  readonly usage: Usage;
  /** Tokens by the provider's count, summed over the rounds after the first. */
  readonly furtherUsage: Usage;
  /** What compression took away and added. */
  readonly savedTokens: SavedTokens;
  /** Whether shorter answers were asked for; absent where that is switched off. */
  readonly shape?: AnswerShape;
  /** The client's model, where another one was asked; absent for the client's own. */
  readonly routedFrom?: string;
  /** Present where breakpoints of the provider's cache were set that the client did not set. */
  readonly hasOwnBreakpoints?: true;
  /** What its prompt may have; absent where its model's limit is unknown. */
  readonly context?: ContextBudget;
  /** Tokens of tool definitions that were not in the prompt; part of what {@linkcode RequestRecord.savedTokens} says. */
  readonly schemaTokensSaved: number;
  /** What it cost; `undefined` for a request that reached no model. */
  readonly cost: CostRecord | undefined;
  /** Whether it was answered from the response cache. */
  readonly cached: boolean;
  /** What refused it here, before it was sent; `undefined` for nothing. */
  readonly refusedBy: "budget" | "rate_limit" | undefined;
  /** The provider's word for its error, or ours, e.g. `invalid_request_error`; empty when it named none. */
  readonly errorType: string;
  /** Steps that failed in it, and were skipped. */
  readonly failures: readonly StageFailure[];
  /** Why blocks of older turns got forms in it; `undefined` when none did. */
  readonly olderDecided: OlderReason | undefined;
  /** Ids of the compressors and passes whose edits went out. */
  readonly strategies: readonly string[];
  /** One slug for every block that was met for the first time and left alone. */
  readonly leftAlone: readonly string[];
  /** Tool results that it brought, in body order. */
  readonly blocks: readonly SeenBlock[];
  /** How its bytes go on from the request before; `undefined` for one that carries no conversation or was not sent. */
  readonly prefix: PrefixProof | undefined;
  /** Forms in the request. */
  readonly forms: readonly SentForm[];
  /** Requests that were sent for it besides the first, to go on after a retrieval. */
  readonly furtherRounds: number;
  /** Originals that its model was given back. */
  readonly retrieved: readonly RetrievalEvent[];
}
