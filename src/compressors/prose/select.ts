/** Which units of a document are left out. @module */
import { HEADS, MOST } from "./points.ts";
import type { Salience } from "./salience.ts";
import type { Section } from "./outline.ts";

/** Tokens of a note, and what a gap must save besides. */
const NOTE_TOKENS = 9;
const PROFIT = 7;
/** Share of a gap's tokens that the names in its note take. */
const NAMES = 0.1;
/** Points below which a unit says too little to stay in any text. */
const EMPTY = 12;
/** Tokens of what stands between two gaps that are not worth a second note. */
const ISLAND = 9;

/** Units `[from, to)` that are left out. */
export interface Gap {
  /** First unit. */
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
}

/**
 * Gaps that leave out what has fewest points, and the last ones of what has as many, until `aim` tokens are saved;
 * fewer where too much must stay. O(units).
 */
export function gapsOf(salience: Salience, aim: number): Gap[] {
  let low = EMPTY;
  let high = MOST + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (selectBelow(salience, middle, 0).saved >= aim) high = middle;
    else low = middle + 1;
  }
  if (low <= EMPTY) return selectBelow(salience, low, 0).gaps;
  const milder = selectBelow(salience, low - 1, 0);
  const missing = (aim - milder.saved) / (1 - NAMES) + NOTE_TOKENS;
  return selectBelow(salience, low - 1, missing).gaps;
}

interface Selection {
  readonly gaps: Gap[];
  /** Tokens, less those of the notes. */
  readonly saved: number;
}

/** Leaves out the units with fewer than `points`, and of those that have just as many the last ones, `more` tokens of them. */
function selectBelow(
  { points, tokens, sections }: Salience,
  least: number,
  more: number,
): Selection {
  const out = new Uint8Array(points.length);
  let missing = more;
  for (let u = points.length - 1; u >= 0; u--) {
    if (points[u]! < least) out[u] = 1;
    else if (points[u] === least && missing > 0 && least <= MOST) {
      out[u] = 1;
      missing -= tokens[u]!;
    }
  }
  dropMembers(sections, points, out);
  joinGaps({ points, tokens }, out);
  return collect(tokens, out);
}

/** A member with nothing left goes with its heading, which the note then names. */
function dropMembers(
  sections: readonly Section[],
  points: Uint8Array,
  out: Uint8Array,
): void {
  const gone = sections.map(({ from, to, isMember }) => {
    if (!isMember) return false;
    for (let u = from + 1; u < to; u++) if (out[u] === 0) return false;
    return true;
  });
  // `#### Properties` goes with all of its members, and not without them.
  for (let s = sections.length - 2; s >= 0; s--) {
    if (gone[s] && sections[s + 1]!.level > sections[s]!.level) {
      gone[s] = isSubtreeGone(sections, gone, s);
    }
  }
  sections.forEach(({ from }, s) => {
    if (!gone[s]) return;
    if (points[from] === HEADS) out[from] = 1;
  });
}

/** Looks at the next sections of a deeper level, the nearest ones only: the farther ones tell the same by their parents. */
function isSubtreeGone(
  sections: readonly Section[],
  gone: readonly boolean[],
  s: number,
): boolean {
  const { level } = sections[s]!;
  for (let i = s + 1; i < sections.length; i++) {
    if (sections[i]!.level <= level) return true;
    if (!gone[i]) return false;
  }
  return true;
}

/** Leaves out what is short and stands between two gaps. */
function joinGaps(
  { points, tokens }: Pick<Salience, "points" | "tokens">,
  out: Uint8Array,
): void {
  for (let u = 1; u < out.length; u++) {
    if (out[u] === 1 || out[u - 1] === 0) continue;
    let to = u;
    let size = 0;
    while (to < out.length && out[to] === 0 && size <= ISLAND) {
      size += points[to]! > MOST ? Infinity : tokens[to]!;
      to++;
    }
    if (size <= ISLAND && to < out.length) out.fill(1, u, to);
    u = Math.max(u, to - 1);
  }
}

function collect(tokens: Float64Array, out: Uint8Array): Selection {
  const gaps: Gap[] = [];
  let saved = 0;
  for (let from = 0; from < out.length;) {
    if (out[from] === 0) {
      from++;
      continue;
    }
    let to = from;
    let gain = -NOTE_TOKENS;
    while (to < out.length && out[to] === 1) {
      gain += (1 - NAMES) * tokens[to++]!;
    }
    if (gain >= PROFIT) {
      gaps.push({ from, to });
      saved += gain;
    }
    from = to;
  }
  return { gaps, saved };
}
