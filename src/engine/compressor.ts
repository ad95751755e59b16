/** Compresses a text by its kind: folds it, or keeps what matters and notes the gaps in place. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../core/compressor.ts";
import type { ContentHint, Recognise } from "../core/detector.ts";
import type { Elided, Kind, Located, Rewrite } from "../core/kind.ts";
import { chooseUnits, gapsIn } from "./choose.ts";
import { composeParts } from "./compose.ts";
import { withNotesKept } from "./guard.ts";
import { compressInner } from "./inner.ts";
import { locateAs, type LocatePart } from "./locate.ts";
import { isSealed, notesIn } from "./note.ts";
import {
  isFarShorter,
  isWorthLoss,
  isWorthMarker,
  priceOf,
  pricesAsWritten,
} from "./price.ts";
import { renderUnits } from "./render.ts";

/** No fold gets an elided text of this share of the original. */
const CLEAR_SHARE = 0.3;
/** Where little is lost, no fold of a text of so many UTF-16 units comes near an elided text of this share. */
const LONG = 20_000;
const FAR_SHARE = 0.55;
/** A fold to this share is used at once: it loses nothing. */
const SMALL_SHARE = 0.1;
/** Share of the tokens that a folded text may have, and of the UTF-16 units below which nothing is counted. */
const WORTH_FOLD = 0.98;
const SURE_FOLD = 0.6;
/** Lines that are looked at for repetitions, and UTF-16 units of each. */
const REPEATS = 64;
const WIDTH = 200;

/** A recogniser and the compressor that goes with it. */
export interface KindEntry {
  /** Lines below which a text of no named file is not of the kind; absent for any number. */
  readonly fewestLines: number | undefined;
  /** 1 for a text of the kind, else 0. */
  readonly recognise: Recognise;
  /** The same for a text that no kind claimed. */
  readonly recogniseUnclaimed: Recognise;
  /** Compresses a text that was recognised. */
  readonly compressor: Compressor;
  /** What notes call the lines of a text. */
  readonly locate: (
    text: string,
    hint: ContentHint,
    locatePart: LocatePart,
  ) => Located;
}

/** Makes the recogniser and the compressor of a kind. A text that was recognised is not parsed again. */
export function entryOf<View>(kind: Kind<View>): KindEntry {
  // What is recognised is compressed next. A view follows from its text and path alone.
  let parsed: Parsed<View> | undefined;
  const recognised = (
    view: View | undefined,
    text: string,
    { path }: ContentHint,
  ) => {
    parsed = view === undefined ? undefined : { text, path, view };
    return view === undefined ? 0 : 1;
  };
  return {
    fewestLines: kind.fewestLines,
    recognise: (text, hint = {}) =>
      recognised(kind.parse(text, hint), text, hint),
    recogniseUnclaimed: (text, hint = {}) =>
      recognised(kind.parseUnclaimed?.(text), text, hint),
    compressor: {
      id: kind.id,
      compress(text, context) {
        const { path } = context;
        const known = parsed?.text === text && parsed.path === path
          ? parsed.view
          : undefined;
        parsed = undefined;
        const view = known ??
          kind.parse(text, path === undefined ? {} : { path }) ??
          kind.parseUnclaimed?.(text);
        return view === undefined
          ? unchanged("no_view")
          : compressView(kind, { text, view }, context);
      },
    },
    locate: (text, hint, locatePart) =>
      locateAs(kind, { text, hint }, locatePart),
  };
}

/** A text and what its kind sees in it. */
interface Viewed<View> {
  readonly text: string;
  readonly view: View;
}

/** The text that was recognised last, and the file that it was read from. */
interface Parsed<View> extends Viewed<View> {
  readonly path: string | undefined;
}

function compressView<View>(
  kind: Kind<View>,
  viewed: Viewed<View>,
  context: CompressContext,
): CompressOutcome {
  const { text, view } = viewed;
  if (isSealed(text)) return unchanged("already_compressed");
  if (kind.parts !== undefined) {
    const { keepsRest = false } = kind;
    return composeParts(text, kind.parts(view), { ...context, keepsRest });
  }
  if (kind.inner !== undefined) {
    const fold = kind.fold?.(view, context);
    return compressInner(kind.inner(view, context), { text, fold }, context);
  }
  if (context.isOutline) {
    return written(text, kind.outline?.(view, context), context);
  }
  if (kind.render !== undefined) return rendered(kind, viewed, context);
  return foldedOrElided(kind, viewed, context);
}

