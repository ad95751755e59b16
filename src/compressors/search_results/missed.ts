/** Rows of search results that are missing, and what is said of them. @module */
import { countText } from "../../engine/note.ts";
import { offsetAt } from "../../text/lines.ts";
import { CONTEXT, MATCH, type SearchView } from "./parse.ts";

/** Lines that a note lists by number. */
const MOST_LISTED = 5;

/** Rows that are missing. */
export interface Missed {
  /** Numbers of the matches. */
  readonly matches: number[];
  /** Matches and lines of context. */
  rows: number;
}

/** Rows of lines of a file that are missing, counted. */
export function addMissed(
  { forms, numbers }: SearchView,
  missed: Missed,
  line: number,
): void {
  const form = forms[line];
  if (form !== MATCH && form !== CONTEXT) return;
  missed.rows++;
  if (form === MATCH) missed.matches.push(offsetAt(numbers, line));
}

/** `3 matches`; with lines of context `12 lines`. */
export function missedText({ matches, rows }: Missed): string {
  return matches.length < rows
    ? countText(rows, "lines")
    : matchText(matches.length);
}

/** What {@linkcode missedText} does not say: where the matches are. */
export function missedPlaces(missed: Missed): string {
  const { matches, rows } = missed;
  if (matches.length === 0 || matches.includes(0)) return "";
  const places = isListed(missed)
    ? matches.join(",")
    : `lines ${matches[0]}-${matches.at(-1)}`;
  return matches.length < rows
    ? `${matchText(matches.length)}: ${places}`
    : places;
}

function isListed({ matches }: Missed): boolean {
  return matches.length <= MOST_LISTED && !matches.includes(0);
}

/** What the legend explains: `+3,7`, `+12 matches in lines 3-90`, `+9 lines of context`. */
export function shortNote(missed: Missed): string {
  const { matches, rows } = missed;
  const said: string[] = [];
  if (matches.length > 0 && isListed(missed)) {
    said.push(`+${matches.join(",")}`);
  } else if (matches.length > 0) {
    const places = matches.includes(0)
      ? ""
      : ` in lines ${matches[0]}-${matches.at(-1)}`;
    said.push(`+${matchText(matches.length)}${places}`);
  }
  const around = rows - matches.length;
  if (around > 0) said.push(`+${countText(around, "lines")} of context`);
  return said.join(" ");
}

/** `1 match`, `3 matches`. */
export function matchText(count: number): string {
  return count === 1 ? "1 match" : `${count} matches`;
}
