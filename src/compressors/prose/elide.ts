/** A document with its least telling parts left out. @module */
import type {
  CompressContext,
  CompressOutcome,
} from "../../core/compressor.ts";
import { indexLines } from "../../text/lines.ts";
import { foldAddresses } from "./addresses.ts";
import { languageOf } from "./language.ts";
import { renderGaps } from "./notes.ts";
import { rateUnits } from "./salience.ts";
import { gapsOf } from "./select.ts";
import { unitsOf } from "./units.ts";

/** Shorter texts, in UTF-16 units or in tokens, stay whole. */
const SHORTEST = 400;
const FEW_TOKENS = 320;
/** Tokens of a marker, and of its share in a tool definition. */
const MARKER_TOKENS = 55;
/** Share of the tokens to leave out of a text of so many; it grows by so much when the text is twice as long, up to the largest. */
const SHORT = 400;
const SHORT_SHARE = 0.22;
const MORE = 0.12;
const LONG_SHARE = 0.42;
/** Tokens of a text whose form is counted, to come nearer to the share, and how near is enough. */
const COUNTED = 20_000;
const NEAR = 0.06;
const ROUNDS = 2;

/** A text with gaps. */
export type Elided = Extract<CompressOutcome, { type: "elided" }>;

/** Leaves out about two fifths of a long text and less of a short one; `undefined` where that is not possible. O(text). */
export function elideProse(
  text: string,
  context: CompressContext,
): Elided | undefined {
  const language = text.length < SHORTEST ? "unknown" : languageOf(text);
  if (language === "unknown") return undefined;
  const total = context.countTokens(text);
  if (total < FEW_TOKENS) return undefined;
  const lines = indexLines(text);
  const units = unitsOf(lines);
  const isEnglish = language === "english";
  const rated = rateUnits(lines, units, { query: context.query, isEnglish });
  const estimated = rated.tokens.reduce((sum, each) => sum + each, 0);
  const scale = total / Math.max(1, estimated);
  const salience = {
    ...rated,
    tokens: rated.tokens.map((each) => each * scale),
  };
  const firstLine = context.firstLine ?? 1;
  const wanted = shareOf(total) * total + MARKER_TOKENS;
  let aim = wanted;
  for (let round = 0;; round++) {
    const gaps = gapsOf(salience, aim);
    if (gaps.length === 0) return undefined;
    const rendered = renderGaps(lines, { units, gaps, firstLine });
    const saved = round === ROUNDS || total > COUNTED
      ? wanted
      : total - context.countTokens(rendered.text);
    if (saved > (1 - NEAR) * wanted && saved < (1 + NEAR) * wanted) {
      // A part of a larger text has no place for the line that explains the addresses.
      const folded = firstLine === 1
        ? foldAddresses(rendered.text)
        : rendered.text;
      return { type: "elided", text: folded, omitted: rendered.omitted };
    }
    aim = Math.max(1, aim * wanted / Math.max(1, saved));
  }
}

function shareOf(total: number): number {
  const doublings = Math.max(0, Math.log2(total / SHORT));
  return Math.min(LONG_SHARE, SHORT_SHARE + MORE * doublings);
}
