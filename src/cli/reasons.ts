/** Why a text was left alone, in plain words. @module */

/** One row for each slug that the router, the library, a compressor or `svc compress` gives. */
export const REASONS: Readonly<Record<string, string>> = {
  already_compressed: "it holds notes of an earlier compression",
  asked_for: "the model asked twice for what is left out of such results",
  blank_form: "nothing but blanks would be left",
  code_aware_off: "it is source code, which is left alone here",
  does_not_parse: "it is source code with errors in it",
  duplicate_keys: "an object in it has the same key twice",
  empty: "it is empty",
  failed: "compression failed, see the log",
  file_read: "it is a file that may be edited from these bytes",
  folds_off: "forms that lose nothing are switched off",
  holds_marker: "it holds a retrieval marker, or an example of one",
  invalid_json: "it is not valid JSON",
  irregular_layout: "its JSON has no regular layout",
  left_before: "it was left alone in an earlier request",
  mixed_line_ends: "its lines end in different ways",
  needs_elision:
    "only leaving parts out would shorten it, and that is not allowed here",
  never_compressed_tool: "results of this tool are never compressed",
  no_diff: "it holds no complete diff",
  no_grammar: "source code of this language is left alone",
  no_kind: "it is of no kind that can be shortened",
  no_numbers: "its lines carry no numbers",
  no_part_gains: "no part of it can be shortened",
  no_table: "it holds no table with clear columns",
  no_wrapper: "nothing is wrapped in it",
  not_html: "it is markup, but no web page",
  not_reversible: "its shorter form could not be turned back",
  not_stored: "its original could not be kept",
  not_smaller: "no form of it has fewer tokens",
  nothing_to_elide: "nothing in it can be left out",
  nothing_to_fold: "nothing in it repeats enough",
  nothing_to_gain: "no form of it has fewer tokens",
  older_turn: "it came in an earlier turn, before this proxy",
  outline_does_not_parse: "an outline of it would not be valid code",
  too_deep: "it is nested too deeply, or its lines are too long",
  too_large: "it is too large for its kind",
  too_slow: "it would take too long to parse",
  too_small: "too short to gain anything",
  unknown_call: "its tool call is in no request that was seen",
};

/**
 * Says why a text was left alone.
 *
 * @param reason A slug, or the message of a compressor that failed.
 */
export function reasonText(reason: string): string {
  return Object.hasOwn(REASONS, reason)
    ? REASONS[reason]!
    : `compression failed: ${reason}`;
}
