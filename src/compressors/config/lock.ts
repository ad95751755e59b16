/** Lock files: name and version of every package, the rest left out. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline, type Lines } from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";
import { type Folding, startFolding, writeFolded } from "./fold.ts";
import type { LockEntry, LockRegion } from "./lock_entry.ts";
import type { LockFormat } from "./lock_format.ts";
import { readGemfileLock, readGoSum } from "./lock_list.ts";
import { readTomlLock } from "./lock_toml.ts";
import { readPnpmLock, readYarnLock } from "./lock_yaml.ts";
import type { ConfigView } from "./view.ts";

const READERS: Readonly<Record<LockFormat, (lines: Lines) => LockRegion[]>> = {
  toml: readTomlLock,
  yarn: readYarnLock,
  pnpm: readPnpmLock,
  go: readGoSum,
  gem: readGemfileLock,
};

/** Packages that a question names and that stay whole. */
const WHOLE = 4;
/** Packages that are said to need one that a question names. */
const MOST_NEEDING = 40;
/** UTF-16 units that writing packages must save. */
const PROFIT = 40;
/** Names of what a package of the project itself needs. */
const MOST_NEEDS = 60;
/** Keys that a note names. */
const MOST_KEYS = 12;

/** An elided lock file. */
export interface ElidedLock {
  /** Lines outside the packages, notes, and the packages. */
  readonly text: string;
  /** In lines. */
  readonly omitted: Omitted;
}

/**
 * Writes each package in one line, with what sets it apart: a source that others do not have, what a package of the
 * project itself needs. Packages that the query names follow whole. `undefined` when there are none.
 */
export function elideLock(
  view: ConfigView,
  format: LockFormat,
  { query, firstLine }: { readonly query: string; readonly firstLine: number },
): ElidedLock | undefined {
  const { lines } = view;
  const regions = READERS[format](lines);
  if (regions.every(({ entries }) => entries.length === 0)) return undefined;
  const parts: string[] = [];
  const why = new Uint8Array(lines.count);
  for (const region of regions) why.fill(1, region.from, region.to);
  const writing: Writing = {
    lines,
    firstLine,
    folding: startFolding(view, firstLine, why),
    asked: askedFor(regions, query),
    parts,
  };
  let from = 0;
  let left = 0;
  for (const region of regions) {
    pushFolded(writing, from, region.from);
    left += writeRegion(writing, region);
    from = region.to;
  }
  pushFolded(writing, from, lines.count);
  const end = endsWithNewline(lines) ? "\n" : "";
  return {
    text: parts.join("\n") + end,
    omitted: { count: left, total: lines.count, unit: "lines" },
  };
}

/** What writing needs. */
interface Writing {
  readonly lines: Lines;
  readonly firstLine: number;
  /** Absent when notes of a fold could be taken for the text's own lines. */
  readonly folding: Folding | undefined;
  /** Names that the query asks for. */
  readonly asked: ReadonlySet<string>;
  readonly parts: string[];
}

function pushFolded(writing: Writing, from: number, to: number): void {
  if (writing.folding === undefined) pushLines(writing, from, to);
  else {
    writeFolded(writing.folding, { from, to }, (start, end, written) => {
      pushLines(writing, start, end);
      for (const line of written) writing.parts.push(line);
    });
  }
}

function pushLines({ lines, parts }: Writing, from: number, to: number): void {
  if (to > from) {
    parts.push(lines.text.slice(lines.starts[from]!, lines.starts[to]! - 1));
  }
}

/** Writes a region, as it is when the packages would not be shorter. @returns Lines left out. */
function writeRegion(writing: Writing, region: LockRegion): number {
  const { lines, parts } = writing;
  const { from, to } = region;
  const written: Writing = { ...writing, parts: [] };
  const left = writePackages(written, region);
  const size = written.parts.reduce((sum, part) => sum + part.length + 1, 0);
  if (size + PROFIT > lines.starts[to]! - lines.starts[from]!) {
    pushLines(writing, from, to);
    return 0;
  }
  for (const part of written.parts) parts.push(part);
  return left;
}

/** @returns Lines left out. */
function writePackages(writing: Writing, region: LockRegion): number {
  const { parts } = writing;
  const { from, to, entries } = region;
  parts.push(noteOf(writing, region));
  if (entries.length === 0) return to - from;
  const usual = usualSource(entries);
  for (const entry of entries) {
    parts.push(entry.said + apartFrom(writing, entry, usual));
  }
  let kept = entries.length;
  const whole = entries.filter(({ name }) => writing.asked.has(name));
  for (const entry of whole.slice(0, WHOLE)) {
    parts.push(`… ${rangeOf(writing, entry)} in full:`);
    pushLines(writing, entry.from, entry.to);
    kept += entry.to - entry.from - 1;
  }
  return Math.max(1, to - from - kept);
}

function noteOf(writing: Writing, region: LockRegion): string {
  const { entries, omitted, shows } = region;
  const some = omitted.slice(0, MOST_KEYS).join(", ");
  const keys = omitted.length > MOST_KEYS ? `${some} and more` : some;
  const range = rangeOf(writing, region);
  return entries.length === 0
    ? `… ${range} omitted (${keys || "no keys"} per package)`
    : `… ${range} omitted, but for ${shows} of ${countOf(entries)}; ` +
      `left out per package: ${keys}`;
}

function countOf({ length }: readonly LockEntry[]): string {
  return length === 1 ? "1 package" : `${length} packages`;
}

function rangeOf(
  { firstLine }: Writing,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  return to - from === 1
    ? `line ${from + firstLine}`
    : `lines ${from + firstLine}-${to - 1 + firstLine}`;
}

/** The source that most packages have; empty also when most have none. */
function usualSource(entries: readonly LockEntry[]): string {
  const counts = new Map<string, number>();
  let usual = "";
  for (const { source } of entries) {
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    if (count > (counts.get(usual) ?? 0)) usual = source;
  }
  return usual;
}

/** ` (source: …; needs a, b)`: what the other packages do not have; empty for most. */
function apartFrom(
  { asked }: Writing,
  { source, needs, remarks }: LockEntry,
  usual: string,
): string {
  const said = [...remarks];
  if (source !== usual) {
    said.push(source === "" ? "no source" : `source ${source}`);
    const some = needs.slice(0, MOST_NEEDS);
    const more = needs.length - some.length;
    if (more > 0) some.push(`${more} more`);
    if (needs.length > 0) said.push(`needs ${some.join(", ")}`);
  } else if (asked.size > 0) {
    const wanted = needs.filter((need) => asked.has(need));
    if (wanted.length > 0) said.push(`needs ${wanted.join(", ")}`);
  }
  return said.length === 0 ? "" : ` (${said.join("; ")})`;
}

/** Names of packages that the words of the query make up: `serde_json` for `serde json`. */
function askedFor(regions: readonly LockRegion[], query: string): Set<string> {
  const terms = new Set(queryTerms(query));
  const asked = new Set<string>();
  if (terms.size === 0) return asked;
  for (const { entries } of regions) {
    for (const { name } of entries) {
      if (asked.size >= MOST_NEEDING) return asked;
      if (!asked.has(name) && isNamed(name, terms)) asked.add(name);
    }
  }
  return asked;
}

function isNamed(name: string, terms: ReadonlySet<string>): boolean {
  const words = queryTerms(name.slice(name.lastIndexOf("/") + 1));
  return words.length > 0 && words.every((word) => terms.has(word));
}
