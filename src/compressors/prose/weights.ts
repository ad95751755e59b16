/** How much each unit of a document says to a reader: numbers, names, instructions, decisions, failures, answers. @module */
import { countsOf } from "../../text/counts.ts";
import { STAYS } from "../../engine/choose.ts";
import { codeAt, type Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { hashOf } from "../../text/words.ts";
import { cuesOf, RULE } from "./cues.ts";
import {
  CLUTTER,
  CODE,
  FENCE,
  HEADING,
  ITEM,
  ROW,
  TEXT,
} from "./line_kinds.ts";
import { ISSUE_HEAD } from "./parse.ts";
import { type Section, sectionsOf } from "./sections.ts";
import type { Unit } from "./units.ts";

/** UTF-16 units of a sentence in which its form is looked for. */
const WIDTH = 160;
/** Weight of what repeats an earlier sentence, or says next to nothing. */
const NOTHING = 4;
/** UTF-16 units of a sentence that may repeat an earlier one. */
const LEAST_ECHO = 24;
/** Units that answer the question, and the share of the best fit that they need. */
const ANSWERS = 4;
const LEAST_FIT = 0.5;
/** Units of a list that an answer leads to. */
const MOST_LISTED = 24;
const COLON = 58;
/** UTF-16 units of a text whose first sentences stay only if they name something. */
const LONG = 4000;
const BAR = 124;
/** Failing lines of a block that stay. */
const MOST_ERRORS = 3;
/** Entries of a long list, and what they are. */
const LONG_RUN = 8;
const USUAL = 1;
const ODD = 2;

/** Points for the strongest cue. */
const CUE_POINTS = [0, 20, 34];
const NUMBER = /\d/;
/** Code, a path, an identifier, an acronym. */
const NAME = /`|\w[_/.:]\w|[a-z][A-Z]|\b[A-Z]{2}/;
/** Starts what came out of it all. */
const VERDICT =
  /^[\s>*_\d.-]*(?:decision|decided|verdict|conclusion|result|recommendation|status|root cause|cause|tl;dr|summary|short version|short answer|bottom line|outcome|workaround|fazit|ergebnis|вывод|итог|结论)\b[^.:\n]{0,24}:/i;
/** Sentences of the usual licences. */
const LICENCE =
  /^[\s>*_"'(-]*(?:permission is hereby granted, free|permission to use, copy, modify|the above copyright notice and|the software is provided "as is"|in no event shall the|redistributions? (?:and use|of source code|in binary form)|this software is provided by the|neither the name of|unless required by applicable law|licensed under the apache|you may not use this file except|you may obtain a copy of|see the license for the specific|this program is free software[:;]|this program is distributed in|you should have received a copy of the gnu|copyright\b.{0,60}all rights reserved)/i;
/** Who says what follows: in a review, a thread, between the comments that `gh` prints. */
const SPEAKER =
  /^[\s>]*(?:(?:\*\*[^*]{2,40}\*\*|@[\w-]{2,40})(?: on `[^`]*`| \([^)]*\)| (?:commented|wrote|said|replied|asked)\b.*|,? [\d:.\-TZ ]+)?:?|--)\s*$/;
/** A cell that says no more than that something failed. */
const FAILED_CELL =
  /\|[\s*_`]*(?:❌|✗|fail\w*|error\w*|broken|crash\w*|timed? ?out|critical)[\s*_`!]*\|/i;

/** What is known about all units. */
interface Reading {
  readonly lines: Lines;
  readonly units: readonly Unit[];
  /** Strongest cue of each unit. */
  readonly cues: Uint8Array;
  /** Units that answer the question. */
  readonly answers: ReadonlySet<number>;
  /** Entries of long lists: {@linkcode USUAL} or {@linkcode ODD}. */
  readonly entries: Uint8Array;
  /** 1 for a unit that names who says what follows. */
  readonly speakers: Uint8Array;
  /** Sentences so far. */
  readonly said: Set<string>;
}

