/** Where it pays to write an extension once. @module */
import { isSame, type Rows } from "./rows.ts";
import { directoryCost, FRAME, leadCost, type Run } from "./runs.ts";

/** Consecutive rows of a run, and whether their extension is written once. */
export interface Piece {
  /** First row. */
  from: number;
  /** Row after the last. */
  readonly to: number;
  /** Whether they are alike in it. */
  readonly hoist: boolean;
}

/** Consecutive rows with the same extension. */
interface Alike {
  readonly from: number;
  to: number;
  /** Tokens of the extension. */
  readonly tokens: number;
}

/** Cuts a run where the extension changes, as far as that pays; also what it costs besides the names. */
export function byExtension(
  rows: Rows,
  run: Run,
  root: number,
): { readonly pieces: Piece[]; readonly cost: number } {
  const alike = alikeRows(rows, run);
  const line = FRAME + leadCost(run) + directoryCost(run, root);
  // Costs of what came before: ending with a line of mixed names, which may go on, or with a closed one.
  let mixed = Infinity;
  let closed = 0;
  const chosen: { hoist: boolean; afterMixed: boolean; joins: boolean }[] = [];
  for (const { from, to, tokens } of alike) {
    const least = Math.min(mixed, closed);
    const hoisted = to - from > 1 ? least + line : Infinity;
    const joins = mixed <= closed + line;
    const plain = (joins ? mixed : closed + line) + (to - from) * tokens;
    chosen.push({ hoist: hoisted < plain, afterMixed: mixed < closed, joins });
    mixed = plain;
    closed = hoisted;
  }
  const pieces: Piece[] = [];
  let isMixed = mixed <= closed;
  const cost = Math.min(mixed, closed);
  for (let i = alike.length - 1; i >= 0; i--) {
    const { from, to } = alike[i]!;
    const { afterMixed, joins } = chosen[i]!;
    const later = pieces.at(-1);
    if (isMixed && later !== undefined && !later.hoist && later.from === to) {
      later.from = from;
    } else pieces.push({ from, to, hoist: !isMixed });
    isMixed = isMixed ? joins : afterMixed;
  }
  return { pieces: pieces.reverse(), cost };
}

function alikeRows(rows: Rows, { from, to }: Run): Alike[] {
  const alike: Alike[] = [];
  let last: Alike | undefined;
  let length = -1;
  for (let i = from; i < to; i++) {
    const own = rows.stop[i]! - rows.dot[i]!;
    if (
      last !== undefined && own === length &&
      isSame(rows.lines, [rows.dot[i - 1]!, rows.dot[i]!], own)
    ) {
      last.to = i + 1;
      continue;
    }
    length = own;
    const tokens = own === 0 ? 0 : own > 6 ? 2 : 1;
    last = { from: i, to: i + 1, tokens };
    alike.push(last);
  }
  return alike;
}
