/** Text between blank lines. @module */
import type { Section } from "./sections.ts";

/** Cuts a section at its blank lines; a blank line belongs to the paragraph before it. O(n). */
export function paragraphsOf(
  text: string,
  section: Section,
): readonly Section[] {
  const paragraphs: Section[] = [];
  const { end } = section;
  let { start, line } = section;
  let at = start;
  let lines = 0;
  let blank = false;
  while (at < end) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 || newline >= end ? end : newline + 1;
    const isBlank = text.slice(at, next).trim() === "";
    if (blank && !isBlank && at > start) {
      paragraphs.push({ ...section, start, end: at, line });
      line += lines;
      lines = 0;
      start = at;
    }
    blank = isBlank;
    lines++;
    at = next;
  }
  if (start === section.start) return [];
  paragraphs.push({ ...section, start, end, line });
  return paragraphs;
}
