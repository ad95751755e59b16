/** A text with texts inside it: each in the form of its own kind, every byte between them as it was. @module */
import type {
  CompressContext,
  CompressOutcome,
  Omitted,
} from "../core/compressor.ts";
import type { Kind, Part } from "../core/kind.ts";
import { isWorthLoss } from "./price.ts";
import { foldRepeats } from "./repeats.ts";

/** Parts that are asked about; more are the mark of a text that is none of many parts. */
const MAX_ASKED = 400;
/** Share of the tokens that a text without such parts may have where its repeated lines are folded. */
const WORTH_FOLD = 0.9;

type Form = Exclude<CompressOutcome, { type: "unchanged" }>;

/** A part with a smaller form. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly form: Form;
}

/** Compresses the parts of a text, each by its own kind, and puts the whole together. */
export function composeParts(
  text: string,
  parts: readonly Part[],
  context: CompressContext & Pick<Kind<unknown>, "keepsRest">,
): CompressOutcome {
  const { compressPart, firstLine = 1 } = context;
  if (compressPart === undefined) return unchanged("too_deep");
  const pieces: Piece[] = [];
  let none = unchanged("no_part_gains");
  for (const part of parts.slice(0, MAX_ASKED)) {
    const { start, end, line, isWhole, around } = part;
    const path = part.path ?? (isWhole ? context.path : undefined);
    const form = compressPart(text.slice(start, end), {
      firstLine: firstLine + line,
      ...path !== undefined && { path },
      ...isWhole !== undefined && { isWhole },
      ...around !== undefined && { around },
    });
    if (form.type !== "unchanged") pieces.push({ start, end, form });
    else if (isWhole) none = unchanged(form.reason);
  }
  if (pieces.length === 0) {
    return worthFold(text, context) ?? none;
  }
  const composed = compose(text, pieces);
  if (composed.type !== "elided") return composed;
  const exact = pieces.filter(({ form }) => form.type === "reformatted");
  if (exact.length === 0) return composed;
  const lossless = compose(text, exact);
  return isWorthLoss(composed.text, lossless.text, context.countTokens)
    ? composed
    : lossless;
}

/** The text with its repeated lines folded, where that gains enough. */
function worthFold(
  text: string,
  { keepsRest, firstLine, countTokens }: Parameters<typeof composeParts>[2],
): Form | undefined {
  const folded = keepsRest ? undefined : foldRepeats(text, firstLine);
  return folded !== undefined &&
      countTokens(folded.text) <= WORTH_FOLD * countTokens(text)
    ? { type: "reformatted", ...folded }
    : undefined;
}

function compose(text: string, pieces: readonly Piece[]): Form {
  const out: string[] = [];
  const spans: Span[] = [];
  const omitted: Omitted[] = [];
  let length = 0;
  let from = 0;
  for (const { start, end, form } of pieces) {
    const before = text.slice(from, start);
    out.push(before, form.text);
    length += before.length;
    const restore = form.type === "reformatted" ? form.restore : undefined;
    spans.push({ start: length, end: length + form.text.length, restore });
    length += form.text.length;
    if (form.type === "elided") omitted.push(form.omitted);
    from = end;
  }
  out.push(text.slice(from));
  const whole = out.join("");
  return omitted.length === 0
    ? { type: "reformatted", text: whole, restore: restoreSpans(spans) }
    : { type: "elided", text: whole, omitted: sumOf(omitted) };
}

/** Where a form is in the whole, and its inverse. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly restore: ((form: string) => string) | undefined;
}

function restoreSpans(spans: readonly Span[]): (form: string) => string {
  return (form) => {
    let from = 0;
    const parts = spans.map(({ start, end, restore }) => {
      const before = form.slice(from, start);
      from = end;
      const part = form.slice(start, end);
      return before + (restore?.(part) ?? part);
    });
    return parts.join("") + form.slice(from);
  };
}

/** One unit for all: that of the parts where they agree. */
function sumOf(omitted: readonly Omitted[]): Omitted {
  const units = new Set(omitted.map(({ unit }) => unit));
  const [unit = "items"] = units.size === 1 ? units : [];
  return {
    unit,
    count: omitted.reduce((sum, { count }) => sum + count, 0),
    total: omitted.reduce((sum, { total }) => sum + total, 0),
  };
}

function unchanged(reason: string): CompressOutcome {
  return { type: "unchanged", reason };
}
