/** The sections of a document: which say what came out of it, which are beside it, and which are asked for. @module */
import { indexLines, type Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { HEADING } from "./line_kinds.ts";
import type { Unit } from "./units.ts";

/** UTF-16 units of a heading that are read. */
const WIDTH = 160;
/** Sections whose headings name what is asked for, and the share of all that they may be. */
const MOST_ASKED = 3;
const ASKED = 0.4;
const RESULT_HEAD =
  /\b(?:conclusions?|results?|verdict|summary|recommend\w*|decisions?|outcome|findings|next steps|actions?|to ?do|open|questions?|tl;?dr|breaking|security|deprecat\w*|removed|what to do|fazit|ergebnis\w*)\b|итог|вывод|结论|结果/i;
const ASIDE_HEAD =
  /\b(?:licen[sc]es?|licensing|contribut\w*|acknowledge?ments?|credits|authors?|maintainers|sponsors?|backers|badges|(?:table of )?contents|see also|copyright|community|reporting bugs|history|translations?|lizenz|danksagung)\b|лицензия|许可/i;

/** A heading and what is below it. */
export interface Section {
  /** First unit: the heading, or the start of the text. */
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
  readonly isResult: boolean;
  readonly isAside: boolean;
  /** Its heading names what is asked for. */
  readonly isAsked: boolean;
}

/** Cuts a text into sections. O(text). */
export function sectionsOf(
  { text }: Lines,
  units: readonly Unit[],
  query: string,
): Section[] {
  const starts: number[] = [];
  const heads: string[] = [];
  for (const [u, { kind, said, end }] of units.entries()) {
    if (kind !== HEADING && u > 0) continue;
    starts.push(u);
    const [head = ""] = text.slice(said, Math.min(end, said + WIDTH)).split(
      "\n",
      1,
    );
    heads.push(kind === HEADING ? head : "");
  }
  const asked = askedOf(heads, query);
  return heads.map((head, s) => ({
    from: starts[s] ?? 0,
    to: starts[s + 1] ?? units.length,
    isResult: RESULT_HEAD.test(head),
    isAside: ASIDE_HEAD.test(head),
    isAsked: asked.has(s),
  }));
}

/** Sections that the question names, with the sections below them; not more than a part of all. O(headings). */
function askedOf(heads: readonly string[], query: string): Set<number> {
  const levels = heads.map(levelOf);
  const index = indexLines(heads.join("\n"));
  const asked = new Set<number>();
  for (const { line } of bestLines(index, queryTerms(query), MOST_ASKED)) {
    let to = line + 1;
    while (to < heads.length && (levels[to] ?? 0) > (levels[line] ?? 0)) to++;
    if (to - line > ASKED * heads.length) continue;
    for (let s = line; s < to; s++) asked.add(s);
  }
  return asked;
}

/** 1 for the highest headings; those without marks are below all others. */
function levelOf(head: string): number {
  if (head === "") return 0;
  const marks = /^\s*(#+)/.exec(head)?.[1];
  return marks?.length ?? (/^[A-Z]{2}/.test(head) ? 2 : 7);
}
