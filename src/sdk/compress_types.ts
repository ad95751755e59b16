/** What is asked of the library, and what it answers. @module */
import type { CompressionHooks } from "./hooks.ts";
import type { MessageFormat } from "./shape.ts";

/** What is done with the messages: compress them, or only report what would become of them. */
export type HeadroomMode = "optimize" | "audit" | "simulate";

/** How to compress. */
export interface CompressOptions {
  /** Model that the messages are for: decides how tokens are counted; default `gpt-4o`. */
  readonly model?: string;
  /** Tokens that the messages should fit into. Reported in the result, never enforced: nothing is dropped. */
  readonly tokenBudget?: number;
  /** Tokens of the model's context that stay free for its answer; default 4096. Reported like `tokenBudget`. */
  readonly outputBufferTokens?: number;
  /** Only forms that can be turned back exactly; default that of the instance. */
  readonly lossless?: boolean;
  /** Messages, counted from the end, whose source code stays whole; default 4. Matters only where `codeAware` is on. */
  readonly protectRecent?: number;
  /** Whether source code stays whole where the user asks to have something looked into; default false. */
  readonly protectAnalysisContext?: boolean;
  /** Tokens below which a text stays as it is, even where it could be made smaller; default 0. */
  readonly minTokensToCompress?: number;
  /** Whether logs, JSON, tables, diffs and the like that users have pasted are shortened too; default true. Their words and code stay. */
  readonly compressUserMessages?: boolean;
  /** What the reader looks for, beside what the user says in the messages. */
  readonly query?: string;
  /** How the messages are written; default: found out from them. */
  readonly format?: MessageFormat;
  /** Name of the conversation, where several begin with the same words; default: that of its first user message. */
  readonly conversation?: string;
  /** `optimize` compresses; `audit` and `simulate` give the messages back as they came, with the figures; default `optimize`. */
  readonly headroomMode?: HeadroomMode;
  /** Told before and after; default those of the instance. */
  readonly hooks?: CompressionHooks;
  /** Aborts the call: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Messages after compression. */
export interface CompressResult<M> {
  /** The messages, each written as it came: one in which nothing changed is the same object. */
  readonly messages: M[];
  /** Tokens of the messages as they came, by svc's counter. */
  readonly tokensBefore: number;
  /** Tokens of `messages`. */
  readonly tokensAfter: number;
  /** `tokensBefore - tokensAfter`. */
  readonly tokensSaved: number;
  /** What is left, as a share of what was there: 1 where nothing was saved, 0.2 where four fifths were. */
  readonly compressionRatio: number;
  /** What was done, each once, in the order of the messages, e.g. `router:log`. */
  readonly transformsApplied: string[];
  /** How often each was done. */
  readonly transformsSummary: Record<string, number>;
  /** Keys of the originals of which something was left out: `retrieve` gives them back. */
  readonly ccrHashes: string[];
  /** False where compression failed and the messages came back as they were. */
  readonly compressed: boolean;
  /** Whether `tokensAfter` is within the `tokenBudget`; absent without one. */
  readonly withinBudget?: boolean;
  /** Tokens that the model takes; absent where that is unknown. */
  readonly contextLimit?: number;
  /** `contextLimit` less what stays free for the answer; absent with it. */
  readonly contextBudget?: number;
  /** Whether `tokensAfter` is within the `contextBudget`; absent with it. */
  readonly withinContext?: boolean;
  /** Why the messages came back as they were; absent where `compressed` is true. */
  readonly reason?: string;
}

/** Compresses messages: in this process, or by asking a proxy. */
export type CompressMessages = <M>(
  messages: readonly M[],
  options?: CompressOptions,
) => Promise<CompressResult<M>>;

/** What compression would do. */
export interface SimulationResult<M> {
  /** Tokens of the messages as they came, by svc's counter. */
  readonly tokensBefore: number;
  /** Tokens that they would have. */
  readonly tokensAfter: number;
  /** `tokensBefore - tokensAfter`. */
  readonly tokensSaved: number;
  /** What would be done, each once, in the order of the messages. */
  readonly transforms: string[];
  /** US dollars that one request would save at the model's price of input; `null` where the price is unknown. */
  readonly estimatedSavings: number | null;
  /** What the messages would become. */
  readonly messagesOptimized: M[];
  /** How many tool results would become what: a transform, or the reason why one stays as it is. */
  readonly blockBreakdown: Record<string, number>;
  /** Tokens of what looks like waste in the messages, by the kind of waste. */
  readonly wasteSignals: Record<string, number>;
  /** Names the beginning of the prompt, for comparing requests: 32 hex digits. */
  readonly stablePrefixHash: string;
  /** From 0 to 1: 1 where nothing in the beginning of the prompt looks as if it changed from request to request, a tenth less for each thing that does. */
  readonly cacheAlignmentScore: number;
}

/** Part of an original; without any, all of it. */
export interface RetrievePart {
  /** Lines, counted from 1: `41-80`, `41` or `41-`. */
  readonly lines?: string;
  /** Words that the wanted lines or rows hold. */
  readonly query?: string;
  /** Place in a JSON document: `items[3].name`, or a JSON Pointer (RFC 6901). */
  readonly path?: string;
}

/** An original, or the part of it that was asked for. */
export interface RetrievedOriginal {
  /** Key of the original. */
  readonly hash: string;
  /** Its text. */
  readonly originalContent: string;
  /** Units in the original, e.g. lines. */
  readonly originalItemCount: number;
  /** Units that its compressed form shows. */
  readonly compressedItemCount: number;
  /** Which part this is, in words; absent when it is the whole. */
  readonly part?: string;
}

/** Why there is nothing to give back. */
export interface NothingRetrieved {
  /** Key that was asked for. */
  readonly hash: string;
  /** What to do about it, for the model. */
  readonly error: string;
  /** `bad_part`: the original is there, but not the part. */
  readonly status: "missing" | "expired" | "bad_part";
  /** Seconds that an original is kept after its last use. */
  readonly ttlSeconds: number;
}

/** An answer of `retrieve`; `success` tells which. */
export type RetrieveResult =
  | ({ readonly success: true } & RetrievedOriginal)
  | ({ readonly success: false } & NothingRetrieved);
