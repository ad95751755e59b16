/** What of a comment stays: its first sentence, and what a tool reads. @module */
import { lineAt, type Lines } from "../../text/lines.ts";

/** Signs before the words of a comment or docstring. */
const SIGNS =
  /^\s*(?:\/\*+!?|\*+(?!\/)|\/\/[/!]?|#+!?|--+|[rRuUbB]{0,2}(?:"""|'''))?\s?/;
/** A comment that does not go on from the line before it, and a docstring. */
export const OPENS = /^(?:\/\*|[rRuUbB]{0,2}(?:"""|'''))/;
export const DOCSTRING = /^[rRuUbB]{0,2}(?:"""|''')/;
/** What a line starts with that a note in the same comment repeats. */
const LEAD = /^\s*(?:\*(?!\/)|\/\/[/!]?|#+|--+)?[ \t]?/;
/** Words that a compiler or tool reads. */
const DIRECTIVE =
  /^\W*(?:go:\w|\+build|@ts-|eslint-|prettier-|deno-|type:|noqa|pylint|mypy:|pragma|<reference|istanbul|biome-|clang-format|NOLINT|coding[:=]|-\*-|!\/)/;
/** Words that warn whoever changes the code. */
const REMARK =
  /\b(?:TODO|FIXME|HACK|XXX|BUG|SAFETY|WARNING|UNSAFE)\b|@deprecated|\bDeprecated:|^Deprecated\b|\.\. deprecated::/;
/** End of a first sentence. */
const SENTENCE_END = /[.!?:][)"'`*]*\s*(?:\*\/|"""|''')?\s*$/;
/** A part of its own: a tag, a heading, a list. */
const NEW_PART = /^(?:@\w|[-*+] |\d+\. |:\w+ |[A-Z]\w+:\s*$|[-=~]{3,})/;
/** Ends a comment or docstring. */
const CLOSES = /\*\/|"""|'''/;
/** Lines that are not worth a note. */
const FEWEST = 2;

/**
 * Lines `[from, to)` of a comment that can go; empty for a short one, or where a tool may read it.
 *
 * @param first First line of the comment. @param last Its last line.
 */
export function restOfComment(
  lines: Lines,
  first: number,
  last: number,
): { readonly from: number; readonly to: number } {
  let line = first;
  while (line < last && !hasWords(wordsOf(lines, line))) line++;
  if (isContinued(lines, line, last)) line++;
  const to = CLOSES.test(lineAt(lines, last)) ? last : last + 1;
  const rest = { from: line + 1, to };
  if (rest.to - rest.from < FEWEST) return { from: to, to };
  for (let at = rest.from; at < to; at++) {
    if (DIRECTIVE.test(wordsOf(lines, at))) return { from: to, to };
  }
  return rest;
}

/** Whether a line warns whoever changes the code. */
export function isRemark(lines: Lines, line: number): boolean {
  return REMARK.test(wordsOf(lines, line));
}

/** What a note starts with in place of lines `[from, to)` of a comment: as the first one with words. */
export function leadInComment(lines: Lines, from: number, to: number): string {
  let line = from;
  while (line + 1 < to && !hasWords(wordsOf(lines, line))) line++;
  return (LEAD.exec(lineAt(lines, line))?.[0] ?? "").replace(/\S$/, "$& ");
}

/** Whether the first sentence goes on in the line after `line`. */
function isContinued(lines: Lines, line: number, last: number): boolean {
  if (line + 1 >= last || SENTENCE_END.test(lineAt(lines, line))) return false;
  const next = wordsOf(lines, line + 1);
  return hasWords(next) && !NEW_PART.test(next);
}

function wordsOf(lines: Lines, line: number): string {
  return lineAt(lines, line).slice(0, 400).replace(SIGNS, "");
}

function hasWords(words: string): boolean {
  return /[\p{L}\p{N}]/u.test(words);
}
