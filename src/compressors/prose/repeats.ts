/** Lines and paragraphs that stand in a document word for word more than once. @module */
import {
  endsWithNewline,
  indexLines,
  lineAt,
  type Lines,
} from "../../text/lines.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 40;
const NOTE = /^… \(same as lines? (\d+)(?:-(\d+))?\)$/;

/** How a reader counts the lines of the text. */
export interface Numbering {
  /** Number of the first line. */
  readonly firstLine: number;
}

/**
 * Writes a stretch of lines that stood before as `… (same as lines 3-9)`, numbers of the unfolded text.
 * The text must not hold a line that starts with `… (`. O(n).
 */
export function foldRepeats(text: string, { firstLine }: Numbering): string {
  const lines = indexLines(text);
  const known = new Map<string, number>();
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < lines.count;) {
    const line = lineAt(lines, i);
    const earlier = line === "" ? undefined : known.get(line);
    const length = earlier === undefined ? 0 : sameLines(lines, earlier, i);
    const note = length === 0 ? "" : noteOf(firstLine + earlier!, length);
    const size = lines.starts[i + length]! - lines.starts[i]!;
    if (length > 0 && size > note.length + 1 + PROFIT) {
      parts.push(text.slice(lines.starts[from]!, lines.starts[i]!), note, "\n");
      i = from = i + length;
      continue;
    }
    if (earlier === undefined) known.set(line, i);
    i++;
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(lines.starts[from]!));
  const out = parts.join("");
  return from === lines.count && !endsWithNewline(lines)
    ? out.slice(0, -1)
    : out;
}

/** Inverse of {@linkcode foldRepeats} with the same numbering. */
export function unfoldRepeats(
  folded: string,
  { firstLine }: Numbering,
): string {
  if (!folded.includes("… (same as")) return folded;
  const lines = indexLines(folded);
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const note = line.startsWith("… (") ? NOTE.exec(line) : null;
    if (note === null) out.push(line);
    else {
      const from = Number(note[1]) - firstLine;
      const to = Number(note[2] ?? note[1]) - firstLine;
      for (let k = from; k <= to; k++) out.push(out[k]!);
    }
  }
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

function noteOf(first: number, length: number): string {
  return length === 1
    ? `… (same as line ${first})`
    : `… (same as lines ${first}-${first + length - 1})`;
}

/** How many lines from `i` on are those from `earlier` on, without reaching `i` and without blank lines at the end. */
function sameLines(lines: Lines, earlier: number, i: number): number {
  let length = 0;
  let used = 0;
  while (
    i + length < lines.count && earlier + length < i &&
    lineAt(lines, earlier + length) === lineAt(lines, i + length)
  ) {
    length++;
    const last = i + length - 1;
    if (lines.starts[last + 1]! - lines.starts[last]! > 1) used = length;
  }
  return used;
}
