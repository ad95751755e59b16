/** Parts of an original that are about one file: its rows in search results, its changes in a diff. @module */
import { indexLines } from "../../text/lines.ts";
import { diffFile } from "./diff_files.ts";
import type { FileLines, OtherFiles } from "./file_lines.ts";
import { counted, type Cutting, echo, type Piece, someOf } from "./piece.ts";
import { searchRows } from "./search_rows.ts";

/** What an original says about files. */
export type FileKind = "diff" | "search";

/** UTF-16 units of the names that an error gives. */
const NAMES_WIDTH = 400;

/**
 * Cuts the lines about a file; its numbers are those of the file. O(n).
 *
 * @param given Name of the file, or its end; empty for the only file.
 */
export function cutFile(piece: Piece, kind: FileKind, given: string): Cutting {
  const look = kind === "diff" ? diffFile : searchRows;
  let found: FileLines | OtherFiles = look(piece.text, given);
  if ("total" in found && found.total === 1 && given === "") {
    found = look(piece.text, found.names[0]!);
  }
  if ("total" in found) {
    const { names, total } = found;
    const there = total === 0
      ? "the original names no files; ask for lines or a query instead"
      : `give one of ${counted(total, "files")}: ${
        someOf(names, total, NAMES_WIDTH)
      }`;
    return { error: `Cannot find path ${echo(given)}: ${there}` };
  }
  return pieceOf(piece, found);
}

function pieceOf(piece: Piece, found: FileLines): Piece {
  const lines = indexLines(piece.text);
  const text = found.lines.map((i) =>
    piece.text.slice(lines.starts[i]!, lines.starts[i + 1]!)
  ).join("");
  const { files, numbers, change } = found;
  const name = files.length > 1
    ? `${counted(files.length, "files")}: ${
      someOf(files, files.length, NAMES_WIDTH)
    }`
    : files[0] ?? "the only file";
  return {
    text,
    way: "lines",
    items: found.lines.length,
    said: [...piece.said, name],
    numbers: Uint32Array.from(numbers),
    ...change && {
      between: Uint8Array.from(change.signs, (sign) => sign === "-" ? 1 : 0),
      old: {
        numbers: Uint32Array.from(change.numbers),
        between: Uint8Array.from(change.signs, (sign) => sign === "+" ? 1 : 0),
      },
    },
  };
}
