/** Parts of an original: lines, matches of a query, a place in a JSON document, a file of a diff or of a search. @module */
import type { Located } from "../../core/kind.ts";
import type { RetrievalArguments } from "../../core/retrieval.ts";
import type { Cut, CutEntry } from "../../core/retrieved.ts";
import { endOf, findJson, type JsonValues } from "../../text/json/find.ts";
import { indexLines } from "../../text/lines.ts";
import { cutFile } from "./files.ts";
import { cutPlace } from "./json_path.ts";
import { matchRows } from "./json_rows.ts";
import { decoded } from "./json_walk.ts";
import { matchLines } from "./line_matches.ts";
import { cutLines, withNotes } from "./lines.ts";
import { counted, type Cutting, type Piece, type Way } from "./piece.ts";
import { readRanges } from "./ranges.ts";

/** An original, and what notes call its lines. */
interface Source {
  readonly strategy: string;
  readonly located: Located;
}

const PLACES = "path as items[3-9], or a query";
const FILES = "path with the name of a file and lines as notes have them";

/** What a search finds, by the id of the compressor; lines for any other one. */
const WAYS: ReadonlyMap<string, Way> = new Map([
  ["smart_crusher", "json"],
  ["tabular", "table"],
]);
/** What is in a wrapper, or between a user's words, does not decide: its lines are those of the whole. */
const AROUND: ReadonlySet<string> = new Set(["wrapped", "pasted"]);

/** Share of such a text that JSON has when the text is taken for JSON. */
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
 * Deterministic, linear in the original.
 *
 * @param locate Says what notes call the lines of an original.
 * @returns What `query` does not find is an empty content; lines or a path that are not there are an error.
 */
export function cutPart(
  entry: CutEntry,
  wanted: Omit<RetrievalArguments, "hash">,
  locate: (entry: CutEntry) => Located,
): Cut {
  const [strategy = ""] = entry.strategy.split(":", 1);
  const source = { strategy, located: locate(entry) };
  const way = WAYS.get(strategy) ?? "lines";
  const { lines, query } = wanted;
  const hasItems = way === "json" || AROUND.has(strategy);
  // Notes speak of items: what they say is given as lines, too.
  const areItems = wanted.path === undefined && lines !== undefined &&
    hasItems && readRanges(lines)?.unit === "items";
  const path = areItems ? lines : wanted.path;
  const left = areItems ? undefined : lines;
  let piece: Cutting = { text: entry.original, way, items: 0, said: [] };
  if (path !== undefined) piece = cutPath(piece, source, path);
  if (left !== undefined && !("error" in piece)) {
    piece = cutByLines(opened(piece), source, left);
  }
  if (query !== undefined && !("error" in piece)) {
    piece = search(opened(piece), source, query);
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

/** A file where the original names some, or a place in JSON; the error of the first that is tried. */
function cutPath(piece: Piece, { located }: Source, given: string): Cutting {
  const { files } = located;
  if (files === undefined) return cutPlace(piece, given);
  const file = cutFile(piece, files, given);
  if (!("error" in file)) return file;
  const place = cutPlace(piece, given);
  return "error" in place ? file : place;
}

/** A string value as what it says: it is searched, and its lines are counted, as it was before it became JSON. */
function opened(piece: Piece): Piece {
  if (piece.place === undefined || !piece.text.startsWith('"')) return piece;
  const text = decoded(piece.text);
  if (text === undefined) return piece;
  const way = /^\s*[[{]/.test(text) ? "json" : "lines";
  return { text, way, items: 1, said: [...piece.said, "as text"] };
}

function cutByLines(piece: Piece, source: Source, given: string): Cutting {
  const { files = [] } = source.located;
  const unit = readRanges(given)?.unit;
  const isWhole = piece.said.length === 0;
  if (isWhole && (unit === "new" || unit === "old")) {
    const only = cutFile(piece, files, "");
    return "error" in only ? only : cutFileLines(only, unit, given);
  }
  if (piece.old !== undefined) return cutFileLines(piece, unit, given);
  const hint = files.length > 0
    ? FILES
    : WAYS.get(source.strategy) === "json"
    ? PLACES
    : "a query";
  const noun = "lines";
  return cutLines({ piece: withNumbers(piece, source), noun, hint }, given);
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

/** The whole with the numbers that notes give its lines. */
function withNumbers(piece: Piece, { located }: Source): Piece {
  const { numbers } = located;
  return piece.said.length > 0 || numbers === undefined
    ? piece
    : { ...piece, numbers };
}

function search(piece: Piece, source: Source, query: string): Piece {
  const whole = withNumbers(piece, source);
  const json = jsonOf(whole, source);
  if (json === undefined) return matchLines(whole, query);
  const found = matchRows(whole, json, query);
  // What is around a document is searched by lines.
  if (found.items > 0 || coverage(json) === 1) return found;
  const around = matchLines({ ...whole, way: "lines" }, query);
  return around.items > 0 ? around : found;
}

function jsonOf(piece: Piece, { strategy }: Source): JsonValues | undefined {
  if (piece.json !== undefined) return piece.json;
  if (piece.way === "json") return findJson(piece.text);
  const mayHold = piece.said.length === 0 && AROUND.has(strategy);
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
