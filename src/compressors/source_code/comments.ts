/** What of a long comment or docstring can be left out: all but its first sentence. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import type { Gap } from "./gaps.ts";

/** Signs before the words of a comment or docstring. */
const SIGNS =
  /^\s*(?:\/\*+!?|\*+(?!\/)|\/\/[/!]?|#+!?|[rRuUbB]{0,2}(?:"""|'''))?\s?/;
/** What a line starts with that a note in the same comment repeats. */
const LEAD = /^\s*(?:\*(?!\/)|\/\/[/!]?|#+)?[ \t]?/;
/** Words that a compiler or tool reads. */
const DIRECTIVE =
  /^\W*(?:go:\w|\+build|@ts-|eslint-|prettier-|deno-|type:|noqa|pylint|mypy:|pragma|<reference|istanbul|biome-|clang-format|NOLINT|coding[:=]|-\*-|!\/)/;
/** End of a first sentence. */
const SENTENCE_END = /[.!?:][)"'`*]*\s*(?:\*\/|"""|''')?\s*$/;
/** A part of its own: a tag, a heading, a list. */
const NEW_PART = /^(?:@\w|[-*+] |\d+\. |:\w+ |[A-Z]\w+:\s*$|[-=~]{3,})/;
/** Ends a comment or docstring. */
const CLOSES = /\*\/|"""|'''/;

/**
 * What can be left out of the comment or docstring on the lines `from` to `to`.
 *
 * @returns `undefined` when it is short, or a tool may read it.
 */
export function commentGap(
  lines: Lines,
  from: number,
  to: number,
): Gap | undefined {
  let first = from;
  while (first < to && !hasWords(wordsOf(lines, first))) first++;
  if (isContinued(lines, first, to)) first++;
  const last = CLOSES.test(lineAt(lines, to)) ? to - 1 : to;
  if (last - first < 2) return undefined;
  for (let i = first + 1; i <= last; i++) {
    if (DIRECTIVE.test(wordsOf(lines, i))) return undefined;
  }
  const lead = leadOf(lines, first + 1, last);
  return { from: first + 1, to: last, lead, inText: true };
}

/** What the first line with words starts with. */
function leadOf(lines: Lines, from: number, to: number): string {
  let line = from;
  while (line < to && !hasWords(wordsOf(lines, line))) line++;
  return LEAD.exec(lineAt(lines, line))![0];
}

/** Whether the first sentence goes on in the line after `line`. */
function isContinued(lines: Lines, line: number, to: number): boolean {
  if (line + 1 >= to || SENTENCE_END.test(lineAt(lines, line))) return false;
  const next = wordsOf(lines, line + 1);
  return hasWords(next) && !NEW_PART.test(next);
}

function wordsOf(lines: Lines, line: number): string {
  return lineAt(lines, line).slice(0, 400).replace(SIGNS, "");
}

function hasWords(words: string): boolean {
  return /[\p{L}\p{N}]/u.test(words);
}
