/** What most matches begin with, written once for all: `12:throw new RangeError(x)` becomes `12 RangeError(x)`. @module */
import { foldNote } from "../../engine/note.ts";
import { offsetAt } from "../../text/lines.ts";
import { MATCH, type SearchView } from "./parse.ts";

/** Matches that are looked at to find it, and parts of a match that it may have. */
const SAMPLE = 64;
const MOST_PARTS = 8;
/** UTF-16 units of it. */
const LONGEST = 80;
/** Parts, about as many tokens, that it must save, and share of the sample that must have it. */
const PROFIT = 24;
const LEAST_SHARE = 0.4;
const MATCH_ROW = /^(\d*):([ \t]*)(.*)/s;
const FOLDED_ROW = /^(\d*) ([ \t]*)(.*)/s;
const NOTE = /^… \(rows "(?:12)? x" are "(?:12)?:(.*)x"\)$/;
/** Ends of parts of a text: a word begins or what is no word ends. */
const PART = /\W+(?=\w)|\W+$/g;

/** What most matches begin with. */
export interface Lead {
  /** The text, behind the indentation of a row. */
  readonly text: string;
  /** The line that explains rows without it. */
  readonly note: string;
}

/** The beginning of matches that saves most; `undefined` when none is worth a line. O(sample). */
export function leadOf(view: SearchView): Lead | undefined {
  const { forms, layout, lines, bodies } = view;
  const matches: string[] = [];
  let total = 0;
  for (const form of forms) if (form === MATCH) total++;
  const step = Math.ceil(total / SAMPLE);
  let seen = 0;
  for (let line = 0; line < lines.count; line++) {
    if (forms[line] !== MATCH || seen++ % step !== 0) continue;
    const at = offsetAt(bodies, line);
    const head = lines.text.slice(at, at + LONGEST + SAMPLE);
    const text = MATCH_ROW.exec(head.split("\n", 1)[0] ?? "")?.[3] ?? "";
    matches.push(text.slice(0, LONGEST));
  }
  const best = bestOf(matches);
  if (best === undefined || best.gain * step < PROFIT) return undefined;
  const number = layout === "plain" ? "" : "12";
  const said = `rows "${number} x" are "${number}:${best.text}x"`;
  return { text: best.text, note: `${foldNote(said)}\n` };
}

function bestOf(
  matches: readonly string[],
): { readonly text: string; readonly gain: number } | undefined {
  const times = new Map<string, { count: number; parts: number }>();
  for (const match of matches) {
    let parts = 0;
    for (const { index, 0: sign } of match.matchAll(PART)) {
      const end = index + sign.length;
      // A part that ends with a bracket of another one is cut before what is inside.
      const known = times.get(match.slice(0, end));
      parts++;
      if (known !== undefined) known.count++;
      else times.set(match.slice(0, end), { count: 1, parts });
      if (parts === MOST_PARTS) break;
    }
  }
  let best: { text: string; gain: number } | undefined;
  for (const [text, { count, parts }] of times) {
    const gain = count * (parts + 1);
    const isOften = count >= LEAST_SHARE * matches.length;
    if (isOften && gain > (best?.gain ?? 0)) best = { text, gain };
  }
  return best;
}

/** The lead that a line explains; `undefined` when it explains none. */
export function leadIn(line: string): string | undefined {
  return NOTE.exec(line)?.[1];
}

/** A match, `12:text` with its newline, without its lead; as it is where it has none. */
export function withoutLead(row: string, { text }: Lead): string {
  const [, number, indent = "", said = ""] = MATCH_ROW.exec(row) ?? [];
  if (number === undefined || !said.startsWith(text)) return row;
  const rest = said.slice(text.length);
  return /^[ \t]/.test(rest) ? row : `${number} ${indent}${rest}`;
}

/** Inverse of {@linkcode withoutLead}, of a row without its newline. */
export function withLead(row: string, lead: string): string {
  const [, number, indent = "", rest = ""] = FOLDED_ROW.exec(row) ?? [];
  return number === undefined ? row : `${number}:${indent}${lead}${rest}`;
}
