/** What is kept between requests: originals, frozen forms, conversations, answered retrievals. @module */
import type { AnsweredRetrieval } from "./retrieval.ts";

/** First 24 lowercase hex digits of the SHA-256 of the original's UTF-8 bytes. */
export type CcrKey = string & { readonly __ccrKey: never };
/** Digest that identifies one block: tool, call id, part, text. */
export type BlockKey = string & { readonly __blockKey: never };
/** Digest that identifies one conversation: session and agent header, text of the first user message. */
export type ConversationKey = string & { readonly __conversationKey: never };

/** One original, kept so that the model can ask for it back. */
export interface CcrEntry {
  /** Digest of `original`. */
  readonly key: CcrKey;
  /** The text before compression. */
  readonly original: string;
  /** Id of the compressor that elided it. */
  readonly strategy: string;
  /** Tool that produced it; empty when unknown. */
  readonly toolName: string;
  /** Tokens of the original, by our counter. */
  readonly originalTokens: number;
  /** Tokens of the form that stands for it, marker included. */
  readonly formTokens: number;
  /** Units in the original, e.g. lines. */
  readonly originalItems: number;
  /** Units left in the form. */
  readonly keptItems: number;
  /** Milliseconds since the Unix epoch. */
  readonly storedAt: number;
}

/** An original without its text. */
export interface CcrEntrySummary extends Omit<CcrEntry, "original"> {
  /** UTF-8 bytes of the original. */
  readonly bytes: number;
  /** Milliseconds since the Unix epoch: stored, or last sent by a conversation. */
  readonly lastUse: number;
  /** Times that it was asked for. */
  readonly retrievals: number;
}

/** An original, or a part of it, was given back. */
export interface RetrievalEvent {
  /** The original. */
  readonly key: CcrKey;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Who asked: the model inside the proxy, or somebody through another door. */
  readonly via: "proxy" | "http" | "mcp" | "cli" | "library";
  /** What was asked for. */
  readonly part: "full" | "lines" | "query" | "path";
  /** Words that were searched; empty when none. */
  readonly query: string;
  /** Id of the compressor that elided it. */
  readonly strategy: string;
  /** Tool that produced it; empty when unknown. */
  readonly toolName: string;
  /** Units given back. */
  readonly items: number;
  /** Units in the original. */
  readonly totalItems: number;
  /** Tokens given back; an estimate by length when it was a part. */
  readonly tokens: number;
}

/** Results of one tool that one compressor elided: what the model asks for again is not worth eliding. */
export interface AskedShape {
  /** Tool; empty when unknown. */
  readonly toolName: string;
  /** Id of the compressor. */
  readonly strategy: string;
  /** Times that originals of this shape were asked for. */
  readonly count: number;
}

/** Why an original cannot be given back. */
export type CcrMiss =
  | { readonly status: "missing" }
  /** `ageMs`: since its last use. The entry is gone after this answer. */
  | { readonly status: "expired"; readonly ageMs: number };

/** The bytes first sent for a block (law 2), and what is known about them. */
export interface FrozenForm {
  /** JSON string literal, quotes included. */
  readonly literal: Uint8Array;
  /** Id of the compressor. */
  readonly strategy: string;
  /** The original it needs, when elided. */
  readonly entry: CcrKey | undefined;
  /** Definition of the retrieval tool that stood in the same request; `undefined` when none did. */
  readonly definition: string | undefined;
  /** Tokens of the original and of the form, by our counter. */
  readonly tokensBefore: number;
  /** Tokens of the form. */
  readonly tokensAfter: number;
  /** Earlier texts that it refers to: it is used only behind all of them; absent for none. */
  readonly needs?: readonly FormNeed[] | undefined;
}

/** An earlier text that a form refers to. */
export interface FormNeed {
  /** Names the text. */
  readonly text: string;
  /** Results, calls and texts of users between it and the form: as many as when the form was made, so that it is found. */
  readonly gap: number;
}

/** What is remembered about a conversation. */
export interface Conversation {
  /** Definition of the retrieval tool, once declared; the same bytes from then on. */
  readonly definition: string | undefined;
  /** Milliseconds since the Unix epoch of its last request, as far as written. */
  readonly activeAt: number;
  /** Another number whenever its definition, its retrievals or what it asked for have changed, also if it was cleared in between. */
  readonly revision: number;
}

