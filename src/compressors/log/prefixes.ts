/** Starts that consecutive lines have in common: dates, hosts, process names. @module */
import {
  endsWithNewline,
  indexLines,
  lineAt,
  type Lines,
} from "../../text/lines.ts";
import { KINDS, OTHER } from "../../text/words.ts";

/** UTF-16 units of a common start, at least. */
const SHORTEST = 8;
/** Longest start that is looked at. */
const LONGEST = 200;
/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 24;
/** UTF-16 units of a note without the start. */
const NOTE = 34;
const PREFIX_NOTE = /^… \(next (\d+) lines start with (".*")\)$/;
const SPACE = 32;

/** Lines `[from, to)` whose first `length` units are equal. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Cuts the common start off stretches of lines and says it once in a line before them. O(n). */
export function foldPrefixes(text: string): string {
  const lines = indexLines(text);
  const parts: string[] = [];
  let written = 0;
  for (let i = 0; i + 1 < lines.count;) {
    const stretch = trimmed(lines, stretchAt(lines, i));
    if (profitOf(lines, stretch) >= PROFIT) {
      parts.push(text.slice(lines.starts[written]!, lines.starts[i]!));
      parts.push(noteOf(lines, stretch), "\n");
      cutInto(parts, lines, stretch);
      written = stretch.to;
    }
    i = Math.max(i + 1, stretch.to);
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(lines.starts[written]!));
  return parts.join("");
}

/** Inverse of {@linkcode foldPrefixes}. */
export function unfoldPrefixes(folded: string): string {
  if (!folded.includes("… (next ")) return folded;
  const lines = indexLines(folded);
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const note = line.startsWith("… (") ? PREFIX_NOTE.exec(line) : null;
    if (note === null) {
      out.push(line);
      continue;
    }
    const start: string = JSON.parse(note[2]!);
    for (let n = Number(note[1]); n > 0; n--) {
      out.push(start + lineAt(lines, ++i));
    }
  }
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

/**
 * The longest stretch from line `from` on, as far as it pays to keep it in one: a start is
 * shortened for one more line as long as that costs less than another note.
 */
function stretchAt(lines: Lines, from: number): Stretch {
  let length = Math.min(LONGEST, lengthOf(lines, from));
  let to = from + 1;
  for (; to < lines.count; to++) {
    const common = commonStart(lines, from, to, length);
    if (common < length) {
      const lost = (length - common) * (to - from);
      if (common < SHORTEST || (to - from > 2 && lost > NOTE + length)) break;
      length = common;
    }
  }
  return { from, to, length };
}

/** Ends the common start where a word or a number ends. */
function trimmed(lines: Lines, { from, to, length }: Stretch): Stretch {
  const { codes, starts } = lines;
  const start = starts[from]!;
  const kindAt = (at: number) => KINDS[codes[start + at]!]!;
  let end = length;
  while (
    end > 0 && end < lengthOf(lines, from) && kindAt(end) !== OTHER &&
    kindAt(end) === kindAt(end - 1)
  ) end--;
  return { from, to, length: end };
}

function profitOf(lines: Lines, { from, to, length }: Stretch): number {
  const start = lines.starts[from]!;
  let said = 0;
  for (let i = start; i < start + length; i++) {
    if (lines.codes[i]! > SPACE) said++;
  }
  if (to - from < 2 || said < SHORTEST) return 0;
  return length * (to - from) - length - NOTE;
}

function noteOf(lines: Lines, { from, to, length }: Stretch): string {
  const start = lines.starts[from]!;
  const said = JSON.stringify(lines.text.slice(start, start + length));
  return `… (next ${to - from} lines start with ${said})`;
}

function cutInto(parts: string[], lines: Lines, stretch: Stretch): void {
  for (let i = stretch.from; i < stretch.to; i++) {
    parts.push(
      lines.text.slice(
        lines.starts[i]! + stretch.length,
        lines.starts[i + 1]!,
      ),
    );
  }
}

/** How many units, up to `limit`, both lines start with; ASCII only. */
function commonStart(
  lines: Lines,
  one: number,
  other: number,
  limit: number,
): number {
  const { codes, starts } = lines;
  const a = starts[one]!;
  const b = starts[other]!;
  const most = Math.min(limit, lengthOf(lines, other));
  let n = 0;
  while (n < most && codes[a + n] === codes[b + n] && codes[a + n]! < 128) n++;
  return n;
}

function lengthOf(lines: Lines, line: number): number {
  return lines.starts[line + 1]! - 1 - lines.starts[line]!;
}
