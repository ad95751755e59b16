/** Running text and Markdown: each fact once, without what only elaborates, repeats or decorates. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Gap, Kind, Rewrite, Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import { pricesOf, TOKEN } from "../../engine/price.ts";
import { codesOf } from "../../text/lines.ts";
import { foldProse } from "./fold.ts";
import {
  CODE,
  type Document,
  FENCE,
  HEADING,
  ITEM,
  parseProse,
  ROW,
  TEXT,
} from "./parse.ts";
import { type Unit, unitsOf } from "./units.ts";
import { weightsOf } from "./weights.ts";

/** Tokens of a text that stays whole. */
const FEW_TOKENS = 320;
/** Share of a fold's gain from which nothing need be left out. */
const ENOUGH = 0.23;
/** Share of the tokens to leave out of a text of so many; it grows by so much when the text is twice as long, up to the largest. */
const SHORT = 400;
const SHORT_SHARE = 0.28;
const MORE = 0.2;
const LONG_SHARE = 0.6;
/** Tokens of a marker, and what notes add to what must be left out. */
const MARKER = 50;
const NOTES = 1.3;

/** What is found out about a document when it is needed. */
interface Prose extends Document {
  units?: readonly Unit[];
  folded?: { readonly rewrite: Rewrite | undefined };
}

