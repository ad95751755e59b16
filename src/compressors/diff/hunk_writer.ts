/** Writes parts of a hunk under headers that count them. @module */
import { countLine, firstLines, formatHunkHeader } from "./hunk_header.ts";
import { contextNote, gapNote, isHeading } from "./note.ts";
import type { Hunk, LineSpan } from "./parse.ts";

/** Body lines to write. */
export interface Piece extends LineSpan {
  /** Whether changed lines are left out before it, which takes a note line of its own. */
  readonly cut?: true;
  /** What the note says of those lines besides. */
  readonly said?: string;
}

/** Pieces under one header. */
interface Group {
  readonly group: readonly Piece[];
  /** Context lines left out before the first. */
  readonly hidden: number;
  /** Up to where context is left out behind the last. */
  readonly limit: number | undefined;
}

/** What is known of the file while its hunks are written. */
export interface FileState {
  /** Path for notes. */
  readonly path: string;
  /** The heading written last: the next hunk does not repeat it. */
  heading: string;
}

/** Tells no place: the imports stand at the top, and the next line that may head a hunk is far. */
const IMPORT = /^\s*(?:import|from|use|using|package|#include)\b/;
/** Characters of a longer heading that stay: they hold the name. */
const MAX_HEADING = 44;
/** Lines of a gap from which a header with new numbers follows it. */
const FAR = 12;

/** Walks through the body of one hunk and knows the line number of every side. */
export class HunkWriter {
  /** Body lines passed over so far. */
  omitted = 0;
  readonly #lines: readonly string[];
  readonly #hunk: Hunk;
  readonly #file: FileState;
  /** Next body line. */
  #at: number;
  /** Its number on each side. */
  #next: number[];
  #heading: string;

  /** Starts at the first body line. */
  constructor(lines: readonly string[], hunk: Hunk, file: FileState) {
    this.#lines = lines;
    this.#hunk = hunk;
    this.#file = file;
    this.#at = hunk.start + 1;
    this.#next = firstLines(hunk.header);
    this.#heading = hunk.header.heading;
  }

  /** Writes `pieces`, ascending and disjoint, to `out`; all context beside them is counted in notes. */
  write(pieces: readonly Piece[], out: string[]): void {
    for (let i = 0; i < pieces.length;) {
      const first = pieces[i]!;
      let end = i + 1;
      while (end < pieces.length && isNear(pieces[end - 1]!, pieces[end]!)) {
        end++;
      }
      let hidden = 0;
      if (first.cut) this.#skipChanges(first, out);
      else hidden = this.#skipContext(first.start);
      const group = pieces.slice(i, end);
      const limit = end < pieces.length ? undefined : this.#hunk.end;
      if (first.end > first.start) {
        this.#writeGroup({ group, hidden, limit }, out);
      }
      i = end;
    }
  }

  /** Writes the first piece of the hunk; what follows is left to {@linkcode closeAfter} of another. */
  open(piece: Piece, out: string[]): void {
    const hidden = this.#skipContext(piece.start);
    this.#writeGroup({ group: [piece], hidden, limit: undefined }, out);
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
        path: this.#file.path,
        spans,
        before: opening.#next,
        behind: this.#next,
      }),
    );
    const limit = this.#hunk.end;
    this.#writeGroup({ group: [piece], hidden: 0, limit }, out);
  }

  /** Writes header and lines, with a note for each gap; context up to the limit is left out too. */
  #writeGroup({ group, hidden, limit }: Group, out: string[]): void {
    const next = [...this.#next];
    const heading = this.#takeHeading();
    const body: string[] = [];
    for (const [i, piece] of group.entries()) {
      if (i > 0) body.push(this.#gapLine(piece.start));
      for (let at = piece.start; at < piece.end; at++) {
        body.push(this.#lines[at]!);
      }
      this.#advance(piece.end);
    }
    const counts = this.#next.map((line, i) => line - next[i]!);
    if (limit !== undefined) hidden += this.#skipContext(limit);
    const header = formatHunkHeader(next, counts, heading);
    out.push(
      hidden === 0 ? header : `${header.trimEnd()} ${contextNote(hidden)}`,
    );
    for (const line of body) out.push(line);
  }

  /** The note for context between two pieces, with the last line of it that can head the second. */
  #gapLine(to: number): string {
    const note = contextNote(this.#skipContext(to));
    const heading = this.#takeHeading();
    return heading === "" ? note : `${note}:${heading}`;
  }

  /** Passes over context lines and counts them; the last that can head a hunk heads the next one, as git does it. */
  #skipContext(to: number): number {
    const parents = this.#next.length - 1;
    // Behind the last piece of a hunk no other one waits for a heading.
    for (let i = to - 1; i >= this.#at && to < this.#hunk.end; i--) {
      const text = this.#lines[i]!.slice(parents);
      if (isHeading(text)) {
        this.#heading = ` ${text.trim()}`;
        break;
      }
    }
    const first = this.#next.at(-1)!;
    this.omitted += to - this.#at;
    this.#advance(to);
    return this.#next.at(-1)! - first;
  }

  /** The heading that is due, with its leading space; empty when it was written last. */
  #takeHeading(): string {
    const heading = this.#heading;
    this.#heading = "";
    if (heading === this.#file.heading || IMPORT.test(heading)) return "";
    this.#file.heading = heading;
    return shortened(heading);
  }

  #skipChanges({ start: to, said }: Piece, out: string[]): void {
    const spans = [{ start: this.#at, end: to }];
    const before = [...this.#next];
    this.omitted += to - this.#at;
    this.#advance(to);
    out.push(
      gapNote(this.#lines, {
        path: this.#file.path,
        spans,
        before,
        behind: this.#next,
        ...said !== undefined && { said },
      }),
    );
  }

  /** Moves to body line `to`. */
  #advance(to: number): void {
    for (; this.#at < to; this.#at++) {
      countLine(this.#lines[this.#at]!, this.#next, 1);
    }
  }
}

/** Cuts behind the name where there is a list of parameters, else behind a word. */
function shortened(heading: string): string {
  if (heading.length <= MAX_HEADING + 4) return heading;
  const head = heading.slice(0, MAX_HEADING);
  const list = head.lastIndexOf("(") + 1;
  const end = list > MAX_HEADING / 2 ? list : head.lastIndexOf(" ");
  return `${head.slice(0, Math.max(end, MAX_HEADING / 2)).trimEnd()}…`;
}

/** Whether one header serves both. */
function isNear(before: Piece, piece: Piece): boolean {
  return piece.cut === undefined && piece.start - before.end < FAR;
}
