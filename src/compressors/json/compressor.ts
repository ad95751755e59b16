/** JSON tool results: tables instead of repeated keys, then samples of long arrays. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { CHARS_PER_TOKEN, MIN_TOKENS } from "./defaults.ts";
import { elide, type Elision } from "./elide.ts";
import { headerOf } from "./layout.ts";
import { hasBrackets } from "./recognise.ts";
import { reformat, Tables } from "./reformat.ts";
import { restoreJson } from "./restore.ts";
import { scanJson } from "./scan.ts";
import type { Tape } from "./tape.ts";

/** Characters above which a text surely has {@linkcode MIN_TOKENS} tokens. */
const SURELY_LARGE = 4_000;
/** A text of this share of the characters of another surely has fewer tokens. */
const SURELY_FEWER = 0.8;
/** Share of the tokens that leaving parts out must come down to. */
const MAX_ELIDED_SHARE = 0.8;
/** Tokens of the marker line and of the retrieval tool that an elided text pays for. */
const MARKER_TOKENS = 45;
/** Characters above which lengths are compared, not tokens. */
const MAX_COUNTED = 100_000;
const MARKERS = ["<<ccr:", "_ccr_dropped", "Retrieve more: hash="];

/** Minifies, writes similar objects as tables and, where allowed, leaves out rows that repeat. */
export const jsonCompressor: Compressor = {
  id: "smart_crusher",
  compress(text, context) {
    if (MARKERS.some((marker) => text.includes(marker))) {
      return unchanged("already_compressed");
    }
    if (!hasBrackets(text)) return unchanged("invalid_json");
    if (isSmall(text, context)) return unchanged("too_small");
    const tape = scanJson(text);
    return typeof tape === "string"
      ? unchanged(tape)
      : compressTape(text, tape, context);
  },
  restore: restoreJson,
};

function unchanged(reason: string): CompressOutcome {
  return { type: "unchanged", reason };
}

function isSmall(text: string, context: CompressContext): boolean {
  if (text.length > SURELY_LARGE) return false;
  return text.length < MIN_TOKENS || context.countTokens(text) < MIN_TOKENS;
}

function compressTape(
  text: string,
  tape: Tape,
  context: CompressContext,
): CompressOutcome {
  const tables = new Tables(tape);
  const body = reformat(tape, tables);
  const reformatted = tape.layout === undefined
    ? undefined
    : tape.before + headerOf(tape.layout) + body + tape.after;
  const whole = reformatted !== undefined &&
      isFewer(reformatted, text, 1, 0, context)
    ? reformatted
    : text;
  if (context.mayElide && whole.length > MIN_TOKENS * CHARS_PER_TOKEN) {
    const elision = elide(tape, tables, context.query);
    const pays = elision.items + elision.chars > 0 &&
      isFewer(elision.text, whole, MAX_ELIDED_SHARE, MARKER_TOKENS, context);
    if (pays) return elided(elision, tape);
  }
  if (whole !== text) return { type: "reformatted", text: whole };
  return unchanged(
    reformatted === undefined ? "irregular_layout" : "nothing_to_gain",
  );
}

function elided(
  { text, items, ofItems, chars }: Elision,
  tape: Tape,
): CompressOutcome {
  const omitted = items > 0
    ? { count: items, total: ofItems, unit: "items" }
    : { count: chars, total: tape.text.length, unit: "chars" };
  return { type: "elided", text, omitted };
}

/** Whether `form` plus `extra` tokens comes to less than `share` of the tokens of `text`. */
function isFewer(
  form: string,
  text: string,
  share: number,
  extra: number,
  context: CompressContext,
): boolean {
  const length = form.length + extra * CHARS_PER_TOKEN;
  if (length >= text.length * (share + 0.2)) return false;
  if (length <= text.length * share * SURELY_FEWER) return true;
  if (text.length > MAX_COUNTED) return length < text.length * share;
  return context.countTokens(form) + extra < context.countTokens(text) * share;
}
