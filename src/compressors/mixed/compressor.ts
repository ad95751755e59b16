/** Several texts in one: each in the form of its own kind, every byte between them as it was. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
  Omitted,
} from "../../core/compressor.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Shorter sections are not asked about, in UTF-16 units. */
const MIN_SECTION = 160;
/** Sections that are asked about; more are the mark of a text that is none of many parts. */
const MAX_ASKED = 400;

/** Compresses the sections of a document, each by its kind. */
export const mixedCompressor: Compressor = {
  id: "mixed",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (context.compressPart === undefined) {
      return { type: "unchanged", reason: "too_deep" };
    }
    const pieces = piecesOf(text, context);
    const composed = compose(text, pieces);
    if (composed.type !== "elided") return composed;
    const lossless = compose(
      text,
      pieces.filter(({ form }) => form.type === "reformatted"),
    );
    if (lossless.type === "unchanged") return composed;
    return isWorthLoss(composed.text, lossless.text, context.countTokens)
      ? composed
      : lossless;
  },
};

/** A section with a smaller form. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly form: Exclude<CompressOutcome, { type: "unchanged" }>;
}

function piecesOf(text: string, context: CompressContext): readonly Piece[] {
  const sections = sectionsOf(text);
  // A section with several texts in it comes back here by itself.
  const parts = sections.length === 1
    ? paragraphsOf(text, sections[0]!)
    : sections.filter(({ kind }) => kind !== "frame");
  return parts
    .filter((part) => endOf(text, part) - part.start >= MIN_SECTION)
    .slice(0, MAX_ASKED)
    .flatMap((part) => pieceOf(text, part, context) ?? []);
}

function pieceOf(
  text: string,
  section: Section,
  context: CompressContext,
): Piece | undefined {
  const { start, language, line } = section;
  const end = endOf(text, section);
  const form = context.compressPart!(text.slice(start, end), {
    firstLine: (context.firstLine ?? 1) + line,
    ...language !== "" && { path: `fence.${language.toLowerCase()}` },
  });
  return form.type === "unchanged" ? undefined : { start, end, form };
}

/** A section without the blank lines at its end: they belong to nobody. */
function endOf(text: string, { start, end }: Section): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) === NEWLINE) at--;
  return at;
}
const NEWLINE = 0x0a;

function compose(text: string, pieces: readonly Piece[]): CompressOutcome {
  if (pieces.length === 0) {
    return { type: "unchanged", reason: "no_part_gains" };
  }
  const out: string[] = [];
  const spans: Span[] = [];
  let length = 0;
  let from = 0;
  const push = (part: string) => {
    out.push(part);
    length += part.length;
  };
  for (const { start, end, form } of pieces) {
    push(text.slice(from, start));
    const at = length;
    push(form.text);
    spans.push({ start: at, end: length, restore: inverseOf(form) });
    from = end;
  }
  push(text.slice(from));
  const elided = pieces.flatMap(({ form }) =>
    form.type === "elided" ? [form.omitted] : []
  );
  const whole = out.join("");
  return elided.length === 0
    ? { type: "reformatted", text: whole, restore: restoreSpans(spans) }
    : { type: "elided", text: whole, omitted: sumOf(elided) };
}

/** Where a form stands in the whole, and its inverse. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly restore: (form: string) => string;
}

function inverseOf(form: Piece["form"]): (form: string) => string {
  const own = form.type === "reformatted" ? form.restore : undefined;
  return own ?? ((part) => part);
}

function restoreSpans(spans: readonly Span[]): (form: string) => string {
  return (form) => {
    let from = 0;
    const parts = spans.map(({ start, end, restore }) => {
      const before = form.slice(from, start);
      from = end;
      return before + restore(form.slice(start, end));
    });
    return parts.join("") + form.slice(from);
  };
}

/** One unit for all: that of the parts where they agree. */
function sumOf(omitted: readonly Omitted[]): Omitted {
  const [first, ...others] = omitted;
  const unit = others.every(({ unit }) => unit === first!.unit)
    ? first!.unit
    : "items";
  return {
    unit,
    count: omitted.reduce((sum, { count }) => sum + count, 0),
    total: omitted.reduce((sum, { total }) => sum + total, 0),
  };
}
