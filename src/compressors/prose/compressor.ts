/** Running text and Markdown: each fact once, without what only elaborates. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { elideProse } from "./elide.ts";
import { foldProse, unfoldProse } from "./fold.ts";

/** Folds repetitions, or keeps what states a fact or an instruction and notes the gaps in place. */
export const proseCompressor: Compressor = {
  id: "text_crusher",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const firstLine = context.firstLine ?? 1;
    const folded = foldProse(text, { firstLine });
    const elided = context.mayElide ? elideProse(text, context) : undefined;
    if (
      elided && isWorthLoss(elided.text, folded ?? text, context.countTokens)
    ) return elided;
    if (folded === undefined) {
      return { type: "unchanged", reason: "nothing_to_fold" };
    }
    return firstLine === 1 ? { type: "reformatted", text: folded } : {
      type: "reformatted",
      text: folded,
      restore: (form) => unfoldProse(form, { firstLine }),
    };
  },
  restore: (form) => unfoldProse(form, { firstLine: 1 }),
};