/** A unit, its section, and what was met so far in it. */
interface Place {
  u: number;
  readonly section: Section;
  results: number;
  sentences: number;
}

/** Weights of all units. O(text). */
export function weightsOf(
  lines: Lines,
  units: readonly Unit[],
  query: string,
): Uint8Array {
  // The arguments of the call say less of what is wanted.
  const call = query.lastIndexOf("\n{");
  const asked = call > 0 ? query.slice(0, call) : query;
  const reading: Reading = {
    lines,
    units,
    cues: cuesOf(lines, units),
    answers: answersOf(lines, units, asked),
    entries: entriesOf(lines, units),
    speakers: speakersOf(lines, units),
    said: new Set(),
  };
  const weights = new Uint8Array(units.length);
  for (const section of sectionsOf(lines, units, query)) {
    const met = { results: 0, sentences: 0 };
    const place = { ...met, section, u: section.from };
    for (; place.u < section.to; place.u++) {
      weights[place.u] = weigh(reading, place);
    }
  }
  keepErrors(reading, weights);
  return weights;
}

function weigh(reading: Reading, place: Place): number {
  const { lines, units, speakers, entries, answers } = reading;
  const { u, section } = place;
  const { kind, said: from, end } = units[u]!;
  if (kind === CLUTTER) return 0;
  if (kind === HEADING) return STAYS;
  const said = lines.text.slice(from, end);
  const isEcho = said.length >= LEAST_ECHO && reading.said.has(said);
  reading.said.add(said);
  // Nobody must seem to have said what another one said.
  const isSpoken = speakers[u] === 1 || speakers[u - 1] === 1;
  if (isSpoken || answers.has(u) || entries[u] === ODD) return STAYS;
  if (isEcho || entries[u] === USUAL) return NOTHING;
  if (section.isAsked || ISSUE_HEAD.test(said)) return STAYS;
  return weighSaid(reading, place, said);
}

/** By what a unit says and where. */
function weighSaid(reading: Reading, place: Place, said: string): number {
  const { section } = place;
  const kind = reading.units[place.u]?.kind;
  const points = kind === TEXT || kind === ITEM
    ? rateSentence(reading, place, said)
    : rateLine(reading, place, said);
  if (points === 0 || points === STAYS) return points;
  const more = (section.isAside ? -25 : section.isResult ? 12 : 0) +
    (NUMBER.test(said) ? 50 : 0) + (NAME.test(said) ? 12 : 0);
  return Math.max(NOTHING, Math.min(STAYS - 1, 2 * (points + more)));
}

function rateSentence(
  { lines, units, cues }: Reading,
  place: Place,
  said: string,
): number {
  const { u, section } = place;
  const head = said.slice(0, WIDTH);
  const cue = codeAt(cues, u);
  if (u > 0 && LICENCE.test(head)) return 0;
  const isFirst = place.sentences++ === 0;
  if (cue === RULE || isVerdict(head)) return STAYS;
  const isTop = (isFirst && !section.isAside) ||
    (section.isResult && place.results++ < 3);
  if (isTop && (lines.text.length <= LONG || names(said))) return STAYS;
  if (/\?[\s*]*$/.test(said)) return u >= units.length - 2 ? STAYS : 80;
  return (units[u]?.opens === true ? 51 : 37) + (isTop ? 25 : 0) +
    CUE_POINTS[cue]!;
}

function isVerdict(head: string): boolean {
  return head.includes(":") && VERDICT.test(head);
}

/** Whether a sentence names something. */
function names(said: string): boolean {
  return NUMBER.test(said) || NAME.test(said);
}

