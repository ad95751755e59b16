/** Leaves out what a reader of a diff can do without; notes say where. @module */
import type { Omitted } from "../../core/compressor.ts";
import { isBulk } from "./bulk.ts";
import { areNamesImplied, pathOf } from "./names.ts";
import { HunkWriter, type Piece } from "./hunk_writer.ts";
import type { FileDiff, Hunk, LineSpan, ParsedDiff } from "./parse.ts";
import { keptRuns } from "./trim.ts";

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

/** The note for `index` lines; once, before the first. */
const INDEX_NOTE = "… index lines omitted";

interface Ends {
  readonly head: number;
  readonly tail: number;
}

/** A shorter diff: whole files and hunks never vanish, and headers count what their hunk still has. Linear. */
export function elide(
  { lines, files }: ParsedDiff,
): { readonly text: string; readonly omitted: Omitted } {
  const out = new Output(lines);
  let at = 0;
  for (const file of files) {
    out.copy(at, file.start);
    writeHeader(out, file);
    writeHunks(out, file);
    at = file.end;
  }
  out.copy(at, lines.length);
  const total = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  return {
    text: out.text.join("\n"),
    omitted: { count: out.omitted, total, unit: "lines" },
  };
}

/** The lines written so far. */
class Output {
  readonly lines: readonly string[];
  readonly text: string[] = [];
  /** Input lines left out. */
  omitted = 0;
  hasIndexNote = false;

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  copy(start: number, end: number): void {
    for (let i = start; i < end; i++) this.text.push(this.lines[i]!);
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
    out.omitted++;
    if (!out.hasIndexNote) out.text.push(INDEX_NOTE);
    out.hasIndexNote = true;
  }
  if (areNamesImplied(lines, file)) {
    // Without an extended header line, a patch program needs the names more than the `diff` line.
    const isPlain = index === file.start + 1 && file.names === index + 1;
    if (isPlain) dropped.add(file.start);
    else dropped.add(file.names).add(file.names + 1);
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
  const size = file.hunks.reduce((sum, { start, end }) => sum + end - start, 0);
  if (size > BULK_LINES && isBulk(out.lines, file, path)) {
    return writeBulk(out, file, path);
  }
  for (const hunk of file.hunks) {
    const pieces = keptRuns(out.lines, hunk).flatMap((run): readonly Piece[] =>
      run.changed > LARGE_RUN ? endsOf(run, RUN_ENDS) : [run]
    );
    writePieces(out, hunk, pieces, path);
  }
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
  path: string,
): void {
  const only = pieces.length === 1 ? pieces[0]! : undefined;
  const whole = only?.start === hunk.start + 1 && only.end === hunk.end;
  if (whole) return out.copy(hunk.start, hunk.end);
  const writer = new HunkWriter(out.lines, hunk, path);
  writer.write(pieces, out.text);
  out.omitted += writer.omitted;
}

/** The first lines of the first hunk, a note, the last lines of the last one; all from the first to the last change. */
function writeBulk(out: Output, file: FileDiff, path: string): void {
  const first = file.hunks[0]!;
  const last = file.hunks.at(-1)!;
  const start = keptRuns(out.lines, first)[0]!.start;
  const end = keptRuns(out.lines, last).at(-1)!.end;
  const { head, tail } = BULK_ENDS;
  if (first === last) {
    const fits = end - start <= BULK_LINES;
    const pieces = fits ? [{ start, end }] : endsOf({ start, end }, BULK_ENDS);
    return writePieces(out, first, pieces, path);
  }
  const opening = new HunkWriter(out.lines, first, path);
  opening.open({ start, end: Math.min(first.end, start + head) }, out.text);
  const closing = new HunkWriter(out.lines, last, path);
  const piece = { start: Math.max(last.start + 1, end - tail), end };
  closing.closeAfter(opening, file.hunks.slice(1, -1), piece, out.text);
  out.omitted += opening.omitted + closing.omitted;
}
