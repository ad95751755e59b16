/** Lists of paths: each directory once, and of large lists the paths that tell something. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { type Elided, elidePaths } from "./elide.ts";
import { foldPaths, type ReadList, readList, unfoldPaths } from "./fold.ts";
import { leastFolded } from "./least_folded.ts";

/** Tokens that leaving paths out must save: the marker costs fifty, and asking for them costs the whole list. */
const LEAST_SAVED = 250;
/** An elided text must be this much smaller than a folded one, which loses nothing. */
const WORTH_LOSS = 0.75;
/** An elided text of less than this share of the folded one's units surely is. */
const CLEAR_SHARE = 0.4;
/** Units of a token of a path, at most. */
const MOST_UNITS = 8;
/** Share of the tokens that the fold must save. */
const LEAST_SHARE = 0.06;
/** Saving this share of the units surely saves tokens. */
const SURE_SHARE = 0.3;

/** Writes each directory once, or keeps the telling paths and notes the gaps in place. */
export const pathsCompressor: Compressor = {
  id: "paths",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const list = readList(text);
    if (list === undefined) {
      return { type: "unchanged", reason: "mixed_line_ends" };
    }
    const elided = context.mayElide
      ? elidePaths(list, {
        query: context.query,
        firstLine: context.firstLine ?? 1,
      })
      : undefined;
    if (elided !== undefined && isClear(elided, list)) {
      return { type: "elided", ...elided };
    }
    const folded = foldPaths(list);
    const paying = folded !== undefined && paysOff(text, folded, context)
      ? folded
      : undefined;
    // What is worth its loss against a folded text is so against the whole one.
    if (elided !== undefined && isWorth(elided, paying ?? text, context)) {
      return { type: "elided", ...elided };
    }
    // A listing with lines doubled or lost can read like another one.
    if (paying !== undefined && unfoldPaths(paying) === text) {
      return { type: "reformatted", text: paying };
    }
    const isLeft = paying !== undefined && elided !== undefined &&
      isWorth(elided, text, context);
    return isLeft
      ? { type: "elided", ...elided }
      : { type: "unchanged", reason: "nothing_to_fold" };
  },
  restore: unfoldPaths,
};

/** Whether it is worth its loss whatever the fold looks like. */
function isClear({ text }: Elided, { rows }: ReadList): boolean {
  const enough = Math.max(
    text.length / CLEAR_SHARE,
    text.length + MOST_UNITS * LEAST_SAVED,
  );
  return leastFolded(rows, enough) >= enough;
}

function paysOff(
  text: string,
  folded: string,
  { countTokens }: CompressContext,
): boolean {
  const share = 1 - folded.length / text.length;
  if (share <= 0 || share >= SURE_SHARE) return share > 0;
  return countTokens(folded) < (1 - LEAST_SHARE) * countTokens(text);
}

function isWorth(
  { text }: Elided,
  instead: string,
  context: CompressContext,
): boolean {
  if (instead.length - text.length < LEAST_SAVED) return false;
  const tokens = context.countTokens(text);
  const other = context.countTokens(instead);
  return tokens < WORTH_LOSS * other && other - tokens >= LEAST_SAVED;
}
