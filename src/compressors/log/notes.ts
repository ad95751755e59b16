/** The text of an elided log: kept lines as they were, a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline } from "../../text/lines.ts";
import {
  FAILURE,
  type Gap,
  gapsOf,
  type Kind,
  kindsIn,
  noteOf,
  NOTICE,
  OTHERS,
  PROFIT,
  quietIn,
  shortNote,
  totalsOf,
  warningsText,
} from "./gaps.ts";
import { varyingParts } from "./varying.ts";
import type { LogView } from "./view.ts";

/** A gap of this size gets one more example, at most three; one with failures gets them earlier. */
const PER_EXAMPLE = 480;
const PER_FAILURE = 240;
const MAX_EXAMPLES = 3;
/** UTF-16 units of an example, and of one of a failure. */
const EXAMPLE = 40;
const FAILURE_EXAMPLE = 56;
/** Gaps of fewer UTF-16 units are not described, unless something failed in them. */
const LEAST_TOLD = 160;
/** Stands for all steps among the kinds of which there is an example; no kind has it. */
const STEPS = NaN;
/** Share of a gap that goes into a list of what varies, and UTF-16 units. */
const LIST_SHARE = 1 / 6;
const LONGEST_LIST = 480;
/** Time and brackets at the start of a line. */
const TIME = /^(?:\w+=)?["\s[(]*\d[\d\-/:.,TZ+\s\])"]*/;
/** Threads, times in brackets and dashes at the start of what is left, and levels that say nothing. */
const BRACKETS = /^(?:\[[\w.:\/ +-]{1,32}\][\s:]*|(?:-[ -]*)+)/;
const LEVEL =
  /^(?:level=|lvl=)?\[?(?:INFO|DEBUG|TRACE|NOTICE|LOG|info|debug|trace)\]?[\s:|]+/;

/**
 * Writes the kept lines and the notes; a gap that its note would not pay for is kept.
 * A note of a gap with failures says how many they are, whatever else it says.
 */
export function renderElided(
  view: LogView,
  keep: Uint8Array,
): { text: string; omitted: Omitted } {
  const { text, starts, count } = view.lines;
  const gaps = gapsOf(view, keep);
  const told: Told = {
    ...totalsOf(view, gaps),
    inline: groupsIn(view, keep),
    shown: new Set(),
  };
  const parts: string[] = [];
  let omitted = 0;
  let from = 0;
  for (const gap of gaps) {
    parts.push(text.slice(starts[from]!, starts[gap.from]!));
    parts.push(noteFor(view, gap, told), "\n");
    omitted += gap.to - gap.from;
    from = gap.to;
  }
  parts.push(text.slice(starts[from]!));
  let out = parts.join("");
  if (from === count && !endsWithNewline(view.lines)) out = out.slice(0, -1);
  return {
    text: out,
    omitted: { count: omitted, total: count, unit: "lines" },
  };
}

/** What the notes have said so far. */
interface Told {
  /** Lines per kind in all gaps. */
  readonly counts: ReadonlyMap<number, number>;
  /** Indexes of the lines per kind of failure. */
  readonly failures: ReadonlyMap<number, readonly number[]>;
  /** Groups of which a line stays. */
  readonly inline: ReadonlySet<number>;
  /** Kinds of which a note gave an example. */
  readonly shown: Set<number>;
}

function groupsIn({ groups }: LogView, keep: Uint8Array): Set<number> {
  const inline = new Set<number>();
  for (let i = 0; i < keep.length; i++) if (keep[i]) inline.add(groups[i]!);
  return inline;
}

function noteFor(view: LogView, gap: Gap, told: Told): string {
  const { starts } = view.lines;
  const size = starts[gap.to]! - starts[gap.from]!;
  const each = gap.failing > 0 ? PER_FAILURE : PER_EXAMPLE;
  const examples = Math.min(MAX_EXAMPLES, Math.floor(size / each));
  const quiet = size < LEAST_TOLD ? "" : describeQuiet(view, gap, told);
  const kinds = newKinds(view, gap, told).slice(0, examples);
  if (kinds.length === 0 && quiet === "") return shortNote(gap);
  const width = Math.min(LONGEST_LIST, Math.floor(size * LIST_SHARE));
  const failures = kinds.filter(({ rank }) => rank === FAILURE)
    .map((kind) => describeFailure(view, gap, kind, told, width));
  const others = kinds.filter(({ rank }) => rank !== FAILURE)
    .map((kind) => describe(view, kind, told));
  const note = noteOf(gap, [
    failuresText(gap, failures),
    warningsText(gap),
    [quiet, ...others].filter((part) => part !== "").join(", "),
  ]);
  if (note.length + PROFIT > size) return shortNote(gap);
  for (const { key } of kinds) told.shown.add(key);
  return note;
}

