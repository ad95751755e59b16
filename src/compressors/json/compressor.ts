/** JSON tool results: tables instead of repeated keys, then samples of long arrays. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
  Omitted,
} from "../../core/compressor.ts";
import { closeCutOff, type CutOff, withRest } from "./cut_off.ts";
import { CHARS_PER_TOKEN, MIN_ELIDED_TOKENS, MIN_TOKENS } from "./defaults.ts";
import { detailsFor } from "./detail.ts";
import { elide, type Elision } from "./elide.ts";
import { type Folded, foldJson } from "./fold.ts";
import { startsWithBracket } from "./recognise.ts";
import { reformat, Tables } from "./reformat.ts";
import { restoreJson } from "./restore.ts";
import { signalsOf } from "./sample.ts";
import { scanJson } from "./scan.ts";
import type { Tape } from "./tape.ts";

/** Characters above which a text surely has {@linkcode MIN_TOKENS} tokens. */
const SURELY_LARGE = 1_000;
/** A text of this share of the characters of another surely has fewer tokens. */
const SURELY_FEWER = 0.8;
/** Share of the tokens that leaving parts out must come down to. */
const MAX_ELIDED_SHARE = 0.8;
/** Share of the original's tokens above which more is left out. */
const ENOUGH_SHARE = 0.5;
/** Tokens of the marker line and of the retrieval tool that an elided text pays for. */
const MARKER_TOKENS = 50;
/** Characters up to which tokens are counted even where lengths are far apart. */
const ALWAYS_COUNTED = 4_000;
/** Characters above which lengths are compared, not tokens. */
const MAX_COUNTED = 100_000;
/** One of these is in every match of {@linkcode COMPRESSED}, and quicker to find. */
const TRACES = ["ccr", "hash=", " omitted"];
/** Notes and markers of earlier compressions, ours or others'. */
const COMPRESSED =
  /<<ccr:|_ccr_dropped|Retrieve (?:more|original|full diff): hash=|… (?:item|key|line)s? \d[\d-]* of \d+ omitted|… lines? \d[\d-]* omitted|…\(\d+ chars omitted\)…|… omitted: |… \d+ values omitted|… (?:sha\d+|md5|JWT|h1 hash|opaque|\d+ (?:hex digits|base64 characters|× [^\n\]]{1,60})) omitted/;

/** Minifies, writes similar objects as tables and, where allowed, leaves out rows that repeat. */
export const jsonCompressor: Compressor = {
  id: "smart_crusher",
  compress(text, given) {
    if (!startsWithBracket(text)) return unchanged("invalid_json");
    if (isCompressed(text)) return unchanged("already_compressed");
    const context = rememberedIn(given);
    if (isSmall(text, context)) return unchanged("too_small");
    const tape = scanJson(text);
    if (typeof tape !== "string") {
      return compressTape({ text, tape, cut: undefined }, context);
    }
    const cut = tape === "invalid_json" ? closeCutOff(text) : undefined;
    const closed = cut === undefined ? tape : scanJson(cut.closed);
    return typeof closed === "string" || cut === undefined
      ? unchanged(tape)
      : compressTape({ text, tape: closed, cut }, context);
  },
  restore: restoreJson,
};

function isCompressed(text: string): boolean {
  return TRACES.some((trace) => text.includes(trace)) && COMPRESSED.test(text);
}

/** Counts each text and compresses each part once: candidates are compared, and strings written, several times. */
function rememberedIn(context: CompressContext): CompressContext {
  const { countTokens, compressPart } = context;
  return {
    ...context,
    countTokens: remembered(countTokens),
    ...compressPart && {
      compressPart: remembered((text) => compressPart(text)),
    },
  };
}

function remembered<T extends object | number>(
  make: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) known.set(text, made = make(text));
    return made;
  };
}

function unchanged(reason: string): CompressOutcome {
  return { type: "unchanged", reason };
}

function isSmall(text: string, context: CompressContext): boolean {
  if (text.length > SURELY_LARGE) return false;
  return text.length < 2 * MIN_TOKENS ||
    context.countTokens(text) < MIN_TOKENS;
}

/** A text and what is known of it. */
interface Job {
  readonly text: string;
  /** Of the text, or of its complete part. */
  readonly tape: Tape;
  /** Where the text is cut off; `undefined` when it is complete. */
  readonly cut: CutOff | undefined;
}

