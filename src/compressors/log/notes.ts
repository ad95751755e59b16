/** The text of an elided log: kept lines as they were, a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline } from "../../text/lines.ts";
import {
  FAILURE,
  type Gap,
  gapsOf,
  type Kind,
  kindsIn,
  NOTICE,
  OTHERS,
  PROFIT,
  shortNote,
  totalsOf,
} from "./gaps.ts";
import { varyingParts } from "./varying.ts";
import type { LogView } from "./view.ts";

/** A gap of this size gets one more example, at most three. */
const PER_EXAMPLE = 240;
const MAX_EXAMPLES = 3;
/** UTF-16 units of an example. */
const EXAMPLE = 56;
/** Share of a gap that goes into a list of what varies, and UTF-16 units. */
const LIST_SHARE = 1 / 6;
const LONGEST_LIST = 480;
/** Time and brackets at the start of a line. */
const TIME = /^(?:\w+=)?["\s[(]*\d[\d\-/:.,TZ+\s\])"]*/;

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
  const told: Told = { ...totalsOf(view, gaps), shown: new Set() };
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
  /** Kinds of which a note gave an example. */
  readonly shown: Set<number>;
}

function noteFor(view: LogView, gap: Gap, told: Told): string {
  const { starts } = view.lines;
  const size = starts[gap.to]! - starts[gap.from]!;
  const examples = Math.min(MAX_EXAMPLES, Math.floor(size / PER_EXAMPLE));
  if (examples === 0) return shortNote(gap);
  const kinds = newKinds(view, gap, told).slice(0, examples);
  if (kinds.length === 0) return shortNote(gap);
  const width = Math.min(LONGEST_LIST, Math.floor(size * LIST_SHARE));
  const failures = kinds.filter(({ rank }) => rank === FAILURE)
    .map((kind) => describeFailure(view, gap, kind, told, width));
  const others = kinds.filter(({ rank }) => rank !== FAILURE)
    .map((kind) => describe(view, kind, told));
  const said = [failuresText(gap, failures), others.join(", ")]
    .filter((part) => part !== "").join("; ");
  const note = `${gap.range} (${said})`;
  if (note.length + PROFIT > size) return shortNote(gap);
  for (const { key } of kinds) told.shown.add(key);
  return note;
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
  const example = `"${exampleOf(view, kind.first)}"` +
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
  return `${count}${what} "${exampleOf(view, kind.first)}"`;
}

function countText({ count }: Kind, total: number): string {
  return total === count ? `${count}×` : `${count}× here, ${total}× in all:`;
}

/** Kinds of a gap that no note has told of, the most serious and most frequent first; single lines only when serious. */
function newKinds(view: LogView, gap: Gap, { counts, shown }: Told): Kind[] {
  return kindsIn(view, gap)
    .filter(({ key, rank, count }) =>
      !shown.has(key) &&
      (rank < OTHERS || (count > 1 && counts.get(key)! > 2))
    )
    .sort((a, b) => a.rank - b.rank || b.count - a.count || a.first - b.first);
}

function exampleOf({ lines }: LogView, line: number): string {
  const start = lines.starts[line]!;
  const end = Math.min(lines.starts[line + 1]! - 1, start + 200);
  const body = lines.text.slice(start, end);
  const said = body.replace(TIME, "").trim() || body.trim();
  return said.length <= EXAMPLE ? said : `${wholeUnits(said)}…`;
}

/** Cut without splitting a surrogate pair. */
function wholeUnits(said: string): string {
  const last = said.charCodeAt(EXAMPLE - 1);
  const splits = last >= 0xd800 && last < 0xdc00;
  return said.slice(0, splits ? EXAMPLE - 1 : EXAMPLE).trimEnd();
}
