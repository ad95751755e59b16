/** What is read of requests between two times, and of conversations. @module */
import type { Dimension, NamedSums, Sums } from "./ledger_reader.ts";

/** Times in milliseconds since the Unix epoch. */
export interface TimeSpan {
  /** The first one that belongs to it. */
  readonly from: number;
  /** The first one that does not. */
  readonly until: number;
}

/** Sums of the requests of a model. */
export interface ModelActivity extends NamedSums {
  /** Those with a 4xx status, but for clients that left (499); 0 for days whose requests were gone when counting began. */
  readonly refused: number;
}

/** What is measured of a request whose answer began upstream. */
export type Measure = "latency" | "overhead" | "ttfb";

/** Requests with about the same duration. */
export interface DurationBin {
  /** What was measured. */
  readonly measure: Measure;
  /** Milliseconds, at most 9 % off. */
  readonly ms: number;
  /** How many. */
  readonly requests: number;
}

/** All requests of a conversation. */
export interface LoggedConversation extends Sums {
  /** Digest that names it. */
  readonly id: string;
  /** When its first request came, milliseconds since the Unix epoch. */
  readonly firstAt: number;
  /** When its newest request came. */
  readonly lastAt: number;
  /** Of its newest request that has one; empty when none has. */
  readonly model: string;
  /** See `model`. */
  readonly agent: string;
  /** See `model`. */
  readonly project: string;
  /** Requests with a 4xx status, but for clients that left. */
  readonly refused: number;
  /** Originals that its model was given back. */
  readonly retrievals: number;
  /** Requests by what became of the bytes of the one before: see {@linkcode PrefixProof}. */
  readonly extended: number;
  /** See `extended`. */
  readonly client: number;
  /** See `extended`. */
  readonly decided: number;
  /** See `extended`; must be 0. */
  readonly ours: number;
}

/** A place in the list of conversations. */
export type ConversationPlace = Pick<LoggedConversation, "lastAt" | "id">;

/** Which conversations are listed. */
export interface ConversationQuery extends TimeSpan {
  /** Conversations at most. */
  readonly limit: number;
  /** Only those behind this one. */
  readonly after: ConversationPlace | undefined;
}

/** Reads activity. Each read is of a bounded number of rows; throws what the database throws. */
export interface ActivityReader {
  /**
   * Sums by model of a span, in no order. Quarters of an hour belong to the span in which they begin, for 90 days;
   * after that days (UTC), at noon.
   */
  models(span: TimeSpan): readonly ModelActivity[];
  /** Durations of a span by hour, as {@linkcode ActivityReader.models}, each measure from the shortest on. */
  durations(span: TimeSpan): readonly DurationBin[];
  /** Sums by name of the days (UTC) that begin in a span. */
  names(by: Dimension, span: TimeSpan): readonly NamedSums[];
  /** Conversations whose newest request lies in the span, the one with the newest first; kept as long as their requests. */
  conversations(query: ConversationQuery): readonly LoggedConversation[];
}
