/** One row per content kind; the compiler rejects a missing or a second row. @module */
import type { Compressor } from "../core/compressor.ts";
import { DEDUPE } from "../core/decision.ts";
import type { ContentHint, ContentKind, Recognise } from "../core/detector.ts";
import type { Located } from "../core/kind.ts";
import { entryOf } from "../engine/compressor.ts";
import type { LocatePart } from "../engine/locate.ts";
import { configKind } from "./config/kind.ts";
import { denseKind } from "./dense/kind.ts";
import { makeDetector } from "./detector.ts";
import { diffKind } from "./diff/kind.ts";
import { htmlKind } from "./html/kind.ts";
import { jsonKind } from "./json/kind.ts";
import { logKind } from "./log/kind.ts";
import { mixedKind } from "./mixed/kind.ts";
import { pastedKind } from "./mixed/pasted.ts";
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

/** For users' texts. No recogniser asks: what a user wrote is known from where it stands. */
export const PASTED = entryOf(pastedKind);

/** Texts within texts that are looked into. */
const MAX_DEPTH = 3;
const { detect } = makeDetector(CONTENT);

/**
 * Says what notes call the lines of a text that was compressed.
 *
 * @param strategy Id of the compressor, with those of texts inside behind colons.
 * @returns Nothing where lines are counted from 1 and no files are named. O(text).
 */
export function locateIn(
  text: string,
  strategy: string,
  hint: ContentHint = {},
): Located {
  const [id] = strategy.split(":", 1);
  if (id === PASTED.compressor.id) {
    return PASTED.locate(text, hint, locatedPart(1));
  }
  const kinds = Object.keys(CONTENT) as ContentKind[];
  // References name lines by the numbers before them, whatever kind of text it is.
  const kind = id === DEDUPE
    ? "numbered"
    : kinds.find((one) => CONTENT[one].compressor.id === id);
  return kind === undefined ? {} : located(text, { kind, hint, depth: 0 });
}

/** A text inside others. */
interface Inside {
  readonly kind: ContentKind | undefined;
  readonly hint: ContentHint;
  readonly depth: number;
}

function located(text: string, { kind, hint, depth }: Inside): Located {
  if (kind === undefined || depth > MAX_DEPTH) return {};
  return CONTENT[kind].locate(text, hint, locatedPart(depth + 1));
}

function locatedPart(depth: number): LocatePart {
  return (text, hint) =>
    located(text, { kind: detect(text, hint), hint, depth });
}
