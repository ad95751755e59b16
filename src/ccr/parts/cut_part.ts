/** Parts of an original: lines, matches of a query, a place in a JSON document, a file of a diff or of a search. @module */
import type { RetrievalArguments } from "../../core/retrieval.ts";
import type { Cut } from "../../core/retrieved.ts";
import type { CcrEntry } from "../../core/store.ts";
import { endOf, findJson, type JsonValues } from "../../text/json/find.ts";
import { indexLines } from "../../text/lines.ts";
import { cutFile, type FileKind } from "./files.ts";
import { cutPlace } from "./json_path.ts";
import { matchRows } from "./json_rows.ts";
import { decoded } from "./json_walk.ts";
import { matchLines } from "./line_matches.ts";
import { cutLines, withNotes } from "./lines.ts";
import { lineNumbers } from "./numbered.ts";
import { counted, type Cutting, type Piece, type Way } from "./piece.ts";
import { readRanges } from "./ranges.ts";
import { rowNumbers } from "./search_rows.ts";

/** How originals of one strategy are cut. */
interface Cutter {
  /** What a search finds. */
  readonly way: Way;
  /** What a `path` can name, tried in order. */
  readonly paths: readonly (FileKind | "json")[];
  /** What notes count lines by, where it is not their place in the text. */
  readonly numbers?: "before lines" | "before lines, if any" | "of rows";
  /** What is offered where lines do not fit. */
  readonly hint: string;
}

const PLACES = "path as items[3-9], or a query";
const FILES = "path with the name of a file and lines as notes have them";
const LINES: Cutter = { way: "lines", paths: ["json"], hint: "a query" };

/** By the id of the compressor; any other one means lines. */
const CUTTERS: ReadonlyMap<string, Cutter> = new Map([
  ["smart_crusher", { way: "json", paths: ["json"], hint: PLACES }],
  ["tabular", { ...LINES, way: "table" }],
  ["diff", { way: "lines", paths: ["diff"], hint: FILES }],
  ["search", {
    way: "lines",
    paths: ["search"],
    numbers: "of rows",
    hint: FILES,
  }],
  ["numbered", { ...LINES, numbers: "before lines" }],
  ["wrapped", {
    ...LINES,
    paths: ["json", "diff", "search"],
    numbers: "before lines, if any",
  }],
  ["mixed", { ...LINES, paths: ["json", "diff", "search"] }],
]);

/** Share of a wrapped text that JSON has when the text is taken for JSON. */
const MOST = 0.5;

/**
 * Cuts out the part that `wanted` names: first the `path`, in it the `lines`, in those what fits the `query`.
 *
 * - `lines` count as the notes of a form do: from 1 by line feeds; where a number stands before each line, by that;
 *   within a file of a diff or of a search (`path`) by the lines of that file.
 * - `path` counts a single element from 0, as JSON does, and a range from 1, as notes do: `items[0]` is `items[1-1]`.
 *   Documents of JSON Lines count from 1 both ways.
 * - `query` finds lines, rows of tables, values of JSON, stretches of long lines; the 40 best.
 *
 * Deterministic, linear in the original, not recursive.
 *
 * @returns What `query` does not find is an empty content; lines or a path that are not there are an error.
 */
export function cutPart(
  entry: Pick<CcrEntry, "original" | "strategy">,
  wanted: Omit<RetrievalArguments, "hash">,
): Cut {
  const cutter = CUTTERS.get(wayOf(entry.strategy)) ?? LINES;
  const { lines, query } = wanted;
  let path = wanted.path;
  let left = lines;
  if (path === undefined && lines !== undefined && cutter.way === "json") {
    // Notes speak of items: what they say is given as lines, too.
    if (readRanges(lines)?.unit === "items") [path, left] = [lines, undefined];
  }
  let piece: Cutting = {
    text: entry.original,
    way: cutter.way,
    items: 0,
    said: [],
  };
  if (path !== undefined) piece = cutPath(piece, cutter, path);
  if (left !== undefined && !("error" in piece)) {
    piece = cutByLines(opened(piece), cutter, left);
  }
  if (query !== undefined && !("error" in piece)) {
    piece = search(opened(piece), cutter, query);
  }
  if ("error" in piece) return { ok: false, error: piece.error };
  const { items, said } = piece;
  if (said.length > 0) {
    return {
      ok: true,
      content: withNotes(piece),
      items,
      part: said.join("; "),
    };
  }
  const { count } = indexLines(piece.text);
  return {
    ok: true,
    content: piece.text,
    items: count,
    part: `all ${counted(count, "lines")}`,
  };
}