/** Documents for people. */
export const proseKind: Kind<Prose> = {
  id: "text_crusher",
  unit: "sentences",
  parse: parseProse,
  fold: foldOf,
  units(view, context): Units | undefined {
    const { lines } = view;
    if (!isKnownLanguage(lines.text)) return undefined;
    const units = view.units ??= unitsOf(view);
    const starts = new Uint32Array(units.length + 1);
    for (const [u, { start }] of units.entries()) starts[u] = start;
    starts[0] = 0;
    starts[units.length] = lines.text.length;
    const prices = pricesOf(lines.codes, starts);
    const total = prices.reduce((sum, price) => sum + price, 0);
    if (total < FEW_TOKENS * TOKEN) return undefined;
    const weights = weightsOf(lines, units, context.query);
    const folded = foldOf(view, context)?.text ?? lines.text;
    const [rest = 0] = pricesOf(
      codesOf(folded),
      Uint32Array.of(0, folded.length),
    );
    // A good fold leaves little reason to leave out what says anything.
    if (rest < (1 - ENOUGH) * total) {
      return {
        starts,
        weights: weights.map((w) => w < 10 ? 0 : STAYS),
        share: 0,
      };
    }
    let stays = 0;
    for (const [u, price] of prices.entries()) {
      if (weights[u] === STAYS) stays += price;
    }
    const share = 1 - (leftOut(total / TOKEN) * TOKEN + stays) / total;
    return {
      starts,
      weights: weights.map((w) => w > 0 && w < 10 ? 0 : w),
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

function foldOf(
  view: Prose,
  { firstLine = 1 }: CompressContext,
): Rewrite | undefined {
  view.folded ??= { rewrite: foldProse(view.lines.text, firstLine) };
  return view.folded.rewrite;
}

/** Tokens to leave out of a text of so many, to save a share of them besides notes and marker. */
function leftOut(tokens: number): number {
  const doublings = Math.max(0, Math.log2(tokens / SHORT));
  const share = Math.min(LONG_SHARE, SHORT_SHARE + MORE * doublings);
  return NOTES * (share * tokens + MARKER);
}

/** UTF-16 units that are looked at for the language. */
const SAMPLE = 2000;
const KNOWN =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const SMALL_WORD =
  /^(?:an?|the|is|are|was|be|to|of|in|on|at|for|with|by|and|or|not|as|it|that|you|we|if|from|can|will|has|have|when|but|which|all|your|der|die|das|den|dem|eine?|ist|sind|und|oder|nicht|mit|für|auf|zu|im|von|es|wird|werden|le|la|les|une?|des|est|sont|et|ou|pas|avec|pour|sur|du|que|qui|dans|el|los|las|son|con|por|se|del|al|il|lo|gli|sono|non|per|che|di|da|nel|os|uma|são|não|com|do|ao)$/i;

/** Whether sentences and rules of this language are known: most of Europe, Chinese, Japanese. O(1). */
function isKnownLanguage(text: string): boolean {
  const letters = text.slice(0, SAMPLE).match(/\p{L}/gu) ?? [];
  const known = letters.filter((letter) => KNOWN.test(letter));
  if (known.length < 0.85 * letters.length || known.length === 0) return false;
  const isLatin = letters.filter((letter) => letter < "\u0250").length >
    0.8 * letters.length;
  const words = text.slice(0, SAMPLE).match(/[a-zà-ÿ]+/gi) ?? [];
  const small = words.filter((word) => SMALL_WORD.test(word));
  return !isLatin || small.length >= 0.05 * words.length;
}

/** UTF-16 units of a name, and of all names of items in a note. */
const LONGEST_NAME = 48;
const MOST_NAMES = 90;

const HEADING_MARKS = /^[\s>]*(?:#{1,6}\s+|\*\*|__)?|(?:\*\*|__)?:?[\s#]*$/g;
const OPTION = /^[\s>]*(?:\*\*)?(-{1,2}[A-Za-z\d?].*)$/;
/** Between an option and what it does. */
const COLUMN_GAP = / {2,}|\t|(?<=\S) (?=[–—] )/;
const ITEM_MARK =
  /^[\s>]*(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+(?:\[[ xX]\]\s+)?/;
/** The name at the start of an item: bold, code, a link, or words before a colon or a dash. */
const ITEM_NAME =
  /^(?:\*\*([^*]+?)[:.]?\*\*|`([^`]+)`|\[([^\]]+)\]|([^\s:–—(][^:–—(]{0,40}?)(?::|\s[–—-]\s|\s\())/;

/** Names of all headings and options in a gap, and of some of its items, so that a reader can ask for them. O(gap). */
function labelOf(
  text: string,
  units: readonly Unit[],
  { from, to }: Gap,
): string {
  const sure: string[] = [];
  const items: string[] = [];
  const ends = new Set<string>();
  const counts = { item: 0, row: 0 };
  let hasCode = false;
  for (const { kind, said, end, opens } of units.slice(from, to)) {
    const [line = ""] = text.slice(said, Math.min(end, said + 240)).split(
      "\n",
      1,
    );
    if (kind === CODE || kind === FENCE) hasCode = true;
    else if (kind === HEADING) {
      sure.push(line.replace(HEADING_MARKS, "").trim());
    } else if (kind === ITEM && opens) {
      counts.item++;
      items.push(
        ITEM_NAME.exec(line.replace(ITEM_MARK, ""))?.slice(1).find((name) =>
          name
        ) ?? "",
      );
      ends.add(line.slice(line.lastIndexOf(" ") + 1));
    } else if (kind === ROW && /^\s*\|/.test(line)) {
      counts.row++;
      items.push(line.split("|")[1]?.trim() ?? "");
    } else if (kind === ROW || (kind === TEXT && opens)) {
      const option = OPTION.exec(line)?.[1];
      if (option !== undefined) {
        sure.push(
          (option.split(COLUMN_GAP, 1)[0] ?? "").replace(/\*\*|\\$/g, "")
            .trim(),
        );
      }
    }
  }
  const said = Object.entries(counts).flatMap(([noun, count]) =>
    count > 1 ? [`${count} ${noun}s`] : []
  );
  const [end = ""] = ends;
  if (counts.item >= 5 && ends.size === 1) said.push(`each ends with ${end}`);
  if (hasCode) said.push("code");
  const names = [...new Set(sure), ...within(new Set(items))]
    .filter((name) => name !== "").join("; ");
  if (sure.length > 0 || said.length === 0) return names;
  return names === "" ? said.join(", ") : `${said.join(", ")}: ${names}`;
}

/** First names, as far as there is room; `…` says that there are more. */
function within(names: ReadonlySet<string>): string[] {
  const out: string[] = [];
  let length = 0;
  for (const name of names) {
    if (name === "" || name.length > LONGEST_NAME) continue;
    length += name.length + 2;
    if (length > MOST_NAMES) return [...out, "…"];
    out.push(name);
  }
  return out;
}
