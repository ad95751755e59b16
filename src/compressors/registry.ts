/** One row per content kind; the compiler rejects a missing or a second row. @module */
import type { Compressor } from "../core/compressor.ts";
import type { ContentKind, Recognise } from "../core/detector.ts";
import { entryOf } from "../engine/compressor.ts";
import { configKind } from "./config/kind.ts";
import { denseKind } from "./dense/kind.ts";
import { diffKind } from "./diff/kind.ts";
import { htmlKind } from "./html/kind.ts";
import { jsonKind } from "./json/kind.ts";
import { logKind } from "./log/kind.ts";
import { mixedKind } from "./mixed/kind.ts";
import { numberedKind } from "./numbered/kind.ts";
import { pathsKind } from "./paths/kind.ts";
import { proseKind } from "./prose/kind.ts";
import { searchKind } from "./search_results/kind.ts";
import { sourceCodeKind } from "./source_code/kind.ts";
import { tableKind } from "./table/kind.ts";
import { wrappedKind } from "./wrapped/kind.ts";

/** A kind's recogniser and its only compressor. */
export interface ContentEntry {
  /** Asked first. */
  readonly recognise: Recognise;
  /** Used when the recogniser wins. */
  readonly compressor: Compressor;
}

/**
 * Asked in this order; the first confidence of 0.8 or more wins. What can be told for certain comes first;
 * `mixed` takes what nobody else wants as a whole.
 */
export const CONTENT = {
  json: entryOf(jsonKind),
  wrapped: entryOf(wrappedKind),
  diff: entryOf(diffKind),
  numbered: entryOf(numberedKind),
  html: entryOf(htmlKind),
  search_results: entryOf(searchKind),
  paths: entryOf(pathsKind),
  table: entryOf(tableKind),
  log: entryOf(logKind),
  config: entryOf(configKind),
  source_code: entryOf(sourceCodeKind),
  prose: entryOf(proseKind),
  dense: entryOf(denseKind),
  mixed: entryOf(mixedKind),
} as const satisfies Record<ContentKind, ContentEntry>;
