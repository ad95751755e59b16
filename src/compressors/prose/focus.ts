/** What of a document a query asks for. @module */
import type { Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { HEADING } from "./kinds.ts";
import type { Section } from "./outline.ts";
import type { Unit } from "./units.ts";

/** Units that a query keeps, and those that it makes likelier. */
const BEST = 6;
/** The same for the arguments of the call, and how much these count. */
const BEST_OF_CALL = 2;
const CALL_WEIGHT = 0.5;
const GOOD = 40;
/** Share of the tokens that they may take. */
const BEST_TOKENS = 0.14;
/** Share of the best score that a unit needs to stay for certain. */
const LEAST_SHARE = 0.5;
/** A heading that fits this well, in shares of the best score, makes its section the one asked for. */
const HEADING_SHARE = 0.6;
/** How much more a heading counts than a sentence. */
const HEADING_WEIGHT = 1.6;

/** What a query says about the units of a document. */
export interface Focus {
  /** Units that fit it best: they stay. */
  readonly best: ReadonlySet<number>;
  /** How well each unit fits, from 0 to 1. */
  readonly fit: Float32Array;
  /** Sections that the query asks for, by index. */
  readonly asked: ReadonlySet<number>;
}

/** Finds what fits a query. O(text). */
export function focusOn(
  lines: Lines,
  units: readonly Unit[],
  { query, sections, tokens }: {
    readonly query: string;
    /** Estimated, per unit. */
    readonly tokens: Float64Array;
    readonly sections: readonly Section[];
  },
): Focus {
  const fit = new Float32Array(units.length);
  const best = new Set<number>();
  const asked = new Set<number>();
  if (query === "" || units.length === 0) return { best, fit, asked };
  // `Returns` below each method is too little to stay by itself.
  const isDetail = new Set(
    sections.flatMap((section) => section.isDetail ? [section.from] : []),
  );
  const index = indexUnits(lines, units);
  const total = tokens.reduce((sum, each) => sum + each, 0);
  for (const { text, most, weight } of partsOf(query)) {
    const ranked = bestLines(index, queryTerms(text), GOOD);
    const top = ranked[0]?.score ?? 1;
    let room = BEST_TOKENS * total;
    let found = 0;
    for (const { line, score } of ranked) {
      fit[line] = Math.max(fit[line]!, weight * score / top);
      if (found >= most || score < LEAST_SHARE * top) continue;
      if (isDetail.has(line)) continue;
      if (found > 0 && tokens[line]! > room) continue;
      room -= tokens[line]!;
      found++;
      best.add(line);
    }
  }
  const sums = sections.map(({ from, to }, s) => {
    const isHit = fit[from]! >= HEADING_SHARE || best.has(from);
    if (units[from]!.kind === HEADING && isHit) asked.add(s);
    let sum = units[from]!.kind === HEADING ? HEADING_WEIGHT * fit[from]! : 0;
    for (let u = from; u < to; u++) sum += fit[u]!;
    return sum;
  });
  const most = sums.reduce((a, b) => Math.max(a, b), 0);
  if (most > 0) asked.add(sums.indexOf(most));
  // What is part of a section that is asked for is asked for too.
  sections.forEach(({ parent }, s) => {
    if (parent > 0 && asked.has(parent)) asked.add(s);
  });
  return { best, fit, asked };
}

/** What was asked, and the arguments of the call, which say less of what is wanted. */
function partsOf(query: string) {
  const at = query.lastIndexOf("\n{");
  const asked = { text: query, most: BEST, weight: 1 };
  if (at <= 0) return [asked];
  return [
    { ...asked, text: query.slice(0, at) },
    { text: query.slice(at + 1), most: BEST_OF_CALL, weight: CALL_WEIGHT },
  ];
}

/** Units as the lines of an index; what stands between two belongs to the first. */
function indexUnits({ text, codes }: Lines, units: readonly Unit[]): Lines {
  const starts = new Uint32Array(units.length + 1);
  units.forEach(({ start }, u) => starts[u] = start);
  starts[0] = 0;
  starts[units.length] = text.length + 1;
  return { text, codes, starts, count: units.length };
}
