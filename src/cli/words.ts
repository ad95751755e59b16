/** Times, sums of money, sizes, names, states and reasons as a reader wants them. @module */
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { moneyText } from "../core/money.ts";
import { percentDigits } from "../core/percent.ts";
import { ruleLabel } from "../core/rule_label.ts";

export { moneyText };

/** Characters of an id that tell requests apart. */
const SHORT_ID = 8;
/** What stands for the provider of a request that was sent on as it came. */
const PASSED_THROUGH = "passthrough";

/** The first characters of an id. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID);
}

/** A number with its thousands apart, e.g. `12,345`. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/** So many of something, e.g. `1 line`, `2 lines`. */
export function manyText(count: number, unit: string): string {
  return `${countText(count)} ${unit}${count === 1 ? "" : "s"}`;
}

/** Day and time on the reader's clock, e.g. `2026-01-31 09:30:05`. */
export function timeText(at: number): string {
  const date = new Date(at);
  const two = (value: number) => `${value}`.padStart(2, "0");
  const day = [
    date.getFullYear(),
    two(date.getMonth() + 1),
    two(date.getDate()),
  ];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two);
  return `${day.join("-")} ${time.join(":")}`;
}

/** A rule, or a kind of text, for people, e.g. `JSON` for `smart_crusher`; an unknown one by its id. */
export function ruleText(id: string): string {
  return nameText(ruleLabel(id));
}

/** Milliseconds; a tenth is shown below 100, e.g. `1.9 ms`, `812 ms`. */
export function msText(ms: number): string {
  return `${
    ms < 100 ? Math.round(ms * 10) / 10 : countText(Math.round(ms))
  } ms`;
}

/** Saved share of what was there before, e.g. `80.2 %`; what was added has a minus. */
export function shareText(saved: number, before: number): string {
  return `${percentDigits(saved, before)} %`;
}

/** The same in words, e.g. `saved 80.2 %`, `added 3.1 %`. */
export function savedText(saved: number, before: number): string {
  const what = saved < 0 ? "added" : "saved";
  return `${what} ${shareText(Math.abs(saved), before)}`;
}

/** The status and what is special about it, e.g. `200 cached`. What `/stats` counts as failed is called so here. */
export function statusText(
  request: Pick<
    LoggedRequest,
    "status" | "cached" | "refusedBy" | "provider"
  >,
): string {
  const { status, cached, refusedBy } = request;
  if (refusedBy !== undefined) {
    return `${status} refused: ${refusedBy.replace("_", " ")}`;
  }
  if (cached) return `${status} cached`;
  if (status === 499) return `${status} aborted`;
  if (status >= 500) return `${status} failed`;
  if (isPassedThrough(request)) return `${status} passed through`;
  return status >= 400 ? `${status} refused upstream` : `${status}`;
}

/** Whether it carried no conversation and was sent on as it came. */
export function isPassedThrough(
  { provider }: Pick<LoggedRequest, "provider">,
): boolean {
  return provider === PASSED_THROUGH;
}

/** What it cost: `~` before an estimate, `?` where nobody knows, `-` where no model was reached. */
export function costText(
  { costBasis, nanoUsd }: Pick<LoggedRequest, "costBasis" | "nanoUsd">,
): string {
  if (costBasis === undefined) return "-";
  if (nanoUsd === undefined) return "?";
  return `${costBasis === "estimated" ? "~" : ""}${moneyText(nanoUsd)}`;
}

const UNITS = ["bytes", "kB", "MB", "GB"] as const;
const AGES = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** Bytes with three significant digits, e.g. `1.23 MB`; a unit is 1,000 of the one before. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** A span of time in its largest unit, rounded down, e.g. `3 min`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [unit, size] = AGES.find(([, size]) => seconds >= size) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** Longest name in a table, in characters. */
const MAX_NAME = 32;

/** A name that a program chose, on one line and without control characters; `-` when it is empty. */
export function nameText(name: string): string {
  const plain = [...name.replace(/\p{C}/gu, "?")];
  if (plain.length === 0) return "-";
  return plain.length <= MAX_NAME
    ? plain.join("")
    : `${plain.slice(0, MAX_NAME - 1).join("")}…`;
}

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
  may_be_edited: "it is data or a page that somebody may want to edit",
  no_kind: "its kind of text is not recognised",
  no_part_gains: "no part of it can be shortened",
  no_view: "it is not of the kind that it was taken for",
  not_reversible: "its rewrite could not be reversed",
  not_stored: "its original could not be stored",
  not_smaller: "no rewrite of it has fewer tokens",
  nothing_to_fold: "too little in it repeats",
  older_turn: "it is from an earlier turn, before this proxy",
  own_words: "it is a user's words, code or settings",
  sent_before: "the user sent it before, and it was skipped then",
  referred_to: "a later result refers to it",
  too_deep: "it is nested too deeply, or its lines are too long",
  too_large: "it is too large for its kind",
  too_small: "too short to gain anything",
  unknown_call: "the tool call that it answers is not in the request",
  user_messages_off: "shortening what users paste is switched off",
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

/** Everything that moves a cursor, turns the direction of writing or is no character; tabs and line feeds stay. */
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Cs}]/gu;
/** What `JSON.stringify` leaves as it is although a terminal obeys it. */
const UNSAFE_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}]/gu;

/** Shows control characters as signs (`␛` for an escape) instead of obeying them; what has no sign becomes `�`. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0)!;
    if (code === 0x7f) return "\u2421";
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** JSON of a value that a terminal can show; programs read the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNSAFE_IN_JSON,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
