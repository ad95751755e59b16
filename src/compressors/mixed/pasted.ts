/** A user's text with what was pasted into it: parts that programs wrote, in the forms of their own kinds. @module */
import type { Kind, Part } from "../../core/kind.ts";
import { indexLines, lineAt, lineAtOffset } from "../../text/lines.ts";
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
  const lines = indexLines(text);
  const tags = new Tags();
  const runs = new Runs(lines);
  const found: Stretch[] = [];
  // One that lasts to the end of the text: who wrote what behind it is not known.
  let isOpen = false;
  for (const section of text.length < MIN_PART ? [] : sectionsOf(text)) {
    const last = lineAtOffset(lines, Math.max(section.start, section.end - 1));
    if (isOpen) break;
    if (section.kind === "rest") {
      for (let line = section.line; line <= last && !isOpen; line++) {
        const head = lineAt(lines, line);
        isOpen = FENCE.test(head);
        if (isOpen || tags.takes(head)) found.push(...runs.close());
        else runs.add(line, tags.path);
      }
    } else if (tags.isOwn || isSmall(section)) {
      if (tags.isOwn) found.push(...runs.close());
      else runs.addAll(section.line, last, tags.path);
    } else {
      found.push(...runs.close());
      if (section.kind !== "frame" && PRINTED.test(section.language)) {
        found.push({ ...bare(text, section), path: tags.path });
      }
    }
  }
  return withWords(text, [...found, ...runs.close()]);
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