function compressTape(job: Job, context: CompressContext): CompressOutcome {
  const { text, tape, cut } = job;
  const tables = new Tables(tape);
  const folded = foldJson(cut?.closed ?? text, { tape, tables }, context);
  const form = folded && withCut(folded.text, cut);
  const isFold = form !== undefined && isFewer(form, text, { context });
  const whole = isFold ? form : text;
  if (context.mayElide && whole.length > MIN_ELIDED_TOKENS * CHARS_PER_TOKEN) {
    const elided = elideTape(job, tables, { whole, context });
    if (elided !== undefined) return elided;
  }
  if (isFold) return reformatted(form, folded!);
  return unchanged(
    folded === undefined ? "irregular_layout" : "nothing_to_gain",
  );
}

function withCut(form: string, cut: CutOff | undefined): string {
  return cut === undefined ? form : withRest(form, cut);
}

function reformatted(text: string, { folds }: Folded): CompressOutcome {
  if (folds.length === 0) return { type: "reformatted", text };
  const restore = (form: string) => restoreJson(form, folds);
  return { type: "reformatted", text, restore };
}

/** The text with parts left out, when that is clearly smaller than `whole`; more is left out when little is gained. */
function elideTape(
  { text, tape, cut }: Job,
  tables: Tables,
  { whole, context }: { whole: string; context: CompressContext },
): CompressOutcome | undefined {
  if (tables.chosen === 0) reformat(tape, { tables });
  const shorten = (lines: string) => {
    const part = context.compressPart?.(lines);
    return part === undefined || part.type === "unchanged"
      ? undefined
      : part.text;
  };
  const { query } = context;
  const signals = signalsOf(tape, query);
  const input = { tables, query, shorten, signals };
  const limit = { context, share: MAX_ELIDED_SHARE, extra: MARKER_TOKENS };
  let levels = Infinity;
  let best: Elision | undefined;
  let least = whole;
  for (
    const detail of detailsFor(text.length, signals.digests.nodes.length > 0)
  ) {
    if (detail.depth >= levels && detail.depth < Infinity) continue;
    const elision = elide(tape, { ...input, detail });
    levels = elision.levels;
    const form = withCut(elision.text, cut);
    const pays = elision.items + elision.values + elision.chars > 0 &&
      isFewer(form, least, best === undefined ? limit : { ...limit, extra: 0 });
    if (pays) {
      best = elision;
      least = form;
    }
    const isEnough = isFewer(least, text, { context, share: ENOUGH_SHARE });
    if (isEnough) break;
  }
  return best === undefined
    ? undefined
    : elided({ ...best, text: least }, tape);
}

function elided(elision: Elision, tape: Tape): CompressOutcome {
  const { text, items, ofItems, values, ofValues, chars } = elision;
  if (items < ofItems) {
    return {
      type: "elided",
      text,
      omitted: omittedOf(items, ofItems, "items"),
    };
  }
  const count = items + values;
  const omitted = count > 0
    ? omittedOf(
      count,
      Math.max(count, ofValues),
      items > 0 ? "items" : "values",
    )
    : omittedOf(chars, tape.text.length, "chars");
  return { type: "elided", text, omitted };
}

function omittedOf(count: number, total: number, unit: string): Omitted {
  return { count, total, unit };
}

/** How much fewer tokens a form must have. */
interface Limit {
  readonly context: CompressContext;
  /** Share of the other text's tokens; default all of them. */
  readonly share?: number;
  /** Tokens added to the form's; default none. */
  readonly extra?: number;
}

/** Whether `form` plus `extra` tokens comes to less than `share` of the tokens of `text`. */
function isFewer(
  form: string,
  text: string,
  { context, share = 1, extra = 0 }: Limit,
): boolean {
  const length = form.length + extra * CHARS_PER_TOKEN;
  if (length >= text.length * (share + 0.2)) return false;
  const isLarge = text.length > ALWAYS_COUNTED;
  if (isLarge && length <= text.length * share * SURELY_FEWER) return true;
  if (text.length > MAX_COUNTED) return length < text.length * share;
  return context.countTokens(form) + extra < context.countTokens(text) * share;
}
