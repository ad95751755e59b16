/** Sections of a document: what each heading heads, and what its words say about it. @module */
import type { Lines } from "../../text/lines.ts";
import { BLANK, HEADING } from "./kinds.ts";
import type { Unit } from "./units.ts";

/** The section says what came out of it all, or what is to be done. */
export const RESULT = 1;
/** Few readers look for it. */
export const ASIDE = 2;

/** A heading and what stands below it up to the next one. */
export interface Section {
  /** First unit: the heading, or the start of the text. */
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
  /** 1 for the highest headings; 0 above the first one. */
  readonly level: number;
  /** One of many alike, as the members of a class: it may be left out whole if the note names it. */
  readonly isMember: boolean;
  /** The section is part of another member. */
  readonly isDetail: boolean;
  /** The nearest section above that this one is part of; -1 for none. */
  readonly parent: number;
  /** {@linkcode RESULT}, {@linkcode ASIDE} or 0. */
  readonly role: number;
}

/** Level of a heading without marks: below all that have them, and of one in capitals. */
const LABEL_LEVEL = 7;
const CAPITALS_LEVEL = 2;
/** Headings of this level and below may be members; the level above it only where there are many. */
const MEMBER_LEVEL = 4;
const MANY = 6;
/** UTF-16 units of a heading that are read. */
const WIDTH = 120;

const RESULT_WORDS =
  /\b(?:conclusions?|results?|verdict|summary|recommend\w*|decisions?|outcome|findings|next steps|actions?|to ?do|open|questions?|tl;?dr|breaking|security|deprecat\w*|removed|what to do|fazit|ergebnis\w*|zusammenfassung|empfehlung\w*)\b|итог|вывод|结论|结果|总结/i;
const ASIDE_WORDS =
  /\b(?:licen[sc]es?|licensing|contribut\w*|acknowledge?ments?|credits|authors?|maintainers|sponsors?|backers|badges|table of contents|contents|see also|copyright|community|reporting bugs|history|translations?|star history|lizenz|danksagung)\b|лицензия|许可/i;

/** Cuts a text into sections. O(text). */
export function outlineOf(lines: Lines, units: readonly Unit[]): Section[] {
  const starts: number[] = [0];
  for (let u = 1; u < units.length; u++) {
    if (units[u]!.kind === HEADING) starts.push(u);
  }
  const levels = starts.map((from) => levelOf(lines, units[from]));
  const counts = new Map<number, number>();
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1);
  const top = levels.find((level) => level > 0) ?? 0;
  const isDeep =
    levels.filter((level) => level >= MEMBER_LEVEL && level < LABEL_LEVEL)
      .length >= MANY;
  const sections: Section[] = [];
  starts.forEach((from, s) => {
    const level = levels[s]!;
    const parent = parentOf(sections, level);
    const isMany = counts.get(level)! >= MANY;
    sections.push({
      from,
      to: starts[s + 1] ?? units.length,
      level,
      parent,
      isMember: level > top && level >= MEMBER_LEVEL - 1 &&
        (isMany || (level >= MEMBER_LEVEL && level < LABEL_LEVEL && isDeep)),
      isDetail: parent >= 0 && isLeafOf(sections[parent]!),
      role: roleOf(lines, units[from]),
    });
  });
  return sections;
}

/** A member that says something itself; `#### Properties` does not. */
function isLeafOf({ isMember, from, to }: Section): boolean {
  return isMember && to > from + 1;
}

/** The last section of a higher level: found by going up from the one before. */
function parentOf(sections: readonly Section[], level: number): number {
  let parent = sections.length - 1;
  while (parent >= 0 && sections[parent]!.level >= level) {
    parent = sections[parent]!.parent;
  }
  return parent;
}

function levelOf({ codes }: Lines, unit: Unit | undefined): number {
  if (unit?.kind !== HEADING) return BLANK;
  let at = unit.start;
  while (codes[at] === 32) at++;
  const first = at;
  while (codes[at] === 35 && at - first < 6) at++;
  if (at > first) return at - first;
  const isCapitals = codes[first]! >= 65 && codes[first + 1]! <= 90;
  return isCapitals ? CAPITALS_LEVEL : LABEL_LEVEL;
}

function roleOf({ text }: Lines, unit: Unit | undefined): number {
  if (unit?.kind !== HEADING) return 0;
  const head = text.slice(unit.start, Math.min(unit.end, unit.start + WIDTH));
  if (ASIDE_WORDS.test(head)) return ASIDE;
  return RESULT_WORDS.test(head) ? RESULT : 0;
}
