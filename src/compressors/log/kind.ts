/** Build, test and service logs: what failed, what resulted, one of each kind of message. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Gap, Kind, Rewrite, Told } from "../../core/kind.ts";
import { foldStarts } from "../../engine/line_starts.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { indexLines, keyAt, lineAt, lineStart } from "../../text/lines.ts";
import { ERROR, FAILED, PASSED, WARNING } from "../../text/signs/flags.ts";
import { framesOf, USER_FRAME } from "../../text/signs/frames.ts";
import { excuseRefused, severities } from "../../text/signs/severity.ts";
import { recogniseLog } from "./recognise.ts";
import { FRAME, type LogView, PART, QUIET, viewLog, VOID } from "./view.ts";
import { weigh } from "./weights.ts";

/** Shorter logs are only folded. */
const FEWEST_LINES = 8;
/** A text that cannot be unfolded must get this much shorter by signs. */
const WORTH_SIGNS = 0.88;
/** Share of the lines up to which failures stay whole in a text that can be unfolded. */
const FEW_SHARE = 0.1;
/** Kinds named in a note, and UTF-16 units of a gap for each of them and for each kind of failure. */
const MAX_NAMED = 3;
const PER_KIND = 480;
const PER_FAILURE = 240;
/** Gaps of fewer UTF-16 units are not described, unless something failed in them. */
const LEAST_TOLD = 160;
/** UTF-16 units of an example, and of one of a failure. */
const EXAMPLE = 40;
const FAILURE_EXAMPLE = 56;
/** Said of all steps once. */
const STEPS = "steps";

/** A file with a line, or a host with a port. */
const PLACE =
  /(?:[A-Za-z][\w./@-]*|\d+\.\d+\.\d+\.\d+)(?::\d+(?::\d+)?|\(\d+,\d+\))/g;
/** Places that a note lists. */
const MAX_PLACES = 12;
/** UTF-16 units of a line that are looked at for an example. */
const LONGEST = 400;

/** Levels and ids, which tell no kind of message from another. */
const UNSAID =
  /^(?:level=|lvl=)?\[?(?:INFO|DEBUG|TRACE|NOTICE|LOG)\]?[\s:|]+|\S*\d[\da-f]{2}\S*\s+/gi;
const SPACE = 32;
const BRACKET = 91;
const FAILURE = 0;
const NOTICE = 1;
const OTHERS = 2;

/** The kind of build, test and service logs. */
export const logKind: Kind<LogView> = {
  id: "log",
  unit: "lines",
  parse: (text) => recogniseLog(text) < 0.8 ? undefined : viewLog(text),
  fold: ({ text }) => foldLog(text),
  units(view, { query }: CompressContext) {
    const { text, lines } = view;
    if (lines.count < FEWEST_LINES) return undefined;
    const weights = weigh(view, query);
    const isPlain = lines.text === text;
    return {
      starts: startsOf(isPlain ? lines.starts : indexLines(text).starts, text),
      weights,
      ...!isPlain && {
        write: (unit: number) =>
          lines.text.slice(lineStart(lines, unit), lineStart(lines, unit + 1)),
      },
    };
  },
  label: labelOf,
  polish(text, { lines, standouts }) {
    const unusual = new Set(standouts.map((line) => lineAt(lines, line)));
    const isFailing = failingIn(text, 1);
    const own = indexLines(text);
    const frames = framesOf(own);
    const isWhole = (line: number) =>
      isFailing(line) || frames[line] === USER_FRAME ||
      unusual.has(lineAt(own, line));
    const folded = foldStarts(text, isWhole)?.text ?? text;
    return folded.length < WORTH_SIGNS * text.length ? folded : text;
  },
};

/** Offsets of the lines; the last is the end of the text. */
function startsOf(starts: Uint32Array, text: string): Uint32Array {
  const own = starts.slice();
  own[own.length - 1] = text.length;
  return own;
}

