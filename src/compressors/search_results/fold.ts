/** Search results with each path written once. Loses nothing. @module */
import { endsWithNewline, indexLines, lineAt } from "../../text/lines.ts";
import {
  directoryLength,
  type FileRows,
  type OtherLines,
  type SearchView,
} from "./parse.ts";

/** UTF-16 units, and share of the text, that the fold must save. */
const LEAST = 24;
const LEAST_SHARE = 0.04;
/** UTF-16 units of the line for what all paths start with, without that. */
const ROOT_COST = 30;
/** Stands for the directory of the path before. */
const SAME = "…/";
const ROOT_NOTE = /^… \(paths start with (".*")\)$/;
const ROW = /^\d+[:-]/;
const COUNTED = /:\d+$/;

/**
 * The folded text: a path, then its rows as `12:text`; `…/name` for a path in the directory of the
 * path before; a first line for what all paths start with. `undefined` when nothing is won.
 */
export function foldSearch(view: SearchView): string | undefined {
  const { text } = view.lines;
  if (text.includes("…/") || text.startsWith("… (")) return undefined;
  const folded = view.layout === "flat"
    ? foldRows(view)
    : view.layout === "counts"
    ? foldCounts(view)
    : undefined;
  if (folded === undefined) return undefined;
  const saved = text.length - folded.length;
  return saved >= LEAST && saved >= LEAST_SHARE * text.length
    ? folded
    : undefined;
}

/** Inverse of {@linkcode foldSearch}. */
export function unfoldSearch(folded: string): string {
  const lines = indexLines(folded);
  const all = Array.from({ length: lines.count }, (_, i) => lineAt(lines, i));
  const note = ROOT_NOTE.exec(all[0] ?? "");
  const root: string = note === null ? "" : JSON.parse(note[1]!);
  const rows = all.slice(note === null ? 0 : 1);
  const out = rows.some((line) => ROW.test(line))
    ? unfoldRows(rows, root)
    : unfoldCounts(rows);
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

function unfoldRows(rows: readonly string[], root: string): string[] {
  const out: string[] = [];
  let path = "";
  rows.forEach((line, i) => {
    if (ROW.test(line)) {
      out.push(root + path + line[line.search(/[:-]/)]! + line);
    } else if (line !== "--" && ROW.test(rows[i + 1] ?? "")) {
      path = fullPath(line, path);
    } else out.push(line);
  });
  return out;
}

function unfoldCounts(rows: readonly string[]): string[] {
  let before = "";
  return rows.map((line) => {
    const full = fullPath(line, before);
    if (COUNTED.test(full)) before = full;
    return full;
  });
}

function fullPath(line: string, before: string): string {
  return line.startsWith(SAME)
    ? before.slice(0, directoryLength(before)) + line.slice(SAME.length)
    : line;
}

function foldRows(view: SearchView): string | undefined {
  const files = view.items.filter((item) => "rows" in item);
  const root = commonRoot(files);
  if (!isUnambiguous(view, files, root)) return undefined;
  const parts: string[] = [];
  if (root !== "") parts.push(`… (paths start with ${JSON.stringify(root)})`);
  let before = "";
  for (const item of view.items) {
    if ("from" in item) parts.push(textOf(view, item));
    else {
      const path = item.path.slice(root.length);
      parts.push(shortPath(path, before));
      for (const row of item.rows) parts.push(bodyOf(view, row));
      before = path;
    }
  }
  return parts.join("\n") + (endsWithNewline(view.lines) ? "\n" : "");
}

/** Other lines as they are, without the last newline. */
export function textOf(
  { lines }: SearchView,
  { from, to }: OtherLines,
): string {
  return lines.text.slice(lines.starts[from]!, lines.starts[to]! - 1);
}

/** `12:text` of a row, `--` of a separator. */
export function bodyOf(
  { lines }: SearchView,
  row: { readonly line: number; readonly bodyAt: number },
): string {
  return lines.text.slice(row.bodyAt, lines.starts[row.line + 1]! - 1);
}

/** `path`, or `…/name` when it stands in the directory of the path `before`. */
export function shortPath(path: string, before: string): string {
  const length = directoryLength(path);
  return length > 2 && length === directoryLength(before) &&
      path.startsWith(before.slice(0, length))
    ? SAME + path.slice(length)
    : path;
}

/** Whether no path looks like a row and no other line does. */
function isUnambiguous(
  view: SearchView,
  files: readonly FileRows[],
  root: string,
): boolean {
  const isPlain = (line: string) => !ROW.test(line);
  return files.every(({ path }) =>
    path !== root && isPlain(path) && isPlain(path.slice(root.length))
  ) && view.items.every((item) => isPlainOther(view, item, isPlain));
}

function isPlainOther(
  { lines }: SearchView,
  item: FileRows | OtherLines,
  isPlain: (line: string) => boolean,
): boolean {
  if (!("from" in item)) return true;
  for (let i = item.from; i < item.to; i++) {
    if (!isPlain(lineAt(lines, i))) return false;
  }
  return true;
}

/** Directory that all paths start with, its last slash included; empty when it is not worth a line. */
export function commonRoot(files: readonly FileRows[]): string {
  let root = files[0]?.path ?? "";
  root = root.slice(0, directoryLength(root));
  let written = 0;
  let before = "";
  for (const { path } of files) {
    while (root !== "" && !path.startsWith(root)) {
      root = root.slice(0, directoryLength(root.slice(0, -1)));
    }
    if (shortPath(path, before) === path) written++;
    before = path;
  }
  return root.length * (written - 1) > ROOT_COST ? root : "";
}

function foldCounts({ lines, counts }: SearchView): string | undefined {
  const isCount = new Set(counts.map(({ line }) => line));
  const parts: string[] = [];
  let before = "";
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    if (ROW.test(line)) return undefined;
    parts.push(isCount.has(i) ? shortPath(line, before) : line);
    if (COUNTED.test(line)) before = line;
  }
  return parts.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}
