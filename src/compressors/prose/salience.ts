/** How much each unit of a document tells a reader who has the rest of it. @module */
import type { Lines } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { cuesOf } from "./cues.ts";
import { EchoIndex } from "./echoes.ts";
import { factsOf } from "./facts.ts";
import { focusOn } from "./focus.ts";
import { CLUTTER, HEADING, ITEM, ROW } from "./kinds.ts";
import { newsOf } from "./news.ts";
import { ASIDE, outlineOf, RESULT, type Section } from "./outline.ts";
import { bounded, HARD } from "./points.ts";
import { BLOCK, ROWS, runsOf, TABLE } from "./runs.ts";
import { speakersOf } from "./speakers.ts";
import { CODE_HEAD, type Document, rateUnit } from "./unit_points.ts";
import { DESCRIBES, OPENS_PARAGRAPH, type Unit } from "./units.ts";

/** Points and cost of each unit. */
export interface Salience {
  /** From 0 to `MOST`, `HEADS` or `HARD`. */
  readonly points: Uint8Array;
  /** Estimated tokens. */
  readonly tokens: Float64Array;
  /** The sections. */
  readonly sections: readonly Section[];
}

/** Errors in one block of code that stay for certain. */
const ERRORS = 3;
/** Share of the tokens up to which a section that is asked for stays whole. */
const WHOLE = 0.2;
/** Tokens of a member that stays whole or goes whole. */
const SMALL_MEMBER = 110;
/** Points for a section that is asked for, for the others then, for a result, for what few look for, for a part of a member. */
const ASKED = 16;
const NOT_ASKED = -4;
const OF_RESULT = 12;
const OF_ASIDE = -25;
const OF_DETAIL = -16;
/** Points for a heading that fits the query best. */
const HEADED = 24;
/** Points that a part of a member has less than the member. */
const BELOW = 8;

/** Rates every unit. O(text). */
export function rateUnits(
  lines: Lines,
  units: readonly Unit[],
  { query, isEnglish }: {
    readonly query: string;
    readonly isEnglish: boolean;
  },
): Salience {
  const facts = units.map(({ start, end }) => factsOf(lines.codes, start, end));
  const tokens = Float64Array.from(facts, (each) => each.tokens);
  const sections = outlineOf(lines, units);
  const document: Document = {
    lines,
    units,
    facts,
    tokens,
    sections,
    runs: runsOf(lines, units),
    focus: focusOn(lines, units, { query, sections, tokens }),
    cues: cuesOf(lines, units, isEnglish),
    news: newsOf(facts),
    echoes: new EchoIndex(lines.codes),
    speakers: speakersOf(lines, units, tokens),
  };
  const total = tokens.reduce((sum, each) => sum + each, 0);
  const points = new Uint8Array(units.length);
  const talk = { tokens: 0 };
  sections.forEach(({ isMember, parent }, s) => {
    if (!isMember || !sections[parent]?.isMember) talk.tokens = 0;
    rateSection(document, s, { points, talk, total });
  });
  liftParents(document, points);
  keepErrors(document, points);
  for (const unit of document.focus.best) points[unit] = HARD;
  keepHeads(document, points);
  return { points, tokens, sections };
}

function rateSection(
  document: Document,
  s: number,
  { points, talk, total }: {
    readonly points: Uint8Array;
    readonly talk: { tokens: number };
    readonly total: number;
  },
): void {
  const { units, sections, focus, tokens } = document;
  const section = sections[s]!;
  const { from, to, isMember, isDetail } = section;
  const isAsked = focus.asked.has(s);
  let size = 0;
  for (let u = from; u < to; u++) size += tokens[u]!;
  const isWhole = isAsked && !isDetail && focus.fit[from]! > 0 &&
    size <= WHOLE * total;
  const bonus = bonusOf(section) + HEADED * focus.fit[from]! +
    (isAsked ? ASKED : focus.asked.size > 0 ? NOT_ASKED : 0);
  const met = { rules: 0, results: 0, sentences: 0 };
  const around = { section, talk, size, bonus, ...met };
  for (let u = from; u < to; u++) {
    const rated = rateUnit(document, u, around);
    const isKept = isWhole && units[u]!.kind !== CLUTTER && rated > 0;
    points[u] = isKept ? HARD : rated;
    talk.tokens += tokens[u]!;
  }
  if (isMember && size <= SMALL_MEMBER) {
    evenOut(document, section, points);
  }
}

function bonusOf({ role, isDetail }: Section): number {
  const ofRole = role === ASIDE ? OF_ASIDE : role === RESULT ? OF_RESULT : 0;
  return ofRole + (isDetail ? OF_DETAIL : 0);
}

/** A small member stays whole or goes whole, and no part of another member stays longer than that one. */
function evenOut(
  document: Document,
  section: Section,
  points: Uint8Array,
): void {
  const { tokens, sections, focus } = document;
  const { from, to, parent, isDetail } = section;
  let sum = 0;
  let size = 0;
  for (let u = from + 1; u < to; u++) {
    if (points[u] === HARD) return keepSignature(document, section, points);
    sum += points[u]! * tokens[u]!;
    size += tokens[u]!;
  }
  if (size === 0) return;
  const isFree = !isDetail || focus.fit[from]! > 0;
  const above = isFree ? HARD : points[sections[parent]!.from + 1]!;
  points.fill(bounded(Math.min(sum / size, above - BELOW)), from + 1, to);
}

/** A member stays as long as what is asked for of it. */
function liftParents(
  { sections, focus }: Document,
  points: Uint8Array,
): void {
  sections.forEach(({ isDetail, from, to, parent }) => {
    if (!isDetail || focus.fit[from] === 0 || to === from + 1) return;
    const above = sections[parent]!;
    for (let u = above.from + 1; u < above.to; u++) {
      points[u] = Math.max(points[u]!, points[from + 1]!);
    }
  });
}

/** What the member is, where something that is said of it stays. */
function keepSignature(
  { runs }: Document,
  { from, to }: Section,
  points: Uint8Array,
): void {
  points[from + 1] = HARD;
  for (let u = from + 1; u < to; u++) {
    if (runs.what[u] === BLOCK && runs.index[u]! < CODE_HEAD) points[u] = HARD;
  }
}

/** The start of an item, and an option, stays as long as anything that is said of it. */
function keepHeads({ units, runs }: Document, points: Uint8Array): void {
  let most = 0;
  for (let u = units.length - 1; u >= 0; u--) {
    const { kind, place } = units[u]!;
    const opens = (place & OPENS_PARAGRAPH) !== 0;
    const isOption = kind === ROW && runs.what[u] === ROWS;
    if ((kind === ITEM && opens) || isOption) {
      points[u] = Math.max(points[u]!, most);
      most = 0;
    } else if (kind === HEADING || runs.what[u] === TABLE) most = 0;
    else if (opens && (place & DESCRIBES) === 0) most = 0;
    else most = Math.max(most, points[u]!);
  }
}

/** Errors in code: the first ones of each block. */
function keepErrors(
  { lines, units, runs }: Document,
  points: Uint8Array,
): void {
  if (!runs.what.includes(BLOCK)) return;
  const flags = severities(lines);
  let found = 0;
  for (let u = 0; u < units.length; u++) {
    if (runs.what[u] !== BLOCK || runs.index[u] === 0) found = 0;
    if (runs.what[u] !== BLOCK || points[u] === HARD) continue;
    if ((flags[units[u]!.line]! & ERROR) === 0) continue;
    if (found++ < ERRORS) points[u] = HARD;
  }
}
