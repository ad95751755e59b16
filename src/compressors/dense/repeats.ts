/** Equal rows that follow each other. @module */
import {
  endsWithNewline,
  indexLines,
  lineAt,
  type Lines,
} from "../../text/lines.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 24;
const NOTE = /^… \(the line above ([1-9]\d*) more times?\)$/;

/** Writes a run of equal lines once, then `… (the line above 9 more times)`; `undefined` when nothing is won or such notes are there already. O(n). */
export function foldRows(text: string): string | undefined {
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  const lines = indexLines(text);
  const { starts } = lines;
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < lines.count;) {
    let end = i + 1;
    while (end < lines.count && isSame(lines, i, end)) end++;
    const more = end - i - 1;
    const note = `… (the line above ${more} more time${more === 1 ? "" : "s"})`;
    if (more > 0 && starts[end]! - starts[i + 1]! > note.length + PROFIT) {
      parts.push(text.slice(starts[from]!, starts[i + 1]!), note, "\n");
      from = end;
    }
    i = end;
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(starts[from]!));
  const out = parts.join("");
  return from === lines.count && !endsWithNewline(lines)
    ? out.slice(0, -1)
    : out;
}

/** Inverse of {@linkcode foldRows}. */
export function unfoldRows(folded: string): string {
  const lines = indexLines(folded);
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const note = line.startsWith("… (") ? NOTE.exec(line) : null;
    if (note === null) out.push(line);
    else for (let n = Number(note[1]); n > 0; n--) out.push(out.at(-1)!);
  }
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

/** Whether two lines are equal; most differ in their first characters. */
function isSame({ codes, starts, text }: Lines, a: number, b: number): boolean {
  const length = starts[a + 1]! - starts[a]!;
  if (starts[b + 1]! - starts[b]! !== length) return false;
  if (codes[starts[a]!] !== codes[starts[b]!]) return false;
  return text.slice(starts[a]!, starts[a]! + length - 1) ===
    text.slice(starts[b]!, starts[b]! + length - 1);
}
