/** The text of an elided log: kept lines as they were, a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline } from "../../text/lines.ts";
import { ERROR, WARNING } from "../../text/severity.ts";
import type { LogView } from "./view.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 24;
/** A gap of this size gets one more example, at most three. */
const PER_EXAMPLE = 240;
const MAX_EXAMPLES = 3;
/** UTF-16 units of an example. */
const EXAMPLE = 56;
/** Time and brackets at the start of a line. */
const TIME = /^(?:\w+=)?["\s[(]*\d[\d\-/:.,TZ+\s\])"]*/;

/** Writes the kept lines and the notes; a gap that its note would not pay for is kept. */
export function renderElided(
  view: LogView,
  keep: Uint8Array,
): { text: string; omitted: Omitted } {
  const { text, starts, count } = view.lines;
  const parts: string[] = [];
  const told: Told = { totals: totalsOf(view, keep), shown: new Set() };
  let omitted = 0;
  let from = 0;
  for (let i = 0; i < count;) {
    if (keep[i]) {
      i++;
      continue;
    }
    let end = i + 1;
    while (end < count && !keep[end]) end++;
    const note = noteFor(view, i, end, told);
    if (note !== undefined) {
      parts.push(text.slice(starts[from]!, starts[i]!), note, "\n");
      omitted += end - i;
      from = end;
    }
    i = end;
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
  /** Lines per group that are not kept. */
  readonly totals: ReadonlyMap<number, number>;
  /** Groups of which a note gave an example. */
  readonly shown: Set<number>;
}

function totalsOf(view: LogView, keep: Uint8Array): Map<number, number> {
  const totals = new Map<number, number>();
  view.groups.forEach((group, i) => {
    if (!keep[i]) totals.set(group, (totals.get(group) ?? 0) + 1);
  });
  return totals;
}

function noteFor(
  view: LogView,
  from: number,
  to: number,
  told: Told,
): string | undefined {
  const { starts, count } = view.lines;
  const size = starts[to]! - starts[from]!;
  const range = to - from === 1
    ? `line ${to} of ${count}`
    : `lines ${from + 1}-${to} of ${count}`;
  const plain = `… ${range} omitted`;
  if (size < plain.length + PROFIT) return undefined;
  const examples = Math.min(MAX_EXAMPLES, Math.floor(size / PER_EXAMPLE));
  const kinds = newKinds(view, from, to, told).slice(0, examples);
  if (kinds.length === 0) return plain;
  for (const kind of kinds) told.shown.add(kind.group);
  return `${plain} (${kinds.map((kind) => describe(view, kind)).join(", ")})`;
}

/** A kind of line within one gap. */
interface Kind {
  readonly group: number;
  readonly first: number;
  readonly rank: number;
  /** Lines in this gap. */
  count: number;
  /** Lines in all gaps. */
  readonly total: number;
}

const RANKS = [" error", " warning", ""];

/** `12× "GET /health 200"`, or `12× here, 160× in all: "GET /health 200"`. */
function describe(view: LogView, kind: Kind): string {
  const example = `"${exampleOf(view, kind.first)}"`;
  const what = RANKS[kind.rank];
  return kind.total === kind.count
    ? `${kind.count}×${what} ${example}`
    : `${kind.count}× here, ${kind.total}× in all:${what} ${example}`;
}

/** Kinds of a gap that no note has told of, the most serious and most frequent first; single lines only when serious. */
function newKinds(
  view: LogView,
  from: number,
  to: number,
  { totals, shown }: Told,
): Kind[] {
  const kinds = new Map<number, Kind>();
  for (let i = from; i < to; i++) {
    const group = view.groups[i]!;
    if (group === 0 || shown.has(group)) continue;
    const kind = kinds.get(group);
    if (kind !== undefined) kind.count++;
    else {
      const total = totals.get(group) ?? 1;
      const rank = rankOf(view.flags[i]!);
      kinds.set(group, { group, first: i, rank, count: 1, total });
    }
  }
  return [...kinds.values()]
    .filter((kind) => kind.rank < 2 || (kind.count > 1 && kind.total > 2))
    .sort((a, b) => a.rank - b.rank || b.count - a.count || a.first - b.first);
}

function rankOf(flags: number): number {
  return flags & ERROR ? 0 : flags & WARNING ? 1 : 2;
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