/** The first kind of path that gives something; the error of the first that fails. */
function cutPath(piece: Piece, { paths }: Cutter, given: string): Cutting {
  let first: Cutting | undefined;
  for (const kind of paths) {
    const cut = kind === "json"
      ? cutPlace(piece, given)
      : cutFile(piece, kind, given);
    if (!("error" in cut)) return cut;
    first ??= cut;
  }
  return first!;
}

/** A string value as what it says: it is searched, and its lines are counted, as it was before it became JSON. */
function opened(piece: Piece): Piece {
  if (piece.place === undefined || !piece.text.startsWith('"')) return piece;
  const text = decoded(piece.text);
  if (text === undefined) return piece;
  const way = /^\s*[[{]/.test(text) ? "json" : "lines";
  return { text, way, items: 1, said: [...piece.said, "as text"] };
}

function cutByLines(
  piece: Piece,
  { numbers, hint }: Cutter,
  given: string,
): Cutting {
  const unit = readRanges(given)?.unit;
  const isWhole = piece.said.length === 0;
  if (isWhole && (unit === "new" || unit === "old")) {
    const only = cutFile(piece, "diff", "");
    return "error" in only ? only : cutFileLines(only, unit, given);
  }
  if (piece.old !== undefined) return cutFileLines(piece, unit, given);
  const counted = isWhole ? numbersIn(piece.text, numbers) : undefined;
  const source = counted === undefined ? piece : { ...piece, numbers: counted };
  return cutLines({ piece: source, noun: "lines", hint }, given);
}

/** Lines of a file after the change, or before it: where asked for, or where none are left. */
function cutFileLines(
  piece: Piece,
  unit: string | undefined,
  given: string,
): Cutting {
  const { old, ...rest } = piece;
  const after = cutLines({ piece: rest, noun: "new lines", hint: "" }, given);
  const isOld = unit === "old" || (unit !== "new" && "error" in after);
  if (!isOld || old === undefined) return after;
  const source = { piece: { ...rest, ...old }, noun: "old lines", hint: "" };
  const before = cutLines(source, given);
  return unit !== "old" && "error" in before ? after : before;
}

function numbersIn(
  text: string,
  numbers: Cutter["numbers"],
): Uint32Array | undefined {
  switch (numbers) {
    case "before lines":
      return lineNumbers(text, true);
    case "before lines, if any":
      return lineNumbers(text, false);
    case "of rows":
      return rowNumbers(text);
    case undefined:
      return undefined;
  }
}

function search(piece: Piece, cutter: Cutter, query: string): Piece {
  const isWhole = piece.said.length === 0;
  const numbers = isWhole ? numbersIn(piece.text, cutter.numbers) : undefined;
  const source = numbers === undefined ? piece : { ...piece, numbers };
  const json = jsonOf(source, cutter);
  if (json === undefined) return matchLines(source, query);
  const found = matchRows(source, json, query);
  // What stands around a document is searched by lines.
  if (found.items > 0 || coverage(json) === 1) return found;
  const around = matchLines({ ...source, way: "lines" }, query);
  return around.items > 0 ? around : found;
}

function jsonOf(piece: Piece, { numbers }: Cutter): JsonValues | undefined {
  if (piece.json !== undefined) return piece.json;
  if (piece.way === "json") return findJson(piece.text);
  const mayHold = piece.said.length === 0 && numbers === "before lines, if any";
  const json = mayHold ? findJson(piece.text) : undefined;
  return json !== undefined && coverage(json) > MOST ? json : undefined;
}

/** Share of a text that its JSON has; white space around it counts. */
function coverage(json: JsonValues): number {
  const { tape, values: [first = 0] } = json;
  const { text } = tape;
  const from = tape.start(first);
  const to = endOf(json);
  const isAll = text.slice(0, from).trim() === "" &&
    text.slice(to).trim() === "";
  return isAll ? 1 : (to - from) / text.length;
}

/** What is in a wrapper does not decide: its lines are those of the whole. */
function wayOf(strategy: string): string {
  return strategy.split(":", 1)[0]!;
}
