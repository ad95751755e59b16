/** Why a text was skipped, in plain words. @module */

/** One row for each slug that the router, the library, a compressor or `svc compress` gives. */
export const REASONS: Readonly<Record<string, string>> = {
  already_compressed: "it holds notes of an earlier compression",
  asked_for: "the model asked twice for what was left out of such results",
  blank_form: "only blanks would be left",
  code_aware_off: "it is source code, and shortening code is switched off",
  empty: "it is empty",
  failed: "compression failed, see the log",
  file_read: "it is a file that may be edited from these bytes",
  folds_off: "lossless rewrites are switched off",
  holds_marker: "it was compressed or retrieved before",
  left_before: "it was skipped in an earlier request",
  never_compressed_tool: "results of this tool are never compressed",
  no_kind: "its kind of text is not recognised",
  no_part_gains: "no part of it can be shortened",
  no_view: "it is not of the kind that it was taken for",
  not_reversible: "its rewrite could not be reversed",
  not_stored: "its original could not be stored",
  not_smaller: "no rewrite of it has fewer tokens",
  nothing_to_fold: "too little in it repeats",
  older_turn: "it is from an earlier turn, before this proxy",
  too_deep: "it is nested too deeply, or its lines are too long",
  too_large: "it is too large for its kind",
  too_small: "too short to gain anything",
  unknown_call: "the tool call that it answers is not in the request",
};

/**
 * Says why a text was skipped.
 *
 * @param reason A slug, or the message of a compressor that failed.
 */
export function reasonText(reason: string): string {
  return Object.hasOwn(REASONS, reason)
    ? REASONS[reason]!
    : `compression failed: ${reason}`;
}