/** One transaction. Every part is optional. */
export interface CcrBatch {
  /** The conversation that writes; its activity is set to `now`, unless it is later already. */
  readonly conversation?: ConversationKey;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Sets the conversation's definition, unless it has one. `null` removes it. */
  readonly definition?: string | null;
  /**
   * Originals; each is linked to the conversation, and lives as long as this store lets it, or longer. An existing
   * key keeps its text and is renewed; one that was kept whole takes what is known of the first that elides it.
   */
  readonly entries?: readonly CcrEntry[];
  /** The provider keeps the conversation, and the client does not send its blocks again: `entries` live as long as forms. */
  readonly keepsState?: boolean;
  /** Originals that the conversation sends and that are there already: linked, and renewed by its activity from now on. */
  readonly uses?: readonly CcrKey[];
  /** Forms; an existing key keeps its row. */
  readonly forms?: ReadonlyMap<BlockKey, FrozenForm>;
  /** Forms that were committed but never sent: their rows go. */
  readonly retract?: readonly BlockKey[];
  /** Forms that were used: their last use is set to `now`. */
  readonly touch?: readonly BlockKey[];
  /** Answered retrievals of the conversation, appended in order; one that it has already is not added again. */
  readonly retrievals?: readonly AnsweredRetrieval[];
  /** Originals that were given back; with `conversation`, by its own model. */
  readonly asked?: readonly RetrievalEvent[];
  /** Response ids: the one that the client saw → the one of the last round. */
  readonly responseIds?: ReadonlyMap<string, string>;
  /**
   * Removes what is kept, before anything else of the batch: `idle` what belongs to no conversation of the last 30
   * minutes, `all` everything.
   */
  readonly clear?: "idle" | "all";
}

/** What a transaction left behind. */
export interface CcrWritten {
  /** What the store now holds for each key of `forms`: another process may have been first. */
  readonly forms: ReadonlyMap<BlockKey, FrozenForm>;
  /** Keys of `forms` whose rows this transaction made. */
  readonly inserted: readonly BlockKey[];
}

/** Counts for the stats routes. */
export interface CcrStats {
  /** Backend in use. */
  readonly backend: "sqlite" | "memory";
  /** Originals held. */
  readonly entries: number;
  /** Sum of their UTF-8 bytes, or an estimate of it. */
  readonly bytes: number;
  /** Bytes that may be held. */
  readonly maxBytes: number;
  /** Tokens of the originals held, by our counter. */
  readonly originalTokens: number;
  /** Tokens of the forms that stand for them. */
  readonly formTokens: number;
  /** Times that an original was given back, by any process, as far as events are kept. */
  readonly retrievals: number;
}

/** Another process was writing: nothing of a batch was written, and it may be tried again. */
export class StoreLocked extends Error {
  override readonly name = "StoreLocked";
}

/** Keeps originals, forms and conversations. Reads are synchronous; writes are one transaction each. */
export interface CcrStore extends AsyncDisposable {
  /** Forms of these blocks, one batch. */
  forms(keys: readonly BlockKey[]): ReadonlyMap<BlockKey, FrozenForm>;
  /** The original, or why it is not there. An entry lives for the TTL of the process that stored it, of several the longest, after the last activity of a conversation linked to it, or after it was stored; an expired one is removed by this look-up. */
  entry(key: CcrKey, now: number): CcrEntry | CcrMiss;
  /** `undefined` when unknown. */
  conversation(key: ConversationKey): Conversation | undefined;
  /** Answered retrievals of a conversation, oldest first. */
  retrievals(key: ConversationKey): readonly AnsweredRetrieval[];
  /** Answered retrievals of any conversation whose {@linkcode AnsweredRetrieval.anchor} holds one of `names`, oldest first. */
  anchored(names: readonly string[]): readonly AnsweredRetrieval[];
  /** Whether {@linkcode CcrStore.anchored} could find anything at all: one row to read. */
  hasAnchors(): boolean;
  /** Whether this original is linked to the conversation: it was sent there, its marker or its text. */
  isLinked(key: ConversationKey, entry: CcrKey): boolean;
  /**
   * What models have asked for: that of this conversation, or one through MCP where the original is one that this
   * conversation sends. What a person looked at does not count.
   */
  asked(key: ConversationKey): readonly AskedShape[];
  /** Originals, the last used first; at most `limit`. */
  entries(limit: number): readonly CcrEntrySummary[];
  /** What was given back, the newest first; at most `limit`. With `key`, of this original only. */
  retrievalEvents(limit: number, key?: CcrKey): readonly RetrievalEvent[];
  /** Times that this original was given back. */
  retrievalCount(key: CcrKey): number;
  /** The last round's id for an id that a client saw; `undefined` when it is not mapped. */
  responseId(seen: string): string | undefined;
  /**
   * Runs one transaction; resolves once it survives `kill -9`.
   *
   * @param when `now`, unless given: at once or not at all. `soon` is for what no request waits for: with what follows
   * within a quarter of a second. `surely`: at once, and with the others while another process is writing.
   * @throws {StoreLocked} If another process was writing for longer than a write waits; with `soon` and `surely` for many seconds.
   * @throws {Error} If it was refused (full, read-only). Nothing of it was written in either case.
   */
  write(
    batch: CcrBatch,
    when?: "now" | "soon" | "surely",
  ): Promise<CcrWritten>;
  /** True while the size bound is reached and nothing may be evicted: no new original can be kept. */
  full(): boolean;
  /** Cheap enough for every scrape. */
  stats(): CcrStats;
}

/** When a batch is written. */
export type WriteTime = NonNullable<Parameters<CcrStore["write"]>[1]>;
