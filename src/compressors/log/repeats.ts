/** Repeated lines and blocks of lines. @module */
import {
  endsWithNewline,
  indexLines,
  lineAt,
  type Lines,
} from "../../text/lines.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 12;
/** Lines of a block, at least: also how many are hashed together. */
const BLOCK = 3;
const RUN_NOTE = /^… \(repeated (\d+) times\)$/;
const BLOCK_NOTE = /^… \(lines (\d+)-(\d+) again(?:, (\d+) times)?\)$/;

/** A stretch of lines that a note replaces. */
interface Fold {
  /** Lines replaced. */
  readonly length: number;
  /** What stands for them. */
  readonly note: string;
}

/**
 * Writes a run of equal lines once with `… (repeated N times)`, N the length of the run, and a block
 * that stood earlier as `… (lines A-B again)`, line numbers of the unfolded text from 1. O(n).
 */
export function foldRepeats(text: string): string {
  const lines = indexLines(text);
  const { ids, times } = lineIds(lines);
  const blocks = new Map<number, number>();
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < lines.count;) {
    // A line that stands nowhere else begins no run and no block.
    if (times[ids[i]!] === 1) {
      i++;
      continue;
    }
    const run = runAt(lines, ids, i);
    const fold = run ?? blockAt(lines, ids, blocks, i);
    if (fold === undefined) {
      remember(ids, blocks, i++);
      continue;
    }
    const start = run === undefined ? i : i + 1;
    parts.push(text.slice(lines.starts[from]!, lines.starts[start]!));
    parts.push(fold.note, "\n");
    i = from = start + fold.length;
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(lines.starts[from]!));
  const out = parts.join("");
  return from === lines.count && !endsWithNewline(lines)
    ? out.slice(0, -1)
    : out;
}

/** Inverse of {@linkcode foldRepeats}. */
export function unfoldRepeats(folded: string): string {
  if (!folded.includes("… (")) return folded;
  const lines = indexLines(folded);
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const run = line.startsWith("… (") ? RUN_NOTE.exec(line) : null;
    const block = line.startsWith("… (") ? BLOCK_NOTE.exec(line) : null;
    if (run !== null) {
      const last = out.at(-1)!;
      for (let n = Number(run[1]) - 1; n > 0; n--) out.push(last);
    } else if (block !== null) {
      const again = out.slice(Number(block[1]) - 1, Number(block[2]));
      for (let n = Number(block[3] ?? 1); n > 0; n--) {
        for (const copy of again) out.push(copy);
      }
    } else out.push(line);
  }
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

/** Equal lines have equal numbers; `times` says for each number how many they are. */
function lineIds(lines: Lines): { ids: Int32Array; times: Int32Array } {
  const ids = new Int32Array(lines.count);
  const times = new Int32Array(lines.count);
  const known = new Map<string, number>();
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const id = known.get(line) ?? known.size;
    if (id === known.size) known.set(line, id);
    ids[i] = id;
    times[id]!++;
  }
  return { ids, times };
}

/** The lines after line `i` that equal it. */
function runAt(lines: Lines, ids: Int32Array, i: number): Fold | undefined {
  let end = i + 1;
  while (end < ids.length && ids[end] === ids[i]) end++;
  const length = end - i - 1;
  if (length === 0) return undefined;
  const note = `… (repeated ${length + 1} times)`;
  return pays(lines, i + 1, end, note) ? { length, note } : undefined;
}

/** The lines from `i` on that stood earlier, once or several times in a row. */
function blockAt(
  lines: Lines,
  ids: Int32Array,
  blocks: ReadonlyMap<number, number>,
  i: number,
): Fold | undefined {
  const earlier = i + BLOCK <= ids.length
    ? blocks.get(blockKey(ids, i))
    : undefined;
  if (earlier === undefined) return undefined;
  const period = i - earlier;
  let length = 0;
  while (i + length < ids.length && ids[earlier + length] === ids[i + length]) {
    length++;
  }
  if (length < BLOCK) return undefined;
  const times = Math.max(1, Math.floor(length / period));
  const once = Math.min(length, period);
  const range = `lines ${earlier + 1}-${earlier + once} again`;
  const note = times === 1 ? `… (${range})` : `… (${range}, ${times} times)`;
  return pays(lines, i, i + times * once, note)
    ? { length: times * once, note }
    : undefined;
}

function remember(
  ids: Int32Array,
  blocks: Map<number, number>,
  i: number,
): void {
  if (i + BLOCK > ids.length) return;
  const key = blockKey(ids, i);
  if (!blocks.has(key)) blocks.set(key, i);
}

function blockKey(ids: Int32Array, i: number): number {
  return Math.imul(Math.imul(ids[i]!, 31) + ids[i + 1]!, 0x01000193) ^
    ids[i + 2]!;
}

function pays(lines: Lines, from: number, to: number, note: string): boolean {
  return lines.starts[to]! - lines.starts[from]! >= note.length + 1 + PROFIT;
}
