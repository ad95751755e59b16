/** Folds of a configuration text that lose nothing: repeated lines and blocks, alike records, common starts. @module */
import { endsWithNewline, lineAt } from "../../text/lines.ts";
import { type LineIds, lineIds } from "./line_ids.ts";
import { RecordFinder, weightOf } from "./records.ts";
import { BLANK, KEY } from "./scan_line.ts";
import { startAt } from "./starts.ts";
import type { ConfigView } from "./view.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 24;
/** UTF-16 units that the folds of a text must save. */
const LEAST = 40;
/** Lines of a block, at least: also how many are hashed together. */
const BLOCK = 3;
/** Longest quote of the first line of a block, in UTF-16 units. */
const QUOTE = 48;

/** Lines that notes replace. */
interface Fold {
  /** Lines that stay before the notes. */
  readonly kept: number;
  /** Lines replaced, after those. */
  readonly replaced: number;
  /** What stands for them. */
  readonly written: readonly string[];
}

/** What is known while a text is written from its first line to its last. */
export interface Folding extends LineIds {
  readonly view: ConfigView;
  readonly records: RecordFinder;
  /** First line of each block of three lines that was written, by a hash. */
  readonly blocks: Map<number, number>;
  /** Number of the first line in notes. */
  readonly firstLine: number;
  /** Per line: not 0 when it is left out, so that no note may point to it. */
  readonly why: Uint8Array | undefined;
}

/**
 * The folded text; `undefined` when nothing is won, or when the text has lines that look like the notes of a fold. O(n).
 *
 * @param firstLine Number that notes give the first line.
 */
export function foldConfig(
  view: ConfigView,
  firstLine: number,
): string | undefined {
  const { lines } = view;
  const { text, count } = lines;
  const folding = startFolding(view, firstLine);
  if (folding === undefined) return undefined;
  const parts: string[] = [];
  writeFolded(folding, { from: 0, to: count }, (from, to, written) => {
    if (to > from) {
      parts.push(text.slice(lines.starts[from]!, lines.starts[to]! - 1));
    }
    for (const line of written) parts.push(line);
  });
  const out = parts.join("\n") + (endsWithNewline(lines) ? "\n" : "");
  return text.length - out.length >= LEAST ? out : undefined;
}

/**
 * Begins to fold a text; `undefined` when it has lines that look like the notes of a fold.
 *
 * @param firstLine Number that notes give the first line. @param why Per line: not 0 for a line that is left out.
 */
export function startFolding(
  view: ConfigView,
  firstLine: number,
  why?: Uint8Array,
): Folding | undefined {
  const { text } = view.lines;
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  return {
    view,
    firstLine,
    why,
    ...lineIds(view.lines),
    records: new RecordFinder(view),
    blocks: new Map(),
  };
}

/**
 * Calls `write` for lines `[from, to)` that stay followed by what stands for folded lines, in order, until all of
 * `range` is written. Linear in all, over ascending ranges.
 */
export function writeFolded(
  folding: Folding,
  range: { readonly from: number; readonly to: number },
  write: (from: number, to: number, written: readonly string[]) => void,
): void {
  let from = range.from;
  for (let i = from; i < range.to;) {
    const fold = foldAt(folding, i, range.to);
    if (fold === undefined) {
      remember(folding, i++);
      continue;
    }
    const start = i + fold.kept;
    for (; i < start; i++) remember(folding, i);
    write(from, start, fold.written);
    i = from = start + fold.replaced;
  }
  write(from, range.to, []);
}

function foldAt(folding: Folding, i: number, to: number): Fold | undefined {
  const { ids, times, view, records } = folding;
  if (times[ids[i]!]! > 1) {
    const fold = runAt(folding, i, to) ?? blockAt(folding, i, to);
    if (fold !== undefined) return fold;
  }
  const found = records.at(i, to);
  if (found !== undefined) return { ...found, kept: found.lines };
  return view.equals && view.kinds[i] === KEY
    ? startAt(view, i, to)
    : undefined;
}

/** The lines after line `i` that equal it. */
function runAt(
  { view, ids }: Folding,
  i: number,
  to: number,
): Fold | undefined {
  let end = i + 1;
  while (end < to && ids[end] === ids[i]) end++;
  const replaced = end - i - 1;
  if (replaced === 0) return undefined;
  const note = `… (repeated ${replaced + 1} times)`;
  return pays(view, i + 1, end, note)
    ? { kept: 1, replaced, written: [note] }
    : undefined;
}

/** The lines from `i` on that stood earlier, once or several times in a row. */
function blockAt(folding: Folding, i: number, to: number): Fold | undefined {
  const { ids, blocks, view, firstLine, why } = folding;
  if (i + BLOCK > to || view.kinds[i] === BLANK) return undefined;
  const earlier = blocks.get(blockKey(ids, i));
  if (earlier === undefined) return undefined;
  const period = i - earlier;
  let length = 0;
  while (
    i + length < to && ids[earlier + length] === ids[i + length] &&
    !(why !== undefined && why[earlier + length])
  ) length++;
  const times = Math.max(1, Math.floor(length / period));
  const once = Math.min(length, period);
  if (once < BLOCK && times < 2) return undefined;
  const first = earlier + firstLine;
  const range = `${first}-${first + once - 1}`;
  const again = times === 1 ? "" : `, ${times} times`;
  const quote = quoteOf(view, i);
  const note = `… (same as lines ${range}${again}, from ${quote})`;
  return pays(view, i, i + times * once, note)
    ? { kept: 0, replaced: times * once, written: [note] }
    : undefined;
}

/** The first line of a block, so that a reader finds it without counting. */
function quoteOf(view: ConfigView, line: number): string {
  const said = lineAt(view.lines, line).trim();
  const cut = said.length > QUOTE ? `${said.slice(0, QUOTE)}…` : said;
  return `"${cut.toWellFormed()}"`;
}

function remember({ ids, times, blocks }: Folding, i: number): void {
  if (i + BLOCK > ids.length || times[ids[i]!]! === 1) return;
  const key = blockKey(ids, i);
  if (!blocks.has(key)) blocks.set(key, i);
}

function blockKey(ids: Int32Array, i: number): number {
  return Math.imul(Math.imul(ids[i]!, 31) + ids[i + 1]!, 0x01000193) ^
    ids[i + 2]!;
}

function pays(
  view: ConfigView,
  from: number,
  to: number,
  note: string,
): boolean {
  return weightOf(view, from, to) >= note.length + 1 + PROFIT;
}
