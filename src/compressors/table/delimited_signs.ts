/** Does a text look like delimited data, and not like prose, code or messages with commas? @module */
import { codesOf } from "../../text/lines.ts";
import { delimiterOf } from "./delimited.ts";
import { recordsIn, splitRecord } from "./records.ts";

/** UTF-16 units looked at. */
const HEAD = 2500;
const MOST_RECORDS = 24;
const LEAST_RECORDS = 3;
/** Of tables with two columns. */
const LEAST_PAIRS = 5;
const DATA_FILE = /\.(?:csv|tsv|tab|psv)$/i;
/** A name of a column: a few words, maybe with a unit. */
const NAME =
  /^"?[\p{L}_#%$][\p{L}\p{N}_ .\-\/#%$€&']{0,48}(?: ?[([][^()[\],]{1,16}[)\]])?"?$/u;
const NUMBER = /^"?[$€]?[+-]?[\d.,]*\d%?"?$/;
const MOST_NAME_WORDS = 6;
/** Share of the delimiters before a blank, as in sentences and code. */
const MOST_SPACED = 0.3;
/** Share of the lines that end like a statement or a sentence. */
const MOST_ENDED = 0.25;
const ENDED = /[;{}(,\\.!?]$/;
/** Mean words of a cell that is not quoted. */
const MOST_WORDS = 4;

/**
 * Whether the first records of a text agree in their number of cells and have names or are numbers. Looks at 2,500 characters.
 *
 * @param path Name of the file that holds the text, if known: fewer signs are needed of a `.csv`.
 */
export function looksDelimited(text: string, path = ""): boolean {
  const start = headOf(text);
  const first = start.charCodeAt(0);
  // JSON, markup, comments.
  if (first === 123 || first === 91 || first === 60) return false;
  if (!mayBeDelimited(start)) return false;
  const shape = delimiterOf(codesOf(start));
  if (shape === undefined) return false;
  const split = String.fromCharCode(shape.delimiter);
  const records = recordsIn(start.replace(/\n$/, ""), split)
    .slice(0, MOST_RECORDS)
    .map((record) => splitRecord(record, split));
  const fitting = records.filter((cells) => cells.length === shape.columns);
  if (fitting.length < LEAST_RECORDS) return false;
  if (DATA_FILE.test(path)) return true;
  if (shape.columns === 2 && !isPairs(fitting)) return false;
  return isNamed(fitting[0]!) && !isTalk(fitting.slice(1), split);
}

/** The text up to the last newline of its start. */
function headOf(text: string): string {
  if (text.length <= HEAD) return text.replaceAll("\r\n", "\n");
  const start = text.slice(0, HEAD);
  const newline = start.lastIndexOf("\n");
  return start.slice(0, newline < 0 ? HEAD : newline).replaceAll("\r\n", "\n");
}

/** A cheap look: a delimiter in two of the first lines. */
function mayBeDelimited(start: string): boolean {
  const lines = start.split("\n", 4);
  return [",", "\t", ";", "|"].some((delimiter) =>
    lines.filter((line) => line.includes(delimiter)).length > 1
  );
}

/** Two columns of which one holds numbers only. */
function isPairs(records: readonly (readonly string[])[]): boolean {
  return records.length > LEAST_PAIRS &&
    [0, 1].some((j) =>
      records.slice(1).every((cells) => NUMBER.test(cells[j]!.trim()))
    );
}

function isNamed(cells: readonly string[]): boolean {
  return cells.every((cell) =>
    NAME.test(cell) && cell.split(" ").length <= MOST_NAME_WORDS
  ) && new Set(cells).size === cells.length;
}

/** Sentences, statements, arguments. */
function isTalk(
  records: readonly (readonly string[])[],
  split: string,
): boolean {
  let cells = 0;
  let spaced = 0;
  let ended = 0;
  let words = 0;
  for (const record of records) {
    if (ENDED.test(record.at(-1)!) && !NUMBER.test(record.at(-1)!)) ended++;
    record.forEach((cell, j) => {
      if (cell.startsWith('"')) return;
      cells++;
      if (j > 0 && cell.startsWith(" ")) spaced++;
      words += cell.trim() === "" ? 0 : cell.trim().split(/\s+/).length;
    });
  }
  return ended > MOST_ENDED * records.length ||
    (split === "," && spaced > MOST_SPACED * cells) ||
    words > MOST_WORDS * cells;
}
