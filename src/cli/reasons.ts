/** Why a text was left alone, in plain words. @module */

/** One row for each slug that the router, the library, a compressor or `svc compress` gives. */
export const REASONS: Readonly<Record<string, string>> = {
  already_compressed: "it holds notes of an earlier compression",
  blank_form: "nothing but blanks would be left",
  duplicate_keys: "an object in it has the same key twice",
  empty: "it is empty",
  holds_marker: "it holds a retrieval marker, or an example of one",
  invalid_json: "it is not valid JSON",
  irregular_layout: "its JSON has no regular layout",
  never_compressed_tool: "results of this tool are never compressed",
  no_diff: "it holds no complete diff",
  no_kind: "not recognised as JSON, a log, search results or a diff",
  not_reversible: "its shorter form could not be turned back",
  not_smaller: "no form of it has fewer tokens",
  nothing_to_fold: "nothing in it repeats enough",
  nothing_to_gain: "no form of it has fewer tokens",
  too_deep: "its JSON is nested too deeply",
  too_small: "too short to gain anything",
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
