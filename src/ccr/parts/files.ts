/** Parts of an original that are about one file: its rows in search results, its changes in a diff. @module */
import type { FileLines } from "../../core/kind.ts";
import { indexLines } from "../../text/lines.ts";
import { counted, type Cutting, echo, type Piece, someOf } from "./piece.ts";

/** UTF-16 units of the names that an error gives. */
const NAMES_WIDTH = 400;
/** Longest name of a file in UTF-16 units. */
const MAX_NAME = 1_000;
/** What `git` puts before a name. */
const SIDE = /^[ab]\//;

/**
 * Cuts the lines about a file; its numbers are those of the file. O(n).
 *
 * @param files All that the piece says about files.
 * @param given Name of the file, or its end; empty for the only file.
 */
export function cutFile(
  piece: Piece,
  files: readonly FileLines[],
  given: string,
): Cutting {
  const wanted = wantedName(given);
  const all = new Set(files.flatMap(({ names }) => names.at(-1) ?? []));
  const found = given === "" && all.size === 1
    ? files
    : named(files, wanted) ?? named(files, wanted.replace(SIDE, ""));
  if (found !== undefined) return pieceOf(piece, found);
  const there = all.size === 0
    ? "the original names no files; ask for lines or a query instead"
    : `give one of ${counted(all.size, "files")}: ${
      someOf([...all], all.size, NAMES_WIDTH)
    }`;
  return { error: `Cannot find path ${echo(given)}: ${there}` };
}

/** The files of that name; else those whose name ends with it. One without a name is the wanted one. */
function named(
  files: readonly FileLines[],
  wanted: string,
): readonly FileLines[] | undefined {
  const ways = [
    ({ names }: FileLines) => names.includes(wanted),
    ({ names }: FileLines) =>
      names.length === 0 && files.length === 1 ||
      names.some((name) => isNamed(name, wanted)),
  ];
  return ways.map((way) => files.filter(way)).find(({ length }) => length > 0);
}

function pieceOf(piece: Piece, found: readonly FileLines[]): Piece {
  const { text, starts } = indexLines(piece.text);
  const lines = found.flatMap((file) => file.lines);
  const names = [...new Set(found.flatMap((file) => file.names.at(-1) ?? []))];
  const name = names.length > 1
    ? `${counted(names.length, "files")}: ${
      someOf(names, names.length, NAMES_WIDTH)
    }`
    : names[0] ?? "the only file";
  const changes = found.flatMap(({ change }) => change ?? []);
  const signs = changes.flatMap((change) => change.signs);
  return {
    text: lines.map((i) => text.slice(starts[i]!, starts[i + 1]!)).join(""),
    way: "lines",
    items: lines.length,
    said: [...piece.said, name],
    numbers: Uint32Array.from(found.flatMap((file) => file.numbers)),
    ...changes.length > 0 && {
      between: Uint8Array.from(signs, (sign) => sign === "-" ? 1 : 0),
      old: {
        numbers: Uint32Array.from(changes.flatMap(({ numbers }) => numbers)),
        between: Uint8Array.from(signs, (sign) => sign === "+" ? 1 : 0),
      },
    },
  };
}

/** A name as forms and models shorten it: without `…/`, `./`. */
function wantedName(given: string): string {
  return given.trim().slice(0, MAX_NAME).replace(/^(?:…|\.)+[/\\]/, "");
}

/** Whether `name` is the wanted file, or ends with it at a slash. */
function isNamed(name: string, wanted: string): boolean {
  if (wanted === "" || !name.endsWith(wanted)) return false;
  const before = name[name.length - wanted.length - 1];
  return before === undefined || before === "/" || before === "\\" ||
    wanted.startsWith("/");
}
