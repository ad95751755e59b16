/** The part of BENCHMARKS.md that the quality bench writes. @module */

const OPEN = "<!-- quality -->";
const CLOSE = "<!-- /quality -->";

/** The section of `document` with its two lines; empty when there is none. */
export function sectionIn(document: string): string {
  const start = document.indexOf(OPEN);
  const end = document.indexOf(CLOSE, start);
  return start < 0 || end < 0 ? "" : document.slice(start, end + CLOSE.length);
}

/** `document` with `content` as its section, in place or at the end. */
export function withSection(document: string, content: string): string {
  const section = `${OPEN}\n\n${content.trim()}\n\n${CLOSE}`;
  const old = sectionIn(document);
  return old === ""
    ? `${document.trimEnd()}\n\n${section}\n`
    : document.replace(old, () => section);
}
