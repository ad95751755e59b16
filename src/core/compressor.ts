/** The contract of everything that shrinks a text. @module */

/** Read-only inputs besides the text. */
export interface CompressContext {
  /** The last user text before the block and the arguments of the call that produced it; empty when none. */
  readonly query: string;
  /** Whether parts may be left out; if not, only a `reformatted` outcome is of use. */
  readonly mayElide: boolean;
  /** Tokens of a text by the counter in force: for choosing between candidate forms. */
  readonly countTokens: (text: string) => number;
  /** File that the text was read from; absent when unknown. */
  readonly path?: string;
  /** Whether an agent edits from the text: every line of it must follow from the form. Absent: no. */
  readonly isEdited?: boolean;
  /** Whether code may be written as an outline of its declarations, and nothing else may be done. Absent: no. */
  readonly isOutline?: boolean;
  /** Number that notes give the text's first line; 1 unless the text stands inside a larger one. */
  readonly firstLine?: number;
  /** Compresses a text that stands inside this one by its own kind. Absent below a bounded depth. */
  readonly compressPart?: (text: string, part?: PartHint) => CompressOutcome;
}

/** What is known about a text inside another. */
export interface PartHint {
  /** Name of a file that would hold such a text, as `fence.py`; decides its language. */
  readonly path?: string;
  /** Number that notes give its first line; default 1. */
  readonly firstLine?: number;
  /** The part is the whole text but for a wrapper around it: it may be shortened as far as the text without one. */
  readonly isWhole?: boolean;
  /** What a user says around it: what a reader looks for in it, and what is to be done with it. */
  readonly around?: string;
}

/** What a compressor did. It never touches the store, the network or the body. */
export type CompressOutcome =
  /** Nothing to gain; `reason` is a stable slug. */
  | { readonly type: "unchanged"; readonly reason: string }
  /** Same information, fewer tokens: allowed under `--lossless`, not stored. */
  | {
    readonly type: "reformatted";
    readonly text: string;
    /** Inverse of this one text, where {@linkcode Compressor.restore} cannot know how its parts were made. */
    readonly restore?: (text: string) => string;
  }
  /** Parts left out, each with a note in place: the pipeline stores the original and adds the marker. */
  | {
    readonly type: "elided";
    readonly text: string;
    readonly omitted: Omitted;
  };

/** How much an `elided` text left out. */
export interface Omitted {
  /** Units left out; at least 1. */
  readonly count: number;
  /** Units in the original. */
  readonly total: number;
  /** One lowercase word in the plural: `lines`, `items`, `matches`. */
  readonly unit: string;
}

/** Shrinks one kind of text. */
export interface Compressor {
  /** Stable slug; written to `compression_strategy` and to the ledger. */
  readonly id: string;
  /**
   * Deterministic, linear in `text.length`. May throw: the pipeline then keeps the original.
   *
   * @param text The whole text of one block, not empty.
   * @param context Relevance and counting.
   */
  compress(text: string, context: CompressContext): CompressOutcome;
  /**
   * Inverse of a `reformatted` text. The pipeline runs it before it uses the text
   * and keeps the original when the result differs (law 4).
   */
  restore?(reformatted: string): string;
}
