/** A user's text with what was pasted into it: parts that programs wrote, in the forms of their own kinds. @module */
import type { Kind, Part } from "../../core/kind.ts";
import {
  indexLines,
  lineAt,
  lineAtOffset,
  type Lines,
} from "../../text/lines.ts";
import { Runs, type Stretch } from "./runs.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { Tags } from "./tags.ts";

/** Shorter parts do not have some hundred tokens, in UTF-16 units. */
const MIN_PART = 1000;
/** UTF-16 units of what is said around the parts, from its start and its end each. */
const MAX_SAID = 2000;
/** Languages of fences that hold what programs print. Others are code, or files that somebody writes. */
const PRINTED =
  /^(?:text|txt|plain|plaintext|logs?|console|output|terminal|shellsession|ansi|json|jsonl|ndjson|diff|patch|csv|tsv|trace|stacktrace)?$/i;

/** Keeps every character around the parts. */
export const pastedKind: Kind<readonly Part[]> = {
  id: "pasted",
  unit: "lines",
  keepsRest: true,
  parse: pastedParts,
  parts: (parts) => parts,
};

/**
 * Finds the parts of a user's text that programs may have written: fenced blocks, documents in tags, JSON, tables, and
 * runs of lines that nobody types. What they are is for their kinds to say. O(n).
 */
export function pastedParts(text: string): readonly Part[] {
  const found = text.length < MIN_PART ? [] : new Search(text).stretches();
  return withWords(text, found);
}

/** One look at a text, section by section. */
class Search {
  readonly #lines: Lines;
  readonly #tags = new Tags();
  readonly #runs: Runs;
  readonly #found: Stretch[] = [];
  /** A fence that lasts to the end of the text: who wrote what behind it is not known. */
  #isOpen = false;

  constructor(text: string) {
    this.#lines = indexLines(text);
    this.#runs = new Runs(this.#lines);
  }

  /** What may have been pasted, in order. */
  stretches(): readonly Stretch[] {
    for (const section of sectionsOf(this.#lines.text)) {
      if (this.#isOpen) break;
      if (section.kind === "rest") this.#takeLines(section);
      else this.#takeSection(section);
    }
    this.#close();
    return this.#found;
  }

  #close(): void {
    this.#found.push(...this.#runs.close());
  }

  #takeLines(section: Section): void {
    const tags = this.#tags;
    const last = this.#lastLine(section);
    for (let line = section.line; line <= last && !this.#isOpen; line++) {
      // A change may hold lines that look like tags and fences.
      if (!tags.isOwn && this.#runs.addChange(line, tags.path)) continue;
      const text = lineAt(this.#lines, line);
      this.#isOpen = FENCE.test(text);
      if (this.#isOpen || tags.takes(text)) this.#close();
      else this.#runs.add(line, tags.path);
    }
  }

  #takeSection(section: Section): void {
    const { isOwn, path } = this.#tags;
    if (!isOwn && isSmall(section)) {
      this.#runs.addAll(section.line, this.#lastLine(section), path);
      return;
    }
    this.#close();
    if (isOwn || section.kind === "frame") return;
    if (!PRINTED.test(section.language)) return;
    this.#found.push({ ...bare(this.#lines.text, section), path });
  }

  #lastLine({ start, end }: Section): number {
    return lineAtOffset(this.#lines, Math.max(start, end - 1));
  }
}

/** The first line of a fenced block. */
const FENCE = /^ {0,3}(?:```|~~~)/;

/** JSON and tables that are a line of more of them. */
function isSmall({ kind, start, end }: Section): boolean {
  return (kind === "json" || kind === "table") && end - start < MIN_PART;
}

/** Without the line feeds at its end. */
function bare(text: string, { start, end: behind, line }: Section) {
  let end = behind;
  while (end > start && text[end - 1] === "\n") end--;
  return { start, end, line };
}

/** The parts, each with what is said around all of them. */
function withWords(
  text: string,
  stretches: readonly Stretch[],
): readonly Part[] {
  const long = stretches.filter(({ start, end }) => end - start >= MIN_PART);
  const words: string[] = [];
  let from = 0;
  for (const { start, end } of long) {
    words.push(text.slice(from, start));
    from = end;
  }
  const said = [...words, text.slice(from)].join("\n").trim();
  const around = said.length <= 2 * MAX_SAID
    ? said
    : `${said.slice(0, MAX_SAID)}\n${said.slice(-MAX_SAID)}`;
  return long.map(({ start, end, line, path }) => ({
    ...{ start, end, line, around },
    ...path !== "" && { path },
  }));
}
