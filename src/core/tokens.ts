/** Counting tokens. @module */
import type { ByteSpan } from "./block.ts";

/** Counts tokens without a network call. */
export interface TokenCounter {
  /** Name of the encoding that `count` uses for `model`, e.g. `o200k_base`. */
  encodingOf(model: string): string;
  /** Non-negative integer, exact for the named encoding. */
  count(text: string, model: string): number;
}

/** A value of a body whose tokens count. */
export interface CountedSpan extends ByteSpan {
  /** Names the text in it, where something does: saves a digest. */
  readonly id?: string;
}

/** What of a request is counted. */
export interface CountInput {
  /** The body as received. */
  readonly body: Uint8Array;
  /** Values in it: string literals count as the text they stand for, others as they are. */
  readonly spans: readonly CountedSpan[];
  /** Decides the encoding. */
  readonly model: string;
  /** A text beside the body, e.g. the tool definition. */
  readonly extra: string;
}

/** Tokens of one request. */
export interface CountedTokens {
  /** Of the spans. */
  readonly tokens: number;
  /** Of the text beside the body. */
  readonly extraTokens: number;
}

/** Tokens of a request, known better and better. */
export interface BodyCount {
  /** By what is counted so far; the rest is taken from its length. */
  estimate(): CountedTokens;
  /** Whether everything is counted: nothing in {@linkcode BodyCount.estimate} is taken from a length. */
  isExact(): boolean;
  /** Resolves when everything is counted, or the last estimate when it cannot be. */
  readonly done: Promise<CountedTokens>;
}

/** Values of request bodies, one behind the other. */
export interface CountPieces {
  /** The bytes of all values. */
  readonly bytes: Uint8Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
  /** Decides the encoding. */
  readonly model: string;
}
