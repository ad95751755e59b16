/** What a text is. @module */

/** Kinds of content; the registry names exactly one compressor for each. */
export type ContentKind =
  | "json"
  | "wrapped"
  | "diff"
  | "numbered"
  | "html"
  | "search_results"
  | "paths"
  | "table"
  | "log"
  | "config"
  | "source_code"
  | "prose"
  | "dense"
  | "mixed";

/** What is known about a text besides its characters. */
export interface ContentHint {
  /** Tool that printed it. */
  readonly toolName?: string;
  /** File that it was read from. */
  readonly path?: string;
}

/** Confidence from 0 (not mine) to 1 (it parsed); linear in `text.length`. */
export type Recognise = (text: string, hint?: ContentHint) => number;

/** Names the kind of a text; `undefined` when no recogniser is confident. */
export interface ContentDetector {
  /** Throws only what a recogniser throws. */
  detect(text: string, hint?: ContentHint): ContentKind | undefined;
}
