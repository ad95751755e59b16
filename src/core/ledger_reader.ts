/** What is read from the ledger: single requests, sums over time, sums by what they have in common. @module */
import type { CacheTurn } from "./cache_outcome.ts";
import type { CostBasis } from "./cost.ts";
import type { PrefixProof, SeenBlock, StageFailure } from "./ledger.ts";

/** A finished request as the ledger keeps it. */
export interface LoggedRequest {
  /** Position in the ledger; rises with time, never given twice. */
  readonly seq: number;
  /** Random, per request. */
  readonly id: string;
  /** Milliseconds since the Unix epoch at which it came. */
  readonly at: number;
  /** Id of the provider format. */
  readonly provider: string;
  /** Label of its destination; empty when it never had one. */
  readonly upstream: string;
  /** As sent upstream; empty when the body did not say. */
  readonly model: string;
  /** See {@linkcode RequestRecord}; `undefined` for the client's own. */
  readonly routedFrom: string | undefined;
  /** See {@linkcode RequestRecord}. */
  readonly schemaTokensSaved: number;
  /** See {@linkcode RequestRecord}. */
  readonly project: string;
  /** See {@linkcode RequestRecord}. */
  readonly stack: string;
  /** See {@linkcode RequestRecord}. */
  readonly agent: string;
  /** See {@linkcode RequestRecord}. */
  readonly conversation: string;
  /** HTTP status relayed to the client; 499 when it left first. */
  readonly status: number;
  /** Whether it was answered from the response cache. */
  readonly cached: boolean;
  /** What refused it here; `undefined` for nothing. */
  readonly refusedBy: "budget" | "rate_limit" | undefined;
  /** See {@linkcode RequestRecord}. */
  readonly errorType: string;
  /** See {@linkcode RequestRecord}. */
  readonly failures: readonly StageFailure[];
  /** Tokens as received, by our counter. */
  readonly tokensBefore: number;
  /** Tokens as sent, by our counter. */
  readonly tokensAfter: number;
  /** Prompt tokens that went upstream: as billed, else as sent. */
  readonly tokensIn: number;
  /** Gross: tokens that compression took away; 0 for a request that failed. */
  readonly tokensRemoved: number;
  /** Net: `tokensRemoved` less what was added. */
  readonly tokensSaved: number;
  /** Generated tokens as billed; `undefined` when nobody said. */
  readonly output: number | undefined;
  /** Uncached prompt tokens as billed. */
  readonly input: number | undefined;
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number | undefined;
  /** Prompt tokens written to it. */
  readonly cacheWrite: number | undefined;
  /** Milliseconds from first byte in to last byte out. */
  readonly latencyMs: number;
  /** Milliseconds to the first byte of the response; `undefined` when none came. */
  readonly ttfbMs: number | undefined;
  /** Milliseconds that this service added. */
  readonly overheadMs: number;
  /** Where the cost comes from; `undefined` for a request that reached no model. */
  readonly costBasis: CostBasis | undefined;
  /** Nano-dollars; `undefined` when unknown. */
  readonly nanoUsd: number | undefined;
  /** Nano-dollars saved at the list price of input; `undefined` when unknown. */
  readonly savedGrossNanoUsd: number | undefined;
  /** Nano-dollars saved, price-weighted and net; `undefined` when unknown. */
  readonly savedNetNanoUsd: number | undefined;
  /** Ids of the compressors and passes whose edits went out. */
  readonly strategies: readonly string[];
  /** Tool results that it met for the first time. */
  readonly blocks: readonly SeenBlock[];
  /** How its bytes go on from the request before. */
  readonly prefix: PrefixProof | undefined;
  /** Requests that were sent besides the first, to go on after a retrieval. */
  readonly furtherRounds: number;
  /** Originals that its model was given back. */
  readonly retrievals: number;
}

/** Which requests are read. */
export interface RequestQuery {
  /** Requests at most. */
  readonly limit: number;
  /** Only those with a greater {@linkcode LoggedRequest.seq}, the oldest first; without it the newest come first. */
  readonly after?: number;
  /** Only those that came at this time or later, milliseconds since the Unix epoch. */
  readonly since?: number;
}

/** Which of the newest requests are listed. */
export interface RequestListQuery {
  /** Requests at most. */
  readonly limit: number;
  /** Only those of this conversation: its whole digest. */
  readonly conversation?: string;
  /** Only those that were refused (4xx), failed (5xx), or had a step that failed; a client that left is no problem. */
  readonly hasProblem?: boolean;
  /** Only those with a smaller {@linkcode LoggedRequest.seq}. */
  readonly before?: number;
}

