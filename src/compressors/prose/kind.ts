/** Running text and Markdown: each fact once, without what only elaborates, repeats or decorates. @module */
import type { Gap, Kind, Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import { pricesOf, TOKEN } from "../../engine/price.ts";
import { foldProse } from "./fold.ts";
import {
  CODE,
  type Document,
  FENCE,
  HEADING,
  ITEM,
  ROW,
} from "./line_kinds.ts";
import { parseProse } from "./parse.ts";
import { headsOf, type Unit, unitsOf } from "./units.ts";
import { weightsOf } from "./weights.ts";

/** Tokens of a text that stays whole. */
const FEW_TOKENS = 500;
/** Share of the tokens to leave out of a text of so many; it grows by so much when the text is twice as long, up to the largest. */
const SHORT = 400;
const SHORT_SHARE = 0.35;
const MORE = 0.3;
const LONG_SHARE = 0.7;
/** Tokens of a marker, and what notes add to what must be left out. */
const MARKER = 50;
const NOTES = 1.3;

/** What is found out about a document when it is needed. */
interface Prose extends Document {
  units?: readonly Unit[];
}

/** Documents for people. */
export const proseKind: Kind<Prose> = {
  id: "text_crusher",
  unit: "sentences",
  parse: parseProse,
  parseUnclaimed: (text) => parseProse(text, { isUnclaimed: true }),
  fold: ({ lines }, { firstLine = 1 }) => foldProse(lines.text, firstLine),
  units(view, { query }): Units | undefined {
    const { lines } = view;
    if (!isKnownScript(lines.text)) return undefined;
    const units = view.units ??= unitsOf(view);
    const starts = new Uint32Array(units.length + 1);
    for (const [u, { start }] of units.entries()) starts[u] = start;
    starts[0] = 0;
    starts[units.length] = lines.text.length;
    const prices = pricesOf(lines.codes, starts);
    const total = prices.reduce((sum, price) => sum + price, 0);
    if (total < FEW_TOKENS * TOKEN) return undefined;
    const weights = weightsOf(lines, units, query);
    let stays = 0;
    for (const [u, price] of prices.entries()) {
      if (weights[u] === STAYS) stays += price;
    }
    const share = 1 - (leftOut(total / TOKEN) * TOKEN + stays) / total;
    return {
      starts,
      weights: weights.map((w) => w > 0 && w < 10 ? 0 : w),
      parents: headsOf(units, lines.text),
      share: Math.max(0, share),
    };
  },
  label: ({ lines, units = [] }, gap) => labelOf(lines.text, units, gap),
  polish: (text) =>
    text.replace(
      /^ *\|.*\|$/gm,
      (row) => row.replace(/-{4,}/g, "---").replace(/ {2,}/g, " "),
    ),
};

/** Tokens to leave out of a text of so many, to save a share of them besides notes and marker. */
function leftOut(tokens: number): number {
  const doublings = Math.max(0, Math.log2(tokens / SHORT));
  const share = Math.min(LONG_SHARE, SHORT_SHARE + MORE * doublings);
  return NOTES * (share * tokens + MARKER);
}

/** UTF-16 units that are looked at for the script. */
const SAMPLE = 2000;
const ASCII = /^[\0-\x7f]*$/;
const KNOWN =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/** Whether sentences and rules of this script are known. O(1). */
function isKnownScript(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  if (ASCII.test(sample)) return /[A-Za-z]/.test(sample);
  const letters = sample.match(/\p{L}/gu) ?? [];
  const known = letters.filter((letter) => KNOWN.test(letter));
  return known.length > 0.85 * letters.length;
}

const HEADING_MARKS = /^[\s>]*(?:#{1,6}\s+|\*\*|__)?|(?:\*\*|__)?:?[\s#]*$/g;
const OPTION = /^[\s>]*(?:\*\*)?(-{1,2}[A-Za-z\d?].*)$/;
/** Between an option and what it does. */
const COLUMN_GAP = / {2,}|\t|(?<=\S) (?=[–—] )/;

/** Names of all headings and options in a gap, so that a reader can ask for them; else how many items and rows it has. O(gap). */
function labelOf(
  text: string,
  units: readonly Unit[],
  { from, to }: Gap,
): string {
  const names = new Set<string>();
  const ends = new Set<string>();
  const counts = { item: 0, row: 0 };
  let hasCode = false;
  for (const unit of units.slice(from, to)) {
    const { kind, said, end, opens } = unit;
    const [line = ""] = text.slice(said, Math.min(end, said + 240)).split(
      "\n",
      1,
    );
    if (kind === CODE || kind === FENCE) hasCode = true;
    else if (kind === ITEM && opens) {
      counts.item++;
      ends.add(line.slice(line.lastIndexOf(" ") + 1));
    } else if (kind === ROW && /^\s*\|/.test(line)) counts.row++;
    else names.add(nameIn(line, unit));
  }
  names.delete("");
  if (names.size > 0) return [...names].join("; ");
  const said = Object.entries(counts).flatMap(([noun, count]) =>
    count > 1 ? [`${count} ${noun}s`] : []
  );
  const [end = ""] = ends;
  if (counts.item >= 5 && ends.size === 1) said.push(`each ends with ${end}`);
  if (hasCode) said.push("code");
  return said.join(", ");
}

/** The heading or the option that a line names; empty for none. */
function nameIn(line: string, { kind, opens }: Unit): string {
  if (kind === HEADING) return line.replace(HEADING_MARKS, "").trim();
  const [option] = OPTION.exec(line)?.[1]?.split(COLUMN_GAP, 1) ?? [];
  const isNamed = option !== undefined && (kind === ROW || opens);
  return isNamed ? option.replace(/\*\*|\\$/g, "").trim() : "";
}
