/** The text of elided machine-made text: ends and telling places of lines and blocks, notes between. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline, type Lines } from "../../text/lines.ts";
import { wordsOfDump } from "./dump.ts";
import { BASE64, blockEnd, DUMP, LONG, PLAIN, shapeOf } from "./shapes.ts";
import { windowsOf } from "./windows.ts";

/** Lines of a block at least; rows that stay of a dump at its start and end, and lines of other blocks. */
const LEAST_LINES = 4;
const LEAST_ROWS = 8;
const DUMP_HEAD = 3;
const BLOCK_HEAD = 1;
/** UTF-16 units that a gap must leave out. */
const LEAST_GAP = 120;

/** What the notes need to know. */
export interface ElideOptions {
  /** Terms of the query. */
  readonly terms: readonly string[];
  /** Number of the text's first line. */
  readonly firstLine: number;
}

/** Writes the elided text; lines that people may read stay as they are. Omitted are `characters`, UTF-16 units of the text. O(n). */
export function elideDense(
  lines: Lines,
  options: ElideOptions,
): { text: string; omitted: Omitted } {
  const writer = new Writer(lines, options);
  for (let i = 0; i < lines.count;) {
    const shape = shapeOf(lines, i);
    if (shape === PLAIN) i++;
    else if (shape === LONG) writer.line(i++);
    else {
      const to = blockEnd(lines, i, shape);
      writer.block(i, to, shape);
      i = to;
    }
  }
  return writer.finish();
}

class Writer {
  readonly #lines: Lines;
  readonly #options: ElideOptions;
  readonly #parts: string[] = [];
  #at = 0;
  #omitted = 0;

  constructor(lines: Lines, options: ElideOptions) {
    this.#lines = lines;
    this.#options = options;
  }

  /** Cuts a long line to its windows. */
  line(line: number): void {
    const { text, codes, starts } = this.#lines;
    const start = starts[line]!;
    const end = starts[line + 1]! - 1;
    const windows = windowsOf(codes, { start, end }, this.#options.terms);
    windows.forEach((window, i) => {
      const next = windows[i + 1];
      if (next === undefined || next.start - window.end < LEAST_GAP) return;
      const count = next.start - window.end;
      this.#parts.push(
        text.slice(this.#at, window.end),
        ` … [${grouped(count)} characters omitted] … `,
      );
      this.#omitted += count;
      this.#at = next.start;
    });
  }

  /** Leaves out the middle of lines `[from, to)`. */
  block(from: number, to: number, shape: number): void {
    const isDump = shape === DUMP;
    if (to - from < (isDump ? LEAST_ROWS : LEAST_LINES)) return;
    // The marks of a certificate say what its lines are.
    const isArmoured = shape === BASE64 && this.#isMark(from - 1) &&
      this.#isMark(to);
    const head = isDump ? DUMP_HEAD : isArmoured ? 0 : BLOCK_HEAD;
    const first = from + head;
    const last = to - (isArmoured ? 0 : 1);
    const { text, starts } = this.#lines;
    const start = starts[first]!;
    const end = starts[last]!;
    const { firstLine, terms } = this.#options;
    const words = isDump
      ? wordsOfDump(this.#lines, { from: first, to: last }, terms)
      : [];
    const readable = words.length === 0
      ? ""
      : `; readable in it: ${words.map((word) => `"${word}"`).join(", ")}`;
    const note = `… lines ${firstLine + first}-${firstLine + last - 1} ` +
      `omitted (${grouped(end - start)} characters${readable})`;
    if (end - start < note.length + LEAST_GAP) return;
    this.#parts.push(text.slice(this.#at, start), note, "\n");
    this.#omitted += end - start;
    this.#at = end;
  }

  finish(): { text: string; omitted: Omitted } {
    const { text } = this.#lines;
    const isCut = this.#at > text.length ||
      (this.#at === text.length && !endsWithNewline(this.#lines));
    let out = this.#parts.join("") + text.slice(this.#at);
    if (isCut && this.#parts.at(-1) === "\n") out = out.slice(0, -1);
    const count = Math.min(this.#omitted, text.length);
    return {
      text: out,
      omitted: { count, total: text.length, unit: "characters" },
    };
  }

  #isMark(line: number): boolean {
    const { text, starts, count } = this.#lines;
    return line >= 0 && line < count &&
      text.startsWith("-----", starts[line]!);
  }
}

/** `41,234`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
