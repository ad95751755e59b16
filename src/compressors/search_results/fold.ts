/** Search results with each path written once, above its rows; of files in one directory only the names. @module */
import type { Rewrite } from "../../core/kind.ts";
import { foldNote } from "../../engine/note.ts";
import { lineAt, lineStart, offsetAt } from "../../text/lines.ts";
import { bodyOf, directoryLength, OTHER, type SearchView } from "./parse.ts";

/** UTF-16 units of the line for what all paths start with, without that. */
const ROOT_COST = 30;
/** Stands for no directory where a line with one comes before. */
const NONE = "./";
const ROOT_NOTE = /^… \(paths start with (".*")\)$/;
const ROW = /^\d+[:=-]/;
const COUNTED = /:\d+$/;
const SLASH_END = /[/\\]$/;

/** What is written of the paths. */
export interface Headings {
  /** What all paths start with; empty where that is not worth a line. */
  readonly root: string;
  /** Directory that is written above a line, by the line. */
  readonly directories: ReadonlyMap<number, string>;
  /** What is written of the path of the file that starts with a line. */
  readonly names: ReadonlyMap<number, string>;
  /** A name without a directory can be behind {@linkcode NONE}. */
  readonly hasBare: boolean;
}

/** The line for what all paths start with. */
export function rootNote(root: string): string {
  return `${foldNote(`paths start with ${JSON.stringify(root)}`)}\n`;
}

/** Plans what is written of the paths. O(n). */
export function headingsOf({ files, paths, layout }: SearchView): Headings {
  const entries: { line: number; path: string }[] = [];
  if (layout !== "heading") {
    let before = 0;
    for (const [line, file] of files.entries()) {
      if (file !== before && file !== 0) {
        entries.push({ line, path: paths[file] ?? "" });
      }
      before = file;
    }
  }
  const root = commonRoot(entries.map(({ path }) => path));
  const rests = entries.map(({ path }) => path.slice(root.length));
  const hasBare = rests.some((path) => directoryLength(path) === 0);
  const isPlain = hasBare && rests.some((path) => path.startsWith(NONE));
  const directories = new Map<number, string>();
  const names = new Map<number, string>();
  let open = "";
  for (const [i, { line }] of entries.entries()) {
    const rest = rests[i] ?? "";
    const directory = rest.slice(0, directoryLength(rest));
    if (isPlain) names.set(line, rest);
    else if (directory === "") {
      names.set(line, open === "" ? rest : NONE + rest);
    } else {
      const goesOn = directory === open;
      const next = rests[i + 1] ?? "";
      const starts = !goesOn && next.startsWith(directory) &&
        directoryLength(next) === directory.length;
      if (starts) directories.set(line, directory);
      const isNamed = goesOn || starts;
      names.set(line, isNamed ? rest.slice(directory.length) : rest);
      open = isNamed ? directory : "";
      continue;
    }
    open = "";
  }
  return { root, directories, names, hasBare: hasBare && !isPlain };
}

/** Directory that all paths start with, its last slash included; empty when it is not worth a line. */
function commonRoot(paths: readonly string[]): string {
  const [first = ""] = paths;
  let root = first.slice(0, directoryLength(first));
  let written = 0;
  let before = "";
  for (const path of paths) {
    while (root !== "" && !path.startsWith(root)) {
      root = root.slice(0, directoryLength(root.slice(0, -1)));
    }
    const directory = path.slice(0, directoryLength(path));
    if (directory !== before) written++;
    before = directory;
  }
  return root.length * (written - 1) > ROOT_COST ? root : "";
}

/** What is written of a line: a row without its path, a count behind what is written of its path. */
export function writtenLine(
  view: SearchView,
  { names }: Headings,
  line: number,
): string {
  if (view.layout !== "counts") return bodyOf(view, line);
  const name = names.get(line);
  if (name === undefined) return bodyOf(view, line);
  const end = lineStart(view.lines, line + 1);
  return name + view.lines.text.slice(offsetAt(view.bodies, line), end);
}

/** Writes each path once; `undefined` where a line could be taken for another one. */
export function foldSearch(view: SearchView): Rewrite | undefined {
  const { lines, layout, forms } = view;
  if (layout === "heading" || lines.text.startsWith("… (")) return undefined;
  const headings = headingsOf(view);
  const { root, directories, names, hasBare } = headings;
  const parts = root === "" ? [] : [rootNote(root)];
  for (let line = 0; line < lines.count; line++) {
    if (forms[line] === OTHER && isAmbiguous(lineAt(lines, line))) {
      return undefined;
    }
    const directory = directories.get(line);
    if (directory !== undefined) parts.push(directory, "\n");
    const name = names.get(line);
    if (name !== undefined && layout === "flat") {
      if (isAmbiguous(name)) return undefined;
      parts.push(name, "\n");
    }
    parts.push(writtenLine(view, headings, line));
  }
  const isCounts = layout === "counts";
  return {
    text: parts.join(""),
    restore: (folded) => unfold(folded, { isCounts, hasBare }),
  };
}

function isAmbiguous(line: string): boolean {
  return ROW.test(line) || SLASH_END.test(line);
}

/** Inverse of {@linkcode foldSearch}. */
function unfold(
  folded: string,
  { isCounts, hasBare }: {
    readonly isCounts: boolean;
    readonly hasBare: boolean;
  },
): string {
  const all = folded.split("\n");
  const note = ROOT_NOTE.exec(all[0] ?? "");
  const root: string = note === null ? "" : JSON.parse(note[1] ?? '""');
  const rows = all.slice(note === null ? 0 : 1);
  const out: string[] = [];
  let directory = "";
  let path = "";
  const fullPath = (name: string) => {
    if (directoryLength(name) === 0) return root + directory + name;
    directory = "";
    return root + (hasBare && name.startsWith(NONE) ? name.slice(2) : name);
  };
  for (const [i, line] of rows.entries()) {
    const [number] = ROW.exec(line) ?? [];
    const isName = (at: number) =>
      isCounts
        ? COUNTED.test(rows[at] ?? "")
        : rows[at] !== "--" && !ROW.test(rows[at] ?? "") &&
          ROW.test(rows[at + 1] ?? "");
    if (!isCounts && number !== undefined) {
      out.push(path + number.slice(-1) + line);
    } else if (SLASH_END.test(line) && isName(i + 1)) directory = line;
    else if (!isName(i)) out.push(line);
    else if (isCounts) out.push(fullPath(line));
    else path = fullPath(line);
  }
  return out.join("\n");
}
