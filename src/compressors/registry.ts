/** One row per content kind; the compiler rejects a missing or a second row. @module */
import type { Compressor } from "../core/compressor.ts";
import type { ContentKind, Recognise } from "../core/detector.ts";
import { diffCompressor } from "./diff/compressor.ts";
import { recogniseDiff } from "./diff/recognise.ts";
import { jsonCompressor } from "./json/compressor.ts";
import { recogniseJson } from "./json/recognise.ts";
import { logCompressor } from "./log/compressor.ts";
import { recogniseLog } from "./log/recognise.ts";
import { searchCompressor } from "./search_results/compressor.ts";
import { recogniseSearchResults } from "./search_results/recognise.ts";

/** A kind's recogniser and its only compressor. */
export interface ContentEntry {
  /** Asked first. */
  readonly recognise: Recognise;
  /** Used when the recogniser wins. */
  readonly compressor: Compressor;
}

/** Asked in this order; the first confidence of 0.8 or more wins. */
export const CONTENT = {
  json: { recognise: recogniseJson, compressor: jsonCompressor },
  diff: { recognise: recogniseDiff, compressor: diffCompressor },
  search_results: {
    recognise: recogniseSearchResults,
    compressor: searchCompressor,
  },
  log: { recognise: recogniseLog, compressor: logCompressor },
} as const satisfies Record<ContentKind, ContentEntry>;