/** Repeated lines and blocks, and common starts of lines. */
function foldLog(text: string): Rewrite | undefined {
  const repeats = foldRepeats(text);
  if (repeats === undefined && text.includes("… (")) return undefined;
  const once = repeats?.text ?? text;
  const starts = foldStarts(once, failingIn(once, FEW_SHARE));
  if (starts === undefined) return repeats;
  return {
    text: starts.text,
    restore: (folded) => {
      const unfolded = starts.restore(folded);
      return repeats?.restore(unfolded) ?? unfolded;
    },
  };
}

/** Whether a line reports a failure; only whether it names what failed, where more than `share` of the lines do. */
function failingIn(text: string, share: number): (line: number) => boolean {
  const flags = severities(indexLines(text));
  excuseRefused(flags);
  const count = flags.reduce((sum, flag) => sum + (flag & ERROR), 0);
  const wanted = count <= share * flags.length ? ERROR | FAILED : FAILED;
  return (line) => ((flags[line] ?? 0) & wanted) !== 0;
}

/** Alike lines of equal seriousness in one gap. */
interface Alike {
  /** Equal in all gaps. */
  readonly key: number;
  readonly rank: number;
  readonly first: number;
  count: number;
}

/** What a gap holds. */
interface Content {
  /** Blank lines, quiet ones and frames are of no kind. */
  readonly alike: readonly Alike[];
  readonly passed: number;
  /** Lines of steps that every run takes. */
  readonly steps: readonly number[];
}

/** `3 error lines in 2 groups: 2× "disk lost"; 1 warning; 28 passed, 45 steps like "Get:1 …", 9× "GET /health"`. */
function labelOf(view: LogView, gap: Gap, told: Told): string {
  const { lines } = view;
  if (told.gaps[0] === gap) noteKept(view, told);
  const size = lineStart(lines, gap.to) - lineStart(lines, gap.from);
  const { alike, passed, steps } = contentOf(view, gap);
  const failing = alike.filter(({ rank }) => rank === FAILURE);
  const each = failing.length > 0 ? PER_FAILURE : PER_KIND;
  const named = alike.filter((kind) => isNews(view, kind, told))
    .sort((a, b) => a.rank - b.rank || b.count - a.count || a.first - b.first)
    .slice(0, Math.min(MAX_NAMED, Math.floor(size / each)));
  for (const { key } of named) told.said.add(key);
  const said = named.map((kind) => describe(view, kind));
  const failures = named.filter(({ rank }) => rank === FAILURE).length;
  const others = said.slice(failures);
  if (size >= LEAST_TOLD && passed > 1) others.unshift(`${passed} passed`);
  if (size >= LEAST_TOLD && steps.length > 1) {
    others.push(stepsText(view, steps, told));
  }
  return [
    failuresText(failing, said.slice(0, failures)),
    failing.length === 0 ? "" : placesText(view, gap, told),
    counted(sumOf(alike.filter(({ rank }) => rank === NOTICE)), "warning"),
    others.join(", "),
  ].filter((part) => part !== "").join("; ");
}

