/** Machine-made text: minified code, dumps, encoded bytes. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { indexLines } from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";
import { elideDense } from "./elide.ts";
import { foldRows, unfoldRows } from "./repeats.ts";

/** Folds equal rows, or keeps the ends of lines and blocks, what the query asks for and messages of errors. */
export const denseCompressor: Compressor = {
  id: "dense",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const folded = foldRows(text);
    if (context.mayElide) {
      const terms = queryTerms(context.query);
      const firstLine = context.firstLine ?? 1;
      const elided = elideDense(indexLines(text), { terms, firstLine });
      if (isWorthLoss(elided.text, folded ?? text, context.countTokens)) {
        return { type: "elided", ...elided };
      }
    }
    return folded === undefined
      ? { type: "unchanged", reason: "nothing_to_fold" }
      : { type: "reformatted", text: folded };
  },
  restore: unfoldRows,
};