/** The fold, unless leaving something out gains enough more. */
function foldedOrElided<View>(
  kind: Kind<View>,
  viewed: Viewed<View>,
  context: CompressContext,
): CompressOutcome {
  const { text, view } = viewed;
  const elided = context.mayElide ? elide(kind, viewed, context) : undefined;
  if (elided !== undefined && beatsFolds(elided.text, text, kind)) {
    return elided;
  }
  const fold = kind.fold?.(view, context);
  // Indentation is nearly free: its characters do not count.
  const isSmall = fold !== undefined &&
    fold.text.length < SMALL_SHARE * text.length &&
    priceOf(fold.text) < SMALL_SHARE * priceOf(text);
  if (isSmall) return { type: "reformatted", ...fold };
  if (elided !== undefined && isFarBelow(elided.text, { text, fold }, kind)) {
    return elided;
  }
  const folded = gaining(fold, text, context);
  const isWorth = kind.leavesOutLittle ? isWorthMarker : isWorthLoss;
  if (
    elided !== undefined &&
    isWorth(elided.text, folded?.text ?? text, context.countTokens)
  ) return elided;
  return folded === undefined
    ? unchanged("nothing_to_fold")
    : { type: "reformatted", ...folded };
}

/** Whether no fold gets an elided text as short; only a text that repeats itself folds to that little. */
function beatsFolds(
  elided: string,
  text: string,
  { leavesOutLittle }: Pick<Kind<unknown>, "leavesOutLittle">,
): boolean {
  if (elided.length < CLEAR_SHARE * text.length && !isRepetitive(text)) {
    return true;
  }
  return leavesOutLittle === true && text.length >= LONG &&
    elided.length < FAR_SHARE * text.length;
}

/** Whether an elided text is so much shorter that it does not matter how many tokens the fold gains. */
function isFarBelow(
  elided: string,
  { text, fold }: { readonly text: string; readonly fold: Rewrite | undefined },
  { leavesOutLittle }: Pick<Kind<unknown>, "leavesOutLittle">,
): boolean {
  if (elided.length < CLEAR_SHARE * text.length) return true;
  return !leavesOutLittle && isFarShorter(elided, text) &&
    isFarShorter(elided, fold?.text ?? text);
}

/** A text that is written anew has no place for the notes of an earlier compression. */
function rendered<View>(
  kind: Kind<View>,
  { text, view }: Viewed<View>,
  context: CompressContext,
): CompressOutcome {
  if (notesIn(text).length > 0) return unchanged("already_compressed");
  const form = context.mayElide ? kind.render?.(view, context) : undefined;
  return written(text, form, context);
}

/** A text that was written anew, where that gains enough. */
function written(
  text: string,
  form: Omit<Elided, "type"> | undefined,
  { countTokens }: CompressContext,
): CompressOutcome {
  return form !== undefined && isWorthLoss(form.text, text, countTokens)
    ? { type: "elided", ...form }
    : unchanged("nothing_to_fold");
}

function elide<View>(
  kind: Kind<View>,
  { text, view }: Viewed<View>,
  context: CompressContext,
): Elided | undefined {
  const own = kind.elide?.(view, context);
  if (own !== undefined) return own;
  const given = kind.units?.(view, context);
  if (given === undefined) return undefined;
  const units = withNotesKept(text, given);
  const prices = pricesAsWritten(text, units);
  const kept = chooseUnits(units, prices);
  const gaps = gapsIn(units, prices, kept);
  if (gaps.length === 0) return undefined;
  const { firstLine = 1, query } = context;
  const said = new Set<number | string>();
  const told = { units, kept, gaps, firstLine, query, said };
  const rendered = renderUnits({
    text,
    units,
    gaps,
    kept,
    unit: kind.unit,
    firstLine,
    label: (gap) => kind.label?.(view, gap, told) ?? "",
    missing: (gap) => kind.missing?.(view, gap, told),
  });
  return {
    type: "elided",
    text: kind.polish?.(rendered.text, view) ?? rendered.text,
    omitted: rendered.omitted,
  };
}

/** Whether many lines of a sample are equal; a line of a short text is taken several times. O(sample). */
function isRepetitive(text: string): boolean {
  const starts: number[] = [];
  const step = Math.max(1, Math.floor(text.length / REPEATS));
  let sampled = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += step) {
    if (at >= start) {
      start = text.indexOf("\n", at) + 1;
      if (start === 0 || text.indexOf("\n", start) < 0) break;
      starts.push(start);
    }
    sampled++;
  }
  if (2 * starts.length <= sampled) return true;
  const seen = new Set<string>();
  for (const from of starts) {
    const end = text.indexOf("\n", from);
    seen.add(text.slice(from, Math.min(end, from + WIDTH)));
    if (2 * seen.size > sampled) return false;
  }
  return true;
}

/** A fold that saves tokens enough for what it costs a reader. */
function gaining(
  folded: Rewrite | undefined,
  text: string,
  { countTokens }: CompressContext,
): Rewrite | undefined {
  if (folded === undefined || folded.text.length < SURE_FOLD * text.length) {
    return folded;
  }
  return countTokens(folded.text) <= WORTH_FOLD * countTokens(text)
    ? folded
    : undefined;
}

function unchanged(reason: string): CompressOutcome {
  return { type: "unchanged", reason };
}
