/** Leaves out what a reader of a diff can do without; notes say where. @module */
import type { Omitted } from "../../core/compressor.ts";
import { isBulk } from "./bulk.ts";
import { areNamesImplied, pathOf } from "./names.ts";
import { type FileState, HunkWriter, type Piece } from "./hunk_writer.ts";
import type { FileDiff, Hunk, LineSpan, ParsedDiff } from "./parse.ts";
import { type Move, movesIn } from "./moves.ts";
import { keptRuns, type Run } from "./trim.ts";

/** Changed lines in a row from which only both ends stay. */
const LARGE_RUN = 200;
/** Lines kept at the start and at the end of such a run. */
const RUN_ENDS = { head: 24, tail: 8 };
/** Body lines from which a bulk file is summarised. */
const BULK_LINES = 30;
/** Lines kept of it. */
const BULK_ENDS = { head: 6, tail: 4 };
/** Lines of encoded binary data that are not worth a note. */
const FEW_BLOB_LINES = 4;

/** Lines kept of a deleted file that has more than {@linkcode BULK_LINES}. */
const DELETED_HEAD = 6;

/** Git's hash of a commit, and how much of it names the commit. */
const COMMIT = /^commit [0-9a-f]{40}\b/;
const COMMIT_CHARS = "commit ".length + 12;

interface Ends {
  readonly head: number;
  readonly tail: number;
}

/** A shorter diff: whole files and hunks never vanish, and headers count their lines and the context that a note among them counts. Linear. */
export function elide(
  diff: ParsedDiff,
): { readonly text: string; readonly omitted: Omitted } {
  const { lines, files } = diff;
  const out = new Output(lines, movesIn(diff));
  let at = 0;
  for (const file of files) {
    out.copyMessage(at, file.start);
    writeHeader(out, file);
    writeHunks(out, file);
    at = file.end;
  }
  out.copyMessage(at, lines.length);
  out.noteHeaders();
  const total = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  return {
    text: out.text.join("\n"),
    omitted: { count: out.omitted, total, unit: "lines" },
  };
}

/** The lines written so far. */
class Output {
  readonly lines: readonly string[];
  readonly moves: ReadonlyMap<number, Move>;
  readonly text: string[] = [];
  /** Input lines left out. */
  omitted = 0;
  readonly #headers = new Set<string>();
  #headerNoteAt = 0;
  #author = "";

  constructor(lines: readonly string[], moves: ReadonlyMap<number, Move>) {
    this.lines = lines;
    this.moves = moves;
  }

  copy(start: number, end: number): void {
    for (let i = start; i < end; i++) this.text.push(this.lines[i]!);
  }

  /** Copies what stands between files; hashes of commits are cut, and an author is named once. */
  copyMessage(start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const line = this.lines[i]!;
      if (COMMIT.test(line)) {
        this.text.push(`${line.slice(0, COMMIT_CHARS)}…${line.slice(47)}`);
        const author = this.lines[i + 1] ?? "";
        if (!author.startsWith("Author: ")) continue;
        this.text.push(author === this.#author ? "Author: as above" : author);
        this.#author = author;
        i++;
      } else this.text.push(line);
    }
  }

