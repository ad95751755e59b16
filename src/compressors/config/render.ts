/** The text of an elided configuration: kept lines, shortened values, a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline, lineAt } from "../../text/lines.ts";
import { type Folding, startFolding, writeFolded } from "./fold.ts";
import { commentAbout, isLarge, namesOf, valuesOf } from "./notes.ts";
import { BOOKKEEPING, COMMENTED, type Selection, STAYS } from "./select.ts";
import { shortenLine, SHORTEST_LINE } from "./shorten.ts";
import type { ConfigView } from "./view.ts";
import { FAILING } from "./words_said.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 24;

/** An elided text. */
export interface Rendered {
  /** Kept lines and notes. */
  readonly text: string;
  /** In lines; a line with a shortened value counts. */
  readonly omitted: Omitted;
}

/**
 * Writes the lines that stay and the notes; a gap that its note would not pay for stays. O(n).
 *
 * @param isAsked Whether a line fits the query: its values stay whole. @param firstLine Number of the first line.
 */
export function renderElided(
  view: ConfigView,
  selection: Selection,
  { firstLine }: { readonly firstLine: number },
): Rendered {
  const { lines } = view;
  const { why } = selection;
  const folding = startFolding(view, firstLine, why);
  const parts: string[] = [];
  const writer = { view, selection, firstLine, folding, parts, left: 0 };
  for (let i = 0; i < lines.count;) {
    let to = i + 1;
    if (why[i] === STAYS) {
      while (to < lines.count && why[to] === STAYS) to++;
      writeKept(writer, i, to);
    } else {
      to = gapEnd(writer, i);
      writeGap(writer, i, to);
    }
    i = to;
  }
  const text = writer.parts.join("\n");
  return {
    text: endsWithNewline(lines) ? text + "\n" : text,
    omitted: { count: writer.left, total: lines.count, unit: "lines" },
  };
}

/** What writing needs. */
interface Writer {
  readonly view: ConfigView;
  readonly selection: Selection;
  readonly firstLine: number;
  /** Absent when notes of a fold could be taken for the text's own lines. */
  readonly folding: Folding | undefined;
  readonly parts: string[];
  /** Lines left out or shortened. */
  left: number;
}

/** A gap ends where a line stays, and at both ends of a large entry. */
function gapEnd({ view, selection }: Writer, from: number): number {
  const { why, spare, tree } = selection;
  if (spare[from] && isLarge(view, tree, from)) {
    let to = from + 1;
    while (to < tree.ends[from]! && why[to] !== STAYS) to++;
    return to;
  }
  let to = from + 1;
  while (to < why.length && why[to] !== STAYS) {
    if (spare[to] && isLarge(view, tree, to)) break;
    to++;
  }
  return to;
}

/** Lines that stay, folded. */
function writeKept(writer: Writer, from: number, to: number): void {
  if (writer.folding === undefined) writeShort(writer, from, to);
  else {
    writeFolded(writer.folding, { from, to }, (start, end, written) => {
      writeShort(writer, start, end);
      for (const line of written) writer.parts.push(shortenLine(line));
    });
  }
}

/** Lines that stay, with short values. */
function writeShort(writer: Writer, from: number, to: number): void {
  const { lines } = writer.view;
  let start = from;
  for (let i = from; i < to; i++) {
    if (lines.starts[i + 1]! - lines.starts[i]! <= SHORTEST_LINE) continue;
    const line = lineAt(lines, i);
    const short = shortenLine(line);
    if (short === line) continue;
    pushLines(writer, start, i);
    writer.parts.push(short);
    writer.left++;
    start = i + 1;
  }
  pushLines(writer, start, to);
}

function pushLines(writer: Writer, from: number, to: number): void {
  const { text, starts } = writer.view.lines;
  if (to > from) writer.parts.push(text.slice(starts[from]!, starts[to]! - 1));
}

function writeGap(writer: Writer, from: number, to: number): void {
  const { view, selection, firstLine } = writer;
  const range = to - from === 1
    ? `line ${from + firstLine}`
    : `lines ${from + firstLine}-${to - 1 + firstLine}`;
  const about = aboutGap(view, selection, from, to);
  const said = about === "" ? "" : ` (${about})`;
  const note = `… ${range} omitted${said}`;
  const size = view.lines.starts[to]! - view.lines.starts[from]!;
  if (size < note.length + PROFIT) {
    writeKept(writer, from, to);
    return;
  }
  writer.parts.push(note);
  writer.left += to - from;
}

/** Names of what is in a gap, and how many failures. */
function aboutGap(
  view: ConfigView,
  { why, spare, said, tree }: Selection,
  from: number,
  to: number,
): string {
  const entries: number[] = [];
  let failures = 0;
  for (let i = from; i < to; i++) {
    if (said[i]! & FAILING) failures++;
  }
  for (let i = from; i < to;) {
    if (spare[i]) entries.push(i);
    i = spare[i] ? tree.ends[i]! : i + 1;
  }
  const parts: string[] = [];
  const isOneLarge = entries.length === 1 && isLarge(view, tree, entries[0]!);
  if (isOneLarge) parts.push(valuesOf(view, tree, entries[0]!));
  else if (entries.length > 0) parts.push(namesOf(view, tree, entries));
  else if (why[from] === COMMENTED) parts.push(commentAbout(view, from, to));
  else if (why[from] === BOOKKEEPING) parts.push("bookkeeping");
  if (failures > 0) {
    parts.push(`${failures} with a failure`);
  }
  return parts.join("; ");
}
