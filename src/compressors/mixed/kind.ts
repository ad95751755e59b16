/** Several texts in one: each in the form of its own kind, every byte between them as it was. @module */
import type { Kind, Part } from "../../core/kind.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Shorter texts have no part that would gain anything, in UTF-16 units. */
const MIN_LENGTH = 400;
/** Shorter sections are not asked about, in UTF-16 units. */
const MIN_SECTION = 160;
/** Start of the text that is looked at, in UTF-16 units. */
const SAMPLE = 16 * 1024;
/** A fence, a table, a line of JSON, or a blank line between two texts. */
const SEAM = /^(?:```|~~~|\|.*\||[[{])|\n[ \t]*\n/m;

/** Cuts a text at its seams. Asked last: any other kind comes first. */
export const mixedKind: Kind<string> = {
  id: "mixed",
  unit: "lines",
  parse: (text) =>
    text.length >= MIN_LENGTH && SEAM.test(text.slice(0, SAMPLE))
      ? text
      : undefined,
  parts(text) {
    const sections = sectionsOf(text);
    const [only] = sections;
    // A section with several texts in it comes back here by itself.
    const parts = sections.length === 1 && only !== undefined
      ? paragraphsOf(text, only)
      : sections.filter(({ kind }) => kind !== "frame");
    return parts.map((section) => partOf(text, section))
      .filter(({ start, end }) => end - start >= MIN_SECTION);
  },
};

/** A section without the newlines at its end, which belong to nobody. */
function partOf(text: string, section: Section): Part {
  const { start, line, language } = section;
  let { end } = section;
  while (end > start && text[end - 1] === "\n") end--;
  const path = `fence.${language.toLowerCase()}`;
  return { start, end, line, ...language !== "" && { path } };
}
