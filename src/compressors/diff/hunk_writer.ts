/** Writes parts of a hunk under headers that count them. @module */
import {
  countLine,
  firstLines,
  formatHunkHeader,
  isRemark,
} from "./hunk_header.ts";
import { contextNote, gapNote, isHeading, lineRange } from "./note.ts";
import type { Hunk, LineSpan } from "./parse.ts";

/** Body lines to write. */
export interface Piece extends LineSpan {
  /** Whether changed lines are left out before it, which takes a note line of its own. */
  readonly cut?: true;
}

/** Git cuts headings there. */
const MAX_HEADING = 80;

/** Walks through the body of one hunk and knows the line number of every side. */
export class HunkWriter {
  /** Body lines passed over so far. */
  omitted = 0;
  readonly #lines: readonly string[];
  readonly #hunk: Hunk;
  readonly #path: string;
  /** Next body line. */
  #at: number;
  /** Its number on each side. */
  #next: number[];
  #heading: string;

  /** Starts at the first body line. */
  constructor(lines: readonly string[], hunk: Hunk, path: string) {
    this.#lines = lines;
    this.#hunk = hunk;
    this.#path = path;
    this.#at = hunk.start + 1;
    this.#next = firstLines(hunk.header);
    this.#heading = hunk.header.heading;
  }

  /** Writes `pieces`, ascending and disjoint, to `out`; all context beside them is named in the headers. */
  write(pieces: readonly Piece[], out: string[]): void {
    for (const [i, piece] of pieces.entries()) {
      const ranges: string[] = [];
      if (piece.cut) this.#skipChanges(piece.start, out);
      else ranges.push(...this.#skipContext(piece.start));
      const isLast = i === pieces.length - 1;
      this.#writePiece(piece, ranges, isLast ? this.#hunk.end : piece.end, out);
    }
  }

  /** Writes the first piece of the hunk; what follows is left to {@linkcode closeAfter} of another. */
  open(piece: Piece, out: string[]): void {
    this.#writePiece(piece, this.#skipContext(piece.start), piece.end, out);
  }

  /** Writes one note for the rest of `opening`'s hunk, all of `between` and the start of this one; then `piece`. */
  closeAfter(
    opening: HunkWriter,
    between: readonly Hunk[],
    piece: Piece,
    out: string[],
  ): void {
    const start = this.#at;
    this.#advance(piece.start);
    const spans = [
      { start: opening.#at, end: opening.#hunk.end },
      ...between.map((hunk) => ({ start: hunk.start + 1, end: hunk.end })),
      { start, end: piece.start },
    ].filter((span) => span.end > span.start);
    for (const span of spans) this.omitted += span.end - span.start;
    out.push(
      gapNote(this.#lines, {
        path: this.#path,
        spans,
        before: opening.#next,
        behind: this.#next,
      }),
    );
    this.#writePiece(piece, [], this.#hunk.end, out);
  }

  /** Writes header and lines; context between the piece and `end` is left out too. */
  #writePiece(
    piece: Piece,
    ranges: string[],
    end: number,
    out: string[],
  ): void {
    const next = [...this.#next];
    const counts = this.#advance(piece.end);
    const heading = this.#heading;
    this.#heading = "";
    if (end > piece.end) ranges.push(...this.#skipContext(end));
    const note = contextNote(ranges);
    const kept = note === "" ? heading : heading.trimEnd();
    out.push(formatHunkHeader(next, counts, kept + note));
    for (let i = piece.start; i < piece.end; i++) out.push(this.#lines[i]!);
  }

  /** Passes over context lines; the last that can head a hunk heads the next one, as git does it. */
  #skipContext(to: number): string[] {
    const first = this.#next.at(-1)!;
    let count = 0;
    const parents = this.#next.length - 1;
    for (let i = this.#at; i < to; i++) {
      const line = this.#lines[i]!;
      if (isRemark(line)) continue;
      count++;
      const text = line.slice(parents);
      if (isHeading(text)) {
        this.#heading = ` ${text.trim().slice(0, MAX_HEADING)}`;
      }
    }
    this.omitted += to - this.#at;
    this.#advance(to);
    return count === 0 ? [] : [lineRange(first, count)];
  }

  #skipChanges(to: number, out: string[]): void {
    const spans = [{ start: this.#at, end: to }];
    const before = [...this.#next];
    this.omitted += to - this.#at;
    this.#advance(to);
    out.push(
      gapNote(this.#lines, {
        path: this.#path,
        spans,
        before,
        behind: this.#next,
      }),
    );
  }

  /** Moves to body line `to`; returns the lines of each side on the way. */
  #advance(to: number): number[] {
    const before = [...this.#next];
    for (; this.#at < to; this.#at++) {
      countLine(this.#lines[this.#at]!, this.#next, 1);
    }
    return this.#next.map((line, i) => line - before[i]!);
  }
}
