/** What the lines of a log say: their messages, without what stands before them. @module */
import { FIELD } from "./line_fields.ts";
import {
  FieldMemo,
  readStart,
  shapesIn,
  startOf,
  type StartShapes,
} from "./line_start.ts";
import { indexLines, type Lines, lineStart } from "./lines.ts";

/** A start changes one of the first codes of its line. */
const SEEN = 4;
const BLANK = 32;
const BRACKET = 91;

/** The lines of a text and what stands before their messages. */
export interface SaidLines {
  /**
   * The same lines with blanks in place of what stands before their messages, but for levels, so that lines that say
   * the same at another time and place are alike. A start is written as one bracket; offsets stay. The lines
   * themselves when none begins as others do.
   */
  readonly said: Lines;
  /** Offset of the message of each line, or of the level right before it. */
  readonly behind: Uint32Array;
}

/** Finds where the messages of the lines begin. O(text). */
export function withoutStarts(
  lines: Lines,
  shapes: StartShapes = shapesIn(lines.text),
): SaidLines {
  const behind = lines.starts.slice(0, lines.count);
  if (shapes.size === 0) return { said: lines, behind };
  const codes = lines.codes.slice();
  const options = { shapes, memo: new FieldMemo(lines.codes) };
  let from = 0;
  for (let line = 0; line < lines.count; line++) {
    const next = lineStart(lines, line + 1);
    const fields = startOf(
      readStart(lines.text, { from, to: next - 1 }, options),
      shapes,
    );
    for (const { kind, start, end } of fields) {
      for (let at = start; at < end && kind !== FIELD.level; at++) {
        codes[at] = BLANK;
      }
      behind[line] = kind === FIELD.level ? start : end;
    }
    if (fields.length > 0) codes[from] = BRACKET;
    from = next;
  }
  return { said: { ...lines, codes }, behind };
}

/**
 * The messages alone, one per line, with their indentation but without what is before it.
 *
 * @param said The lines as {@linkcode withoutStarts} gives them. @returns `lines` itself where nothing is before any. O(text).
 */
export function messagesOf(lines: Lines, said: Lines): Lines {
  if (said === lines) return lines;
  const parts: string[] = [];
  let from = 0;
  for (const next of lines.starts.subarray(1)) {
    const start = messageStart(lines, said, { from, to: next - 1 });
    parts.push(lines.text.slice(start, next));
    from = next;
  }
  return indexLines(parts.join(""));
}

function messageStart(
  { codes }: Lines,
  said: Lines,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let at = from;
  while (at < from + SEEN && codes[at] === said.codes[at]) at++;
  if (at === from + SEEN || at >= to) return from;
  while (at < to && (at === from || said.codes[at] === BLANK)) at++;
  const message = at;
  while (codes[at - 1] === BLANK) at--;
  return Math.min(message, at + 1);
}
