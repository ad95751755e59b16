/** Diffs: every changed line stays; headers, context and bulk files shrink. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { elide } from "./elide.ts";
import { foldNames, unfoldNames } from "./fold.ts";
import { parseDiff } from "./parse.ts";

/** Text that a compressed block carries; such a block is never compressed again. */
const MARKER = /Retrieve more: hash=|<<ccr:/;
/** Tokens that leaving lines out must save over the fold without loss: the marker and what a retrieval costs. */
const MIN_GAIN = 60;
/** Share of the fold below which the gain is clear without counting. */
const CLEAR_SHARE = 0.75;
/** Characters from which that share is more than {@linkcode MIN_GAIN}. */
const CLEAR_CHARS = 2000;

/** Folds repeated file names; leaves out context and the inside of bulk changes where allowed. */
export const diffCompressor: Compressor = {
  id: "diff",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (MARKER.test(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const diff = parseDiff(text);
    if (diff.files.length === 0) {
      return { type: "unchanged", reason: "no_diff" };
    }
    const folded = foldNames(diff);
    if (context.mayElide) {
      const { text: short, omitted } = elide(diff);
      if (omitted.count > 0 && pays(folded ?? text, short, context)) {
        return { type: "elided", text: short, omitted };
      }
    }
    return folded === undefined
      ? { type: "unchanged", reason: "nothing_to_fold" }
      : { type: "reformatted", text: folded };
  },
  restore: unfoldNames,
};

function pays(exact: string, short: string, context: CompressContext): boolean {
  if (short.length >= exact.length) return false;
  if (
    exact.length >= CLEAR_CHARS && short.length < CLEAR_SHARE * exact.length
  ) {
    return true;
  }
  return context.countTokens(exact) - context.countTokens(short) >= MIN_GAIN;
}
