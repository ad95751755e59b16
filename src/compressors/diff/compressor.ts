/** Diffs: every changed line stays; headers, context, bulk and deleted files shrink. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
  Omitted,
} from "../../core/compressor.ts";
import { elide } from "./elide.ts";
import {
  foldGitLines,
  foldNames,
  unfoldGitLines,
  unfoldNames,
} from "./fold.ts";
import { foldPairs, unfoldPairs } from "./pairs.ts";
import { type ParsedDiff, parseDiff } from "./parse.ts";
import { foldSigns, unfoldSigns } from "./signs.ts";
import { elideWordDiff, wordHunks } from "./word_diff.ts";
import { foldWholeFiles, unfoldWholeFiles } from "./whole_file.ts";

/** Text that a compressed block carries, and the note of a diff that was; such a block is never compressed again. */
const MARKER =
  /Retrieve more: hash=|<<ccr:|^(?:@@ .*)?… \d+ context lines?(?:$|:)/m;
/** Lines that the folds would write; where they stand already, only names are folded. */
const OWN_SYNTAX =
  /^(?:diff --git \S+$|(?:new|deleted) file \S+ \(|~)|… [+-] left out of all lines$/m;
/** Characters that both versions of a line must have in common to be written as one. */
const MIN_COMMON = 28;
/** The same where lines are left out: there the words of each version are searched for. */
const MIN_COMMON_ELIDED = 44;
/** Tokens that leaving lines out must save over the fold without loss: the marker and what a retrieval costs. */
const MIN_GAIN = 60;
/** Share of the fold below which the gain is clear without counting. */
const CLEAR_SHARE = 0.75;
/** Characters from which that share is more than {@linkcode MIN_GAIN}. */
const CLEAR_CHARS = 2000;
/** Share of the text itself below which no fold comes near: it leaves every context line. */
const FAR_SHARE = 0.55;
/** Characters from which that is looked at: it saves time, not tokens. */
const FAR_CHARS = 20_000;

/** Folds names, signs and similar lines; leaves out context and the inside of bulk changes and deleted files where allowed. */
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
    const elision = context.mayElide ? elided(diff) : undefined;
    const hasGaps = elision !== undefined && elision.omitted.count > 0;
    // The fold is not worth its time where it cannot come near.
    if (hasGaps && isFarShorter(elision.text, text)) {
      return { type: "elided", ...elision };
    }
    const folded = fold(text, diff);
    if (hasGaps && pays(folded?.text ?? text, elision.text, context)) {
      return { type: "elided", ...elision };
    }
    return folded ?? { type: "unchanged", reason: "nothing_to_fold" };
  },
  restore: (form) => unfoldNames(unfoldLines(form)),
};

function unfoldLines(form: string): string {
  return unfoldGitLines(unfoldPairs(unfoldWholeFiles(unfoldSigns(form))));
}

/** `undefined` when no fold finds anything. */
function fold(
  text: string,
  diff: ParsedDiff,
): CompressOutcome & { readonly type: "reformatted" } | undefined {
  const named = foldNames(diff);
  if (OWN_SYNTAX.test(text)) {
    return named === undefined
      ? undefined
      : { type: "reformatted", text: named, restore: unfoldNames };
  }
  const folded = foldSigns(
    foldWholeFiles(foldPairs(foldGitLines(named ?? text), MIN_COMMON)),
  );
  if (folded === text) return undefined;
  return {
    type: "reformatted",
    text: folded,
    ...named === undefined && { restore: unfoldLines },
  };
}

/** Whether less is left than any fold leaves, and by more than a marker. */
function isFarShorter(short: string, text: string): boolean {
  return text.length >= FAR_CHARS && short.length < FAR_SHARE * text.length;
}

function elided(
  diff: ParsedDiff,
): { readonly text: string; readonly omitted: Omitted } {
  const hunks = wordHunks(diff);
  if (hunks !== undefined) return elideWordDiff(diff, hunks);
  const { text, omitted } = elide(diff);
  if (OWN_SYNTAX.test(text)) return { text, omitted };
  const paired = foldPairs(text, MIN_COMMON_ELIDED);
  return { text: foldWholeFiles(foldGitLines(paired)), omitted };
}

function pays(exact: string, short: string, context: CompressContext): boolean {
  if (short.length >= exact.length) return false;
  if (
    exact.length >= CLEAR_CHARS && short.length < CLEAR_SHARE * exact.length
  ) {
    return true;
  }
  return context.countTokens(exact) - context.countTokens(short) >= MIN_GAIN;
}