/** A row of a table or of an option, or code. */
function rateLine(
  { lines, units }: Reading,
  { u, section }: Place,
  said: string,
): number {
  const unit = units[u];
  const before = units[u - 1]?.kind;
  if (unit?.kind === ROW) {
    // The head of a table, and the line below it.
    const isTop = lines.codes[unit.said] === BAR &&
      (before !== ROW || units[u - 2]?.kind !== ROW);
    if (FAILED_CELL.test(said)) return STAYS;
    return isTop && !section.isAside ? STAYS : 46;
  }
  // The fence's end, or the head of a block.
  const opens = before !== unit?.kind || unit?.kind === FENCE;
  if (!opens) return 34;
  return section.isAside ? 62 : lines.text.length > LONG ? 75 : STAYS;
}

/** Units that fit the question best, and the lists and the code that they lead to. O(text). */
function answersOf(
  { text, codes }: Lines,
  units: readonly Unit[],
  query: string,
): Set<number> {
  const starts = new Uint32Array(units.length + 1);
  for (const [u, { start }] of units.entries()) starts[u] = start;
  starts[0] = 0;
  starts[units.length] = text.length + 1;
  const index = { text, codes, starts, count: units.length };
  const answers = new Set<number>();
  const ranked = bestLines(index, queryTerms(query), ANSWERS);
  for (const { line, score } of ranked) {
    if (score >= LEAST_FIT * (ranked[0]?.score ?? 0)) answers.add(line);
  }
  for (const answer of [...answers]) {
    const { kind, end = 0 } = units[answer] ?? {};
    if (kind === HEADING || codes[end - 1] !== COLON) continue;
    for (let u = answer + 1; u < answer + MOST_LISTED; u++) {
      const { kind, isListed } = units[u] ?? {};
      const isLed = isListed || kind === ROW || kind === FENCE || kind === CODE;
      if (!isLed) break;
      answers.add(u);
    }
  }
  return answers;
}

/** In lists and tables of many entries, those that end like most of them, and the few that do not. O(text). */
function entriesOf({ codes }: Lines, units: readonly Unit[]): Uint8Array {
  const entries = new Uint8Array(units.length);
  const lastWord = ({ said, end }: Unit) => {
    let last = end;
    while (
      last > said && (codeAt(codes, last - 1) <= 32 || codes[last - 1] === 124)
    ) last--;
    let first = last;
    while (first > said && codeAt(codes, first - 1) > 32) first--;
    return hashOf(codes, first, last);
  };
  for (let from = 0; from < units.length;) {
    const kind = units[from]?.kind;
    let to = from + 1;
    while (to < units.length && units[to]?.kind === kind) to++;
    if ((kind === ITEM || kind === ROW) && to - from >= LONG_RUN) {
      const words = units.slice(from, to).map(lastWord);
      for (const [usual, count] of countsOf(words)) {
        if (count < 0.6 * words.length) continue;
        for (const [i, word] of words.entries()) {
          entries[from + i] = word !== usual ? ODD : i >= 5 ? USUAL : 0;
        }
      }
    }
    from = to;
  }
  return entries;
}

/** Marks who speaks, where three do or more. O(text). */
function speakersOf({ text }: Lines, units: readonly Unit[]): Uint8Array {
  const speakers = Uint8Array.from(
    units,
    ({ said, end, opens }) =>
      opens && end - said < 90 && SPEAKER.test(text.slice(said, end)) ? 1 : 0,
  );
  const count = speakers.reduce((sum, each) => sum + each, 0);
  return count >= 3 ? speakers : speakers.fill(0);
}

/** Failing lines of code stay: the first ones of each block. */
function keepErrors({ lines, units }: Reading, weights: Uint8Array): void {
  if (!units.some(({ kind }) => kind === CODE)) return;
  const flags = severities(lines);
  let found = 0;
  for (const [u, { kind, line }] of units.entries()) {
    if (kind !== CODE) found = 0;
    else if ((codeAt(flags, line) & ERROR) !== 0 && found++ < MOST_ERRORS) {
      weights[u] = STAYS;
    }
  }
}