/** Files with a line and hosts with a port that no note and no kept line names: `at src/a.ts:3, db-2:5432 and 7 more`. */
function placesText(view: LogView, { from, to }: Gap, { said }: Told): string {
  const places: string[] = [];
  for (let i = from; i < to; i++) {
    if (rankOf(view.flags[i] ?? 0) !== FAILURE) continue;
    for (const place of placesOf(view, i)) {
      if (!said.has(place)) places.push(place);
      said.add(place);
    }
  }
  if (places.length === 0) return "";
  const listed = places.slice(0, MAX_PLACES).join(", ");
  const rest = places.length - MAX_PLACES;
  return `at ${listed}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function placesOf(view: LogView, line: number): readonly string[] {
  return messageOf(view, line).match(PLACE) ?? [];
}

/** Notes the places of failures and the kinds of other lines that are kept, before the first gap is described. */
function noteKept(view: LogView, { kept, said }: Told): void {
  const { groups, flags } = view;
  for (const [i, keep] of kept.entries()) {
    if (keep !== 1) continue;
    if (rankOf(flags[i] ?? 0) === FAILURE) {
      for (const place of placesOf(view, i)) said.add(place);
    } else {
      for (const rank of [NOTICE, OTHERS]) {
        said.add(keyOf(keyAt(groups, i), rank));
      }
    }
  }
}

function contentOf({ flags, groups }: LogView, { from, to }: Gap): Content {
  const kinds = new Map<number, Alike>();
  const steps: number[] = [];
  let passed = 0;
  for (let i = from; i < to; i++) {
    const flag = flags[i] ?? 0;
    if (flag & QUIET) {
      if (flag & PASSED) passed++;
      else if (!(flag & VOID)) steps.push(i);
      continue;
    }
    const group = keyAt(groups, i);
    if (group === 0 || flag & (FRAME | PART)) continue;
    const rank = rankOf(flag);
    const key = keyOf(group, rank);
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { key, rank, first: i, count: 1 });
    else known.count++;
  }
  return { alike: [...kinds.values()], passed, steps };
}

/** Whether a kind is worth an example: no note had one, and it is serious or frequent. */
function isNews(view: LogView, kind: Alike, { said }: Told): boolean {
  if (said.has(kind.key)) return false;
  if (kind.rank < OTHERS) return true;
  const size = view.sizes.get(keyAt(view.groups, kind.first)) ?? 0;
  return kind.count > 1 && size > 2;
}

/** `521 error lines in 26 groups, e.g. …, …`. */
function failuresText(
  failing: readonly Alike[],
  said: readonly string[],
): string {
  const lines = counted(sumOf(failing), "error line");
  if (failing.length < 2) return [lines, ...said].filter(Boolean).join(": ");
  const groups = `${lines} in ${failing.length} groups`;
  if (said.length === 0) return groups;
  const lead = said.length < failing.length ? ", e.g. " : ": ";
  return groups + lead + said.join(", ");
}

function stepsText(
  view: LogView,
  steps: readonly number[],
  { said }: Told,
): string {
  const [first = 0] = steps;
  const isFirst = !said.has(STEPS);
  said.add(STEPS);
  const example = isFirst ? ` like "${exampleOf(view, first, OTHERS)}"` : "";
  return `${steps.length} steps${example}`;
}

/** `12× "GET /health 200"`. */
function describe(view: LogView, { rank, first, count }: Alike): string {
  const example = `"${exampleOf(view, first, rank)}"`;
  return count === 1 ? example : `${count}× ${example}`;
}

/** A line without what is before its message, cut behind a word. */
function exampleOf(view: LogView, line: number, rank: number): string {
  const whole = messageOf(view, line);
  const width = rank === FAILURE ? FAILURE_EXAMPLE : EXAMPLE;
  if (whole.length <= width) return whole;
  return cutAt(rank === FAILURE ? whole : whole.replace(UNSAID, ""), width);
}

/** The start of a line, without what is before its message. */
function messageOf({ lines, said }: LogView, line: number): string {
  const start = lineStart(lines, line);
  const isBegun = said.codes[start] === BRACKET &&
    lines.codes[start] !== BRACKET;
  let from = isBegun ? start + 1 : start;
  while (isBegun && said.codes[from] === SPACE) from++;
  const end = Math.min(lineStart(lines, line + 1) - 1, start + LONGEST);
  return lines.text.slice(from, end).trim();
}

/** Cut behind a word if one ends in the second half. */
function cutAt(whole: string, width: number): string {
  if (whole.length <= width) return whole;
  const blank = whole.lastIndexOf(" ", width);
  const cut = blank >= width / 2 ? blank : width;
  return `${whole.slice(0, cut).trimEnd()}…`;
}

function rankOf(flags: number): number {
  return flags & ERROR ? FAILURE : flags & WARNING ? NOTICE : OTHERS;
}

/** A line that failed is never counted with one that did not: `GET /a 503` and `GET /a 200`. */
function keyOf(group: number, rank: number): number {
  return 3 * group + rank;
}

function sumOf(kinds: readonly Alike[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

/** `1 warning`, `3 warnings`; empty for none. */
function counted(count: number, noun: string): string {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