/** Lists requests. */
export interface RequestLister {
  /** Those that are still kept, the newest first. */
  list(query: RequestListQuery): readonly LoggedRequest[];
}

/** Sums over requests. Money is in nano-dollars, and only that of requests with a price. */
export interface Sums {
  /** Finished requests. */
  readonly requests: number;
  /** Those with a 5xx status. */
  readonly failed: number;
  /** Prompt tokens that went upstream. */
  readonly input: number;
  /** Generated tokens. */
  readonly output: number;
  /** Gross: tokens that compression took away, in requests that a provider took. */
  readonly saved: number;
  /** All that was added in them: the tool's definition, originals that were given back. `saved - added` is what was saved. */
  readonly added: number;
  /** Prompt tokens read from providers' caches. */
  readonly cacheRead: number;
  /** Prompt tokens written to them. */
  readonly cacheWrite: number;
  /** What requests cost. */
  readonly nanoUsd: number;
  /** The tokens of `saved` at the list price of input, as far as they have a price. */
  readonly savedGross: number;
  /** Saved, price-weighted and net. */
  readonly savedNet: number;
  /** Requests with a cost that nobody knows. */
  readonly unpriced: number;
}

/** Length of the steps of a rollup. */
export type Step = "hourly" | "daily" | "weekly" | "monthly";

/** The sums of one step. */
export interface Bucket extends Sums {
  /** Its start, milliseconds since the Unix epoch; hours, days, weeks (from Monday) and months in UTC. */
  readonly start: number;
}

/** What requests can have in common. */
export type Dimension =
  | "provider"
  | "model"
  | "project"
  | "stack"
  | "agent"
  | "kind"
  | "tool";

/**
 * The sums of requests with a name in common. By `kind` (id of the compressor) and by `tool` a request counts once for
 * each that saved in it, and `saved` are the tokens of its forms; the row `(added)` has all of `added`, and no `saved`:
 * so both sum up to the same totals as everywhere. Their other fields are 0.
 */
export interface NamedSums extends Sums {
  /** E.g. a model; empty when unknown. */
  readonly name: string;
}

/** Reads what is kept. Cheap enough for every page view; throws what the database throws. */
export interface LedgerReader {
  /** Requests that are still kept. */
  requests(query: RequestQuery): readonly LoggedRequest[];
  /** One request by its id or by the first characters of it; `undefined` when none or more than one fits. */
  request(id: string): LoggedRequest | undefined;
  /** Sums since the ledger was made. */
  lifetime(): Sums;
  /** Steps in which anything happened, the oldest first. */
  buckets(step: Step): readonly Bucket[];
  /** Sums by name since the ledger was made, or of days (UTC) that began at `since` or later; the greatest saving first. */
  breakdown(by: Dimension, since?: number): readonly NamedSums[];
  /** Requests whose prefix we changed though the client did not, since the ledger was made: must be 0. */
  brokenPrefixes(): number;
  /** What conversations cost that are still kept, since a time (milliseconds since the Unix epoch) or all of them. */
  conversations(since?: number): ConversationSums;
  /** Output of conversations in which shorter answers are asked for, or could be; as `conversations`. */
  answers(since?: number): readonly AnsweredTurns[];
  /** Requests of conversations that a provider answered, each beside the one before; the oldest first. */
  cacheTurns(query: CacheTurnQuery): readonly CacheTurn[];
}

/** Which turns are read. */
export interface CacheTurnQuery {
  /** Turns at most. */
  readonly limit: number;
  /** Only those with a greater {@linkcode CacheTurn.seq}; 0 for all. */
  readonly after: number;
  /** Only those that came at this time or later, milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
}

/** What became of conversations, in nano-dollars. */
export interface ConversationSums {
  /** Conversations with a known price. */
  readonly count: number;
  /** Those that cost more than they would have without this service. */
  readonly dearer: number;
  /** How much more, together. */
  readonly lostNanoUsd: number;
  /** Requests for which another model was asked. */
  readonly routed: number;
  /** What that saved; below zero where it cost more. */
  readonly routeSavedNanoUsd: number;
  /** Requests with breakpoints of the provider's cache that their client did not set. */
  readonly cached: number;
  /** What those saved; below zero where more was written than read. */
  readonly cacheSavedNanoUsd: number;
}

/** What one conversation's turns of one kind said. */
export interface AnsweredTurns {
  /** Names the conversation: its turns are alike, whatever their kind. */
  readonly conversation: string;
  /** Conversations of one stratum can be compared: the same model, the same kind of turn. */
  readonly stratum: string;
  /** Whether shorter answers were asked for; else it was held out. */
  readonly isShaped: boolean;
  /** Turns. */
  readonly turns: number;
  /** Tokens of output in all of them. */
  readonly output: number;
}
