/** Tables: padding and what all rows share said once; of long ones the telling rows. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { indexLines } from "../../text/lines.ts";
import { type Elided, elideTables } from "./elide.ts";
import { findTables } from "./find.ts";
import { foldTables } from "./fold.ts";
import { unfoldTables } from "./unfold.ts";

/** Tokens of a folded text that is short enough to stay whole. */
const SHORT = 400;
/** Share of the tokens that a folded text may have. */
const WORTH_FOLD = 0.95;
/** UTF-16 units of a text whose tokens are not counted, and the shares of them that decide instead. */
const LARGE = 100_000;
const CLEARLY_SMALLER = 0.2;
const MUCH_SMALLER = 0.9;

/** Writes tables without padding and repetition, or keeps their telling rows and notes the gaps in place. */
export const tabularCompressor: Compressor = {
  id: "tabular",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const isCrlf = hasOnlyCrlf(text);
    const lines = indexLines(isCrlf ? text.replaceAll("\r\n", "\n") : text);
    const tables = findTables(lines, context.path);
    if (tables.length === 0) return { type: "unchanged", reason: "no_table" };
    const elided = context.mayElide
      ? elideTables(lines, tables, context)
      : undefined;
    const whole = elided !== undefined && isCrlf ? withCrlf(elided) : elided;
    if (whole !== undefined && isClearlySmaller(whole.text, text)) {
      return { type: "elided", ...whole };
    }
    const folded = foldTables(lines, tables, isCrlf);
    if (
      whole !== undefined && isWorth(whole.text, folded ?? text, context)
    ) {
      return { type: "elided", ...whole };
    }
    return folded !== undefined && isWorthFold(folded, text, context)
      ? { type: "reformatted", text: folded }
      : { type: "unchanged", reason: "nothing_to_fold" };
  },
  restore: unfoldTables,
};

/** Whether every newline stands behind a carriage return, and nothing else does. */
function hasOnlyCrlf(text: string): boolean {
  if (!text.includes("\r\n")) return false;
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at + 1)) {
    if (text.charCodeAt(at + 1) !== 10) return false;
  }
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (text.charCodeAt(at - 1) !== 13) return false;
  }
  return true;
}

function withCrlf({ text, omitted }: Elided): Elided {
  return { text: text.replaceAll("\n", "\r\n"), omitted };
}

/** Whether a large text gets so much smaller that a fold need not be tried, nor tokens be counted. */
function isClearlySmaller(elided: string, text: string): boolean {
  return text.length > LARGE && elided.length < CLEARLY_SMALLER * text.length;
}

function isWorth(
  elided: string,
  whole: string,
  { countTokens }: CompressContext,
): boolean {
  return countTokens(whole) > SHORT && isWorthLoss(elided, whole, countTokens);
}

/** The pipeline checks the inverse of any text; here that of one small enough to be checked twice. */
function isWorthFold(
  folded: string,
  text: string,
  { countTokens }: CompressContext,
): boolean {
  if (folded.length >= text.length) return false;
  if (text.length > LARGE) return folded.length < MUCH_SMALLER * text.length;
  return countTokens(folded) <= WORTH_FOLD * countTokens(text) &&
    unfoldTables(folded) === text;
}
