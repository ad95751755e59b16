/** What a text is. @module */

/** Kinds of content; the registry names exactly one compressor for each. */
export type ContentKind = "json" | "log" | "search_results" | "diff";

/** Confidence from 0 (not mine) to 1 (it parsed); linear in `text.length`. */
export type Recognise = (text: string, toolName?: string) => number;

/** Names the kind of a text; `undefined` when no recogniser is confident. */
export interface ContentDetector {
  /** Never throws. */
  detect(text: string, toolName?: string): ContentKind | undefined;
}