  /** Counts a header line of a file that is left out; `name` is how it begins. */
  dropHeader(name: string): void {
    if (this.#headers.size === 0) this.#headerNoteAt = this.text.length;
    this.#headers.add(name);
    this.omitted++;
  }

  /** Puts the note for these lines before the file that had the first. */
  noteHeaders(): void {
    if (this.#headers.size === 0) return;
    const names = [...this.#headers].join(" and ");
    this.text.splice(this.#headerNoteAt, 0, `… ${names} lines omitted`);
  }

  copyWithout(dropped: ReadonlySet<number>, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      if (!dropped.has(i)) this.text.push(this.lines[i]!);
    }
  }
}

function writeHeader(out: Output, file: FileDiff): void {
  const { lines } = out;
  const dropped = new Set<number>();
  const index = indexLineOf(lines, file);
  if (index >= 0) {
    dropped.add(index);
    out.dropHeader("index");
  }
  if (areNamesImplied(lines, file)) {
    // The new name says all that the other names say.
    const isPlain = index === file.start + 1 && file.names === index + 1;
    if (isPlain) {
      dropped.add(file.start).add(file.names);
      out.dropHeader("---");
    } else dropped.add(file.names).add(file.names + 1);
  }
  let at = file.start;
  for (const { start, end } of file.blobs) {
    if (end - start <= FEW_BLOB_LINES) continue;
    out.copyWithout(dropped, at, start);
    out.text.push(`… ${end - start} lines of binary data omitted`);
    out.omitted += end - start;
    at = end;
  }
  out.copyWithout(dropped, at, file.headerEnd);
}

/** Index of git's `index a..b` line, which stands before the names; -1 without one. */
function indexLineOf(lines: readonly string[], file: FileDiff): number {
  const end = file.names >= 0 ? file.names : file.headerEnd;
  for (let i = file.start + 1; i < end; i++) {
    if (lines[i]!.startsWith("index ")) return i;
  }
  return -1;
}

function writeHunks(out: Output, file: FileDiff): void {
  const first = file.hunks[0];
  if (first === undefined) return;
  const path = pathOf(out.lines, file);
  const state: FileState = { path, heading: "" };
  const size = file.hunks.reduce((sum, { start, end }) => sum + end - start, 0);
  if (size > BULK_LINES && isBulk(out.lines, file, path)) {
    return writeBulk(out, file, state);
  }
  if (size > BULK_LINES && isDeleted(out.lines, file)) {
    return writeDeleted(out, first, state);
  }
  for (const hunk of file.hunks) {
    const pieces = keptRuns(out.lines, hunk).flatMap((run) =>
      piecesOf(run, out.moves)
    );
    writePieces(out, hunk, pieces, state);
  }
}

/** A run without what is said elsewhere, or without its middle when it is very long. */
function piecesOf(
  run: Run,
  moves: ReadonlyMap<number, Move>,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let open: Omit<Piece, "end"> = { start: run.start };
  for (let i = run.start; i < run.end; i++) {
    const move = moves.get(i);
    if (move === undefined || move.end >= run.end) continue;
    pieces.push({ ...open, end: move.start });
    open = { start: move.end, cut: true, said: move.said };
    i = move.end;
  }
  if (pieces.length > 0) return [...pieces, { ...open, end: run.end }];
  return run.changed > LARGE_RUN ? endsOf(run, RUN_ENDS) : [run];
}

/** First and last lines of a run; what is between them gets a note line. */
function endsOf({ start, end }: LineSpan, { head, tail }: Ends): Piece[] {
  return [
    { start, end: start + head },
    { start: end - tail, end, cut: true },
  ];
}

function writePieces(
  out: Output,
  hunk: Hunk,
  pieces: readonly Piece[],
  state: FileState,
): void {
  const only = pieces.length === 1 ? pieces[0]! : undefined;
  const whole = only?.start === hunk.start + 1 && only.end === hunk.end;
  if (whole) {
    state.heading = hunk.header.heading;
    return out.copy(hunk.start, hunk.end);
  }
  const writer = new HunkWriter(out.lines, hunk, state);
  writer.write(pieces, out.text);
  out.omitted += writer.omitted;
}

function isDeleted(
  lines: readonly string[],
  { start, headerEnd, hunks }: FileDiff,
): boolean {
  const header = lines.slice(start, headerEnd);
  return hunks.length === 1 && hunks[0]!.complete &&
    header.some((line) =>
      line.startsWith("deleted file mode ") || line.startsWith("+++ /dev/null")
    );
}

/** The first lines of a file that is gone, and a note on what else it declared. */
function writeDeleted(out: Output, hunk: Hunk, state: FileState): void {
  const start = hunk.start + 1;
  const head = { start, end: start + DELETED_HEAD };
  const rest = { start: hunk.end, end: hunk.end, cut: true } as const;
  writePieces(out, hunk, [head, rest], state);
}

/** The first lines of the first hunk, a note, the last lines of the last one; all from the first to the last change. */
function writeBulk(out: Output, file: FileDiff, state: FileState): void {
  const first = file.hunks[0]!;
  const last = file.hunks.at(-1)!;
  const start = keptRuns(out.lines, first)[0]!.start;
  const end = keptRuns(out.lines, last).at(-1)!.end;
  const { head, tail } = BULK_ENDS;
  if (first === last) {
    const fits = end - start <= BULK_LINES;
    const pieces = fits ? [{ start, end }] : endsOf({ start, end }, BULK_ENDS);
    return writePieces(out, first, pieces, state);
  }
  const opening = new HunkWriter(out.lines, first, state);
  opening.open({ start, end: Math.min(first.end, start + head) }, out.text);
  const closing = new HunkWriter(out.lines, last, state);
  const piece = { start: Math.max(last.start + 1, end - tail), end };
  closing.closeAfter(opening, file.hunks.slice(1, -1), piece, out.text);
  out.omitted += opening.omitted + closing.omitted;
}