/** `28 passed, 45 steps`, with an example of a step in the first note that has some. */
function describeQuiet(view: LogView, gap: Gap, told: Told): string {
  const { passed, steps, first } = quietIn(view, gap);
  const said: string[] = [];
  if (passed > 1) said.push(`${passed} passed`);
  if (steps > 1) {
    const example = told.shown.has(STEPS)
      ? ""
      : ` like "${exampleOf(view, { first, rank: OTHERS })}"`;
    told.shown.add(STEPS);
    said.push(`${steps} steps${example}`);
  }
  return said.join(", ");
}

/** `521 error lines in 26 groups, e.g. …, …`. */
function failuresText(gap: Gap, described: readonly string[]): string {
  if (described.length === 0) return gap.failures;
  if (gap.failing === 1) return `${gap.failures}${described[0]}`;
  const lead = described.length < gap.failing ? ", e.g. " : ": ";
  return gap.failures + lead + described.join(", ");
}

/** `12× here, 160× in all: "connection to db-3 refused" (db-3…db-90)`; no count of its own for the only kind. */
function describeFailure(
  view: LogView,
  gap: Gap,
  kind: Kind,
  told: Told,
  width: number,
): string {
  const members = told.failures.get(kind.key)!;
  const list = members.length > 1
    ? varyingParts(view.lines, members, width)
    : "";
  const example = `"${exampleOf(view, kind)}"` +
    (list === "" ? "" : ` (${list})`);
  if (gap.failing > 1) return `${countText(kind, members.length)} ${example}`;
  const inAll = members.length === kind.count
    ? ""
    : `, ${members.length} in all gaps`;
  return `${inAll}: ${example}`;
}

/** `12× "GET /health 200"`, or `12× here, 160× in all: "GET /health 200"`. */
function describe(view: LogView, kind: Kind, told: Told): string {
  const what = kind.rank === NOTICE ? " warning" : "";
  const count = countText(kind, told.counts.get(kind.key)!);
  return `${count}${what} "${exampleOf(view, kind)}"`;
}

function countText({ count }: Kind, total: number): string {
  return total === count ? `${count}×` : `${count} of ${total}×`;
}

/** Kinds of a gap that no note has told of, the most serious and most frequent first; single lines only when serious. */
function newKinds(
  view: LogView,
  gap: Gap,
  { counts, inline, shown }: Told,
): Kind[] {
  return kindsIn(view, gap)
    .filter(({ key, rank, count, first }) =>
      !shown.has(key) &&
      (rank === FAILURE || !inline.has(view.groups[first]!)) &&
      (rank < OTHERS || (count > 1 && counts.get(key)! > 2))
    )
    .sort((a, b) => a.rank - b.rank || b.count - a.count || a.first - b.first);
}

function exampleOf(
  { lines }: LogView,
  { first, rank }: Pick<Kind, "first" | "rank">,
): string {
  const start = lines.starts[first]!;
  const end = Math.min(lines.starts[first + 1]! - 1, start + 300);
  const body = lines.text.slice(start, end).trim();
  let said = body.replace(TIME, "");
  for (let n = 0; n < 3; n++) {
    said = said.replace(BRACKETS, "");
    if (rank !== FAILURE) said = said.replace(LEVEL, "");
  }
  const width = rank === FAILURE ? FAILURE_EXAMPLE : EXAMPLE;
  const whole = said.trim() || body;
  return whole.length <= width ? whole : `${wholeUnits(whole, width)}…`;
}

/** Cut behind a word if one ends in the second half, and never within a surrogate pair. */
function wholeUnits(said: string, width: number): string {
  const blank = said.lastIndexOf(" ", width);
  if (blank >= width / 2) return said.slice(0, blank).trimEnd();
  const last = said.charCodeAt(width - 1);
  const splits = last >= 0xd800 && last < 0xdc00;
  return said.slice(0, splits ? width - 1 : width).trimEnd();
}
