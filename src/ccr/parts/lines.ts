/** Lines of a text by their numbers: counted from 1, or as they stand before the lines. @module */
import { indexLines, type Lines } from "../../text/lines.ts";
import { counted, type Cutting, echo, type Piece } from "./piece.ts";
import { type PartRange, rangeText, readRanges } from "./ranges.ts";
import { isWithinCharacter } from "./windows.ts";

/** Where lines are cut. */
export interface LineSource {
  /** What is cut. */
  readonly piece: Piece;
  /** What the numbers are, in the plural: `lines`, `new lines`. */
  readonly noun: string;
  /** Said behind an error: what else could be asked for; may be empty. */
  readonly hint: string;
}

/**
 * Cuts the lines with the wanted numbers; `characters 1-200` cuts by UTF-16 units.
 *
 * @param given As the model wrote them.
 * @returns Exact lines, each with its newline. O(n).
 */
export function cutLines(source: LineSource, given: string): Cutting {
  const { noun, hint } = source;
  const piece = withoutEmptyNumbers(source.piece);
  const wanted = readRanges(given);
  const lines = indexLines(piece.text);
  const [least, most] = extentOf(piece, lines);
  const there = piece.numbers === undefined
    ? `there ${most === 1 ? "is" : "are"} ${counted(most, noun)}`
    : `there are ${noun} ${least}-${most}`;
  const fail = (why: string): Cutting => ({
    error: `Cannot cut lines ${echo(given)}: ${why}; give lines as 41-80, ` +
      `41, 41- or 1-5,9-12${hint === "" ? "" : `, or ${hint}`}`,
  });
  if (wanted === undefined) return fail(`this is no range, and ${there}`);
  if (wanted.unit === "characters") {
    return cutCharacters(piece, wanted.ranges) ??
      fail(`there are ${counted(piece.text.length, "characters")}`);
  }
  const spans = wanted.ranges.flatMap(({ from, to }) =>
    from > most || to < least
      ? []
      : [{ from: Math.max(from, least), to: Math.min(to, most) }]
  );
  const runs = spans.flatMap((span) => runsOf(piece, lines, span));
  if (runs.length === 0) return fail(there);
  const ranges = spans.map(rangeText).join(",");
  const isOne = spans.length === 1 && spans[0]!.from === spans[0]!.to;
  const said = `${isOne ? noun.slice(0, -1) : noun} ${ranges} of ${
    piece.numbers === undefined ? most : `${least}-${most}`
  }`;
  return joined({ piece, noun, hint }, lines, { runs, said });
}

/** Where no line has a number, lines count from 1. */
function withoutEmptyNumbers(piece: Piece): Piece {
  const { numbers, ...rest } = piece;
  return numbers?.some((number) => number > 0) ? piece : rest;
}

/** Lines of a file in a diff, or of a wrapped file, may not begin with 1. */
function extentOf({ numbers }: Piece, { count }: Lines): [number, number] {
  if (numbers === undefined) return [1, count];
  let least = Infinity;
  let most = 0;
  for (const number of numbers) {
    if (number === 0) continue;
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return [least, most];
}

/** Lines `[from, to)`, counted from 0. */
type Run = readonly [from: number, to: number];

/** The lines whose numbers are in the range. */
function runsOf(
  { numbers, between }: Piece,
  { count }: Lines,
  { from, to }: PartRange,
): Run[] {
  if (numbers === undefined) return [[from - 1, Math.min(to, count)]];
  const runs: Run[] = [];
  for (let i = 0; i < count; i++) {
    const start = i;
    // A line between two belongs to both.
    while (
      i < count && numbers[i]! >= from &&
      numbers[i]! - (between?.[i] ?? 0) <= to
    ) i++;
    if (i > start) runs.push([start, i]);
  }
  return runs;
}

/** The lines of all runs; where several were asked for, a line says what is between two of them. */
function joined(
  { piece, noun }: LineSource,
  lines: Lines,
  { runs, said }: { readonly runs: readonly Run[]; readonly said: string },
): Piece {
  const numberOf = (i: number) => piece.numbers?.[i] ?? i + 1;
  const parts: string[] = [];
  const numbers: number[] = [];
  const notes = new Map<number, string>();
  let last = -1;
  for (const [from, to] of runs) {
    if (last >= 0 && last < from) {
      const [a, b] = [numberOf(last), numberOf(from - 1)];
      if (a > 0 && a <= b) {
        const range = a === b
          ? `${noun.slice(0, -1)} ${a}`
          : `${noun} ${a}-${b}`;
        notes.set(numbers.length, `… ${range} not asked for`);
      }
    }
    for (let i = from; i < to; i++) numbers.push(numberOf(i));
    parts.push(lines.text.slice(lines.starts[from]!, lines.starts[to]!));
    last = to;
  }
  return {
    text: parts.join(""),
    way: "lines",
    items: numbers.length,
    said: [...piece.said, said],
    numbers: Uint32Array.from(numbers),
    notes,
  };
}

/** The text of a piece with its notes in place. O(n). */
export function withNotes({ text, notes }: Piece): string {
  if (notes === undefined || notes.size === 0) return text;
  const lines = indexLines(text);
  const parts: string[] = [];
  let at = 0;
  for (const [line, note] of notes) {
    parts.push(text.slice(at, lines.starts[line]!), note, "\n");
    at = lines.starts[line]!;
  }
  return parts.join("") + text.slice(at);
}

/** By UTF-16 units, counted from 1, no character cut: what is left for a text of one long line. */
function cutCharacters(
  piece: Piece,
  ranges: readonly PartRange[],
): Piece | undefined {
  const { text } = piece;
  const { length } = text;
  const { from, to } = ranges[0]!;
  if (from > length || ranges.length > 1) return undefined;
  const start = isWithinCharacter(text, from - 1) ? from - 2 : from - 1;
  const last = Math.min(to, length);
  const end = isWithinCharacter(text, last) ? last + 1 : last;
  return {
    // A value of JSON that was decoded may hold half a character as it is.
    text: text.slice(start, end).toWellFormed(),
    way: "lines",
    items: 1,
    said: [...piece.said, `characters ${start + 1}-${end} of ${length}`],
  };
}
