/** Notes in place of what is left out: which of how many, and for keys which ones. @module */
import { NOTE } from "./cell.ts";
import { keyOf, OBJECT, type Tape } from "./tape.ts";

/** Characters of the keys that the notes of one container name. */
const MAX_NAMES = 400;
/** The same as a share of the characters of the container. */
const MAX_NAMES_SHARE = 0.1;
/** Characters of keys that one note may always name. */
const MIN_NAMES = 30;
/** Characters of the keys that the note for a whole object names. */
const MAX_OBJECT_NAMES = 120;

/** Rows of one container, some of them left out. */
export interface Gaps {
  /** Nodes of all rows. */
  readonly rows: Int32Array;
  /** The rows are members of an object. */
  readonly keyed: boolean;
  /** 1 for each row that stays; `undefined` when all do. */
  readonly keep: Uint8Array | undefined;
}

/** Writes the rows that stay, and a note for each run of others. */
export function withNotes(
  tape: Tape,
  { rows, keyed, keep }: Gaps,
  write: (i: number) => string,
): string[] {
  const parts: string[] = [];
  const share = keyed && keep !== undefined ? namesPerRow(tape, rows, keep) : 0;
  for (let i = 0; i < rows.length; i++) {
    if (keep === undefined || keep[i] === 1) {
      parts.push(write(i));
      continue;
    }
    const from = i;
    while (i + 1 < rows.length && keep[i + 1] === 0) i++;
    const range = from === i ? ` ${from + 1}` : `s ${from + 1}-${i + 1}`;
    const note = `${NOTE} ${
      keyed ? "key" : "item"
    }${range} of ${rows.length} omitted`;
    const budget = Math.max(MIN_NAMES, share * (i + 1 - from));
    parts.push(
      note + (keyed ? namesOf(tape, rows.subarray(from, i + 1), budget) : ""),
    );
  }
  return parts;
}

/** Characters of names for each row left out. */
function namesPerRow(tape: Tape, rows: Int32Array, keep: Uint8Array): number {
  const size = tape.end[rows.at(-1)!]! - tape.start[rows[0]!]!;
  const omitted = keep.reduce((sum, kept) => sum + 1 - kept, 0);
  return Math.min(MAX_NAMES, size * MAX_NAMES_SHARE) / Math.max(1, omitted);
}

/** `: a, b, c and 4 more`; as many keys as `budget` characters take. */
function namesOf(tape: Tape, members: Int32Array, budget: number): string {
  let names = "";
  let named = 0;
  for (const member of members) {
    const key = keyOf(tape, member);
    const isPlain = key !== "" && !/[\s",:\\…]/.test(key);
    const name = isPlain ? key : `"${key}"`;
    if (names.length + name.length > budget) break;
    names += (named++ === 0 ? ": " : ", ") + name;
  }
  if (named === 0) return "";
  const more = members.length - named;
  return more === 0 ? names : `${names} and ${more} more`;
}

/** A whole container left out: `[… 6 items omitted]`, `{… 3 keys omitted: a, b, c}`. */
export function noteOf(tape: Tape, node: number, named: boolean): string {
  const count = tape.count[node]!;
  const keyed = tape.kind[node] === OBJECT;
  const unit = (keyed ? "key" : "item") + (count === 1 ? "" : "s");
  const names = keyed && named
    ? namesOf(tape, membersOf(tape, node, 20), MAX_OBJECT_NAMES)
    : "";
  const note = `${NOTE} ${count} ${unit} omitted${names}`;
  return keyed ? `{${note}}` : `[${note}]`;
}

/** The first children of an object, all of them counted. */
function membersOf(tape: Tape, node: number, most: number): Int32Array {
  const members = new Int32Array(tape.count[node]!);
  let child = node + 1;
  for (let i = 0; i < members.length; i++) {
    members[i] = child;
    // Only the first ones can be named.
    if (i < most) child = tape.next[child]!;
  }
  return members;
}
