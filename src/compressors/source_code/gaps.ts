/** Lines that an outline leaves out, and the notes that stand for them. @module */
import type { Lines } from "../../text/lines.ts";

/** Lines left out. */
export interface Gap {
  /** First line, from 0. */
  readonly from: number;
  /** Last line. */
  readonly to: number;
  /** What the note's line starts with: blanks, or the signs of the comment it stands in. */
  readonly lead: string;
  /** Whether the note stands inside a comment or string. */
  readonly inText?: boolean;
  /** Whether a statement must stand in for those left out. */
  readonly needsStatement?: boolean;
}

/** How notes are written. */
export interface NoteStyle {
  /** Starts a comment. */
  readonly comment: "//" | "#";
  /** Number of the first line. */
  readonly firstLine: number;
}

/** Weight of a note, and what a gap must save besides it: quarters of a token. */
const NOTE = 40;
const PROFIT = 24;
/** Weight of the end and the indentation of a line. */
const LINE_END = 4;
/** Classes of errors that a note names. */
const MOST_RAISED = 3;
const SPACE = 32;
const TAB = 9;
const RAISED = /\b(raise|throw)\s+(?:new\s+)?([A-Za-z_][\w.:]*)/g;

/**
 * Estimates how many tokens the lines have, indentation for nothing.
 *
 * @returns Weight of all lines before each one, in quarters of a token: `count + 1` numbers. O(n).
 */
export function weigh({ codes, starts, count }: Lines): Uint32Array {
  const weights = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) {
    let at = starts[i]!;
    const end = starts[i + 1]! - 1;
    while (at < end && (codes[at] === SPACE || codes[at] === TAB)) at++;
    weights[i + 1] = weights[i]! + end - at + LINE_END;
  }
  return weights;
}

/** Weight that a gap saves, its note included. */
export function savedBy(weights: Uint32Array, { from, to }: Gap): number {
  return weights[to + 1]! - weights[from]! - NOTE;
}

/** Whether a gap saves more than its note costs. */
export function isWorthwhile(weights: Uint32Array, gap: Gap): boolean {
  return gap.to > gap.from && savedBy(weights, gap) >= PROFIT;
}

/** A text with notes, and where they stand. */
export interface Outline {
  /** The whole text. */
  readonly text: string;
  /** One per gap, ascending: first and last line replaced, from 0, and UTF-16 units of what stands there now. */
  readonly edits: readonly {
    readonly from: number;
    readonly to: number;
    readonly length: number;
  }[];
}

/**
 * The text with a note in place of each gap.
 *
 * @param gaps Ascending; none inside another.
 */
export function renderOutline(
  lines: Lines,
  gaps: readonly Gap[],
  style: NoteStyle,
): Outline {
  const { text, starts } = lines;
  const parts: string[] = [];
  let at = 0;
  const edits = gaps.map((gap) => {
    const start = starts[gap.from]!;
    const end = Math.min(starts[gap.to + 1]!, text.length);
    // The line ends as the last one left out does, also at the end of the text.
    const newline = /\r?\n?$/.exec(text.slice(end - 2, end))![0];
    const note = noteOf(lines, gap, style) + newline;
    parts.push(text.slice(at, start), note);
    at = end;
    return { from: gap.from, to: gap.to, length: note.length };
  });
  parts.push(text.slice(at));
  return { text: parts.join(""), edits };
}

function noteOf(lines: Lines, gap: Gap, style: NoteStyle): string {
  const { from, to, lead, inText, needsStatement } = gap;
  const first = from + style.firstLine;
  const last = to + style.firstLine;
  const said = `… lines ${first}-${last} omitted`;
  if (inText) return lead + said;
  const left = lines.text.slice(lines.starts[from]!, lines.starts[to + 1]!);
  const statement = needsStatement ? "...  " : "";
  return `${lead}${statement}${style.comment} ${said}${raisedIn(left)}`;
}

/** `; throws TypeError, RangeError` for what the text left out may throw. */
function raisedIn(text: string): string {
  const classes = new Set<string>();
  let verb = "";
  for (const [, word, name] of text.matchAll(RAISED)) {
    // A variable says nothing.
    if (!/(?:^|[.:])[A-Z]\w*$/.test(name!)) continue;
    verb ||= `${word}s`;
    classes.add(name!);
    if (classes.size === MOST_RAISED) break;
  }
  return verb === "" ? "" : `; ${verb} ${[...classes].join(", ")}`;
}
