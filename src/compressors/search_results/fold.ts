/** Search results with each path written once, above its rows, and what the rows begin with written once for all. @module */
import type { Rewrite } from "../../core/kind.ts";
import { foldNote } from "../../engine/note.ts";
import { lineAt, lineStart, offsetAt } from "../../text/lines.ts";
import {
  bodyOf,
  directoryLength,
  HEADING,
  MATCH,
  OTHER,
  type SearchView,
} from "./parse.ts";
import { leadIn, leadOf, withLead, withoutLead } from "./lead.ts";
import type { Layout } from "./recognise.ts";

/** UTF-16 units of the line for what all paths start with, without that, and of what it says of their ends. */
const ROOT_COST = 30;
const END_COST = 20;
/** Stands for no directory where a line with one comes before. */
const NONE = "./";
const ROOT_NOTE =
  /^… \(paths (?:start with ("(?:[^"\\]|\\.)*"))?(?:(?: and )?end with ("(?:[^"\\]|\\.)*"))?\)$/;
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

/** The line for what all paths start and end with. */
export function rootNote(root: string, end = ""): string {
  const said = [
    ...root === "" ? [] : [`start with ${JSON.stringify(root)}`],
    ...end === "" ? [] : [`end with ${JSON.stringify(end)}`],
  ];
  return `${foldNote(`paths ${said.join(" and ")}`)}\n`;
}

/** Plans what is written of the paths. O(n). */
export function headingsOf(view: SearchView): Headings {
  const entries = pathsIn(view);
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
    const before = open;
    open = "";
    if (isPlain) names.set(line, rest);
    else if (directory === "") {
      names.set(line, before === "" ? rest : NONE + rest);
    } else {
      const goesOn = directory === before;
      const next = rests[i + 1] ?? "";
      const starts = !goesOn && next.startsWith(directory) &&
        directoryLength(next) === directory.length;
      if (starts) directories.set(line, directory);
      if (goesOn || starts) open = directory;
      names.set(line, rest.slice(open.length));
    }
  }
  return { root, directories, names, hasBare: hasBare && !isPlain };
}

/** Lines above which a path is written; rows of a search in one file are below none. */
function pathsIn({ files, paths }: SearchView) {
  const entries: { readonly line: number; readonly path: string }[] = [];
  let before = 0;
  for (const [line, file] of files.entries()) {
    const path = paths[file] ?? "";
    if (file !== before && path !== "") entries.push({ line, path });
    if (file !== 0) before = file;
  }
  return entries;
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

/** What all names end with, from a dot or another sign on, where that is worth saying. */
function commonEnd(names: ReadonlyMap<number, string>): string {
  let end: string | undefined;
  for (const name of names.values()) {
    const base = name.slice(directoryLength(name) + 1);
    end ??= base;
    let length = Math.min(end.length, base.length);
    while (length > 0 && !base.endsWith(end.slice(-length))) length--;
    end = length === 0 ? "" : end.slice(-length);
    if (end === "") return "";
  }
  const sign = end?.search(/[._-]/) ?? -1;
  const whole = sign < 0 ? "" : end?.slice(sign) ?? "";
  return whole.length * names.size > whole.length + END_COST ? whole : "";
}

/** How rows look in a folded text, whole and without what most begin with. */
const NUMBERED = { row: /^\d+[:=-]/, short: /^\d+ / };
const PLAIN = { row: /^(?!--$)[:=-]/, short: /^ / };

/** Writes each path once; `undefined` where a line could be taken for another one. */
export function foldSearch(view: SearchView): Rewrite | undefined {
  const { lines, layout } = view;
  if (lines.text.startsWith("… (")) return undefined;
  const { row, short } = layout === "plain" ? PLAIN : NUMBERED;
  const headings = headingsOf(view);
  const { root, names, hasBare } = headings;
  const end = commonEnd(names);
  const others = othersIn(view, names, end);
  const isAmbiguous = (line: string) => row.test(line) || SLASH_END.test(line);
  if (others.some(isAmbiguous)) return undefined;
  const mayLead = layout !== "counts" &&
    !others.some((line) => short.test(line));
  const lead = mayLead ? leadOf(view) : undefined;
  if (lead === undefined && names.size === 0) return undefined;
  const note = root === "" && end === "" ? "" : rootNote(root, end);
  return {
    text: note + (lead?.note ?? "") + rowsOf(view, headings, { end, lead }),
    restore: (folded) => unfold(folded, { layout, hasBare }),
  };
}

/** Lines that are no rows, and what is written of paths without their common end. */
function othersIn(
  { lines, forms }: SearchView,
  names: ReadonlyMap<number, string>,
  end: string,
): readonly string[] {
  const others: string[] = [];
  for (const [line, form] of forms.entries()) {
    if (form === OTHER) others.push(lineAt(lines, line));
  }
  for (const name of names.values()) {
    others.push(name.slice(0, name.length - end.length));
  }
  return others;
}

/** All rows below what is written of their paths. */
function rowsOf(
  view: SearchView,
  { directories, names }: Headings,
  { end, lead }: {
    readonly end: string;
    readonly lead: ReturnType<typeof leadOf>;
  },
): string {
  const { lines, layout, forms } = view;
  const parts: string[] = [];
  for (let line = 0; line < lines.count; line++) {
    const directory = directories.get(line);
    if (directory !== undefined) parts.push(directory, "\n");
    const whole = names.get(line);
    if (whole !== undefined) {
      const name = whole.slice(0, whole.length - end.length);
      parts.push(name, layout === "counts" ? "" : "\n");
    }
    if (forms[line] === HEADING) continue;
    const body = bodyOf(view, line);
    const isMatch = forms[line] === MATCH;
    parts.push(lead !== undefined && isMatch ? withoutLead(body, lead) : body);
  }
  return parts.join("");
}

/** Removes the lines that explain what is written once, and returns what they say. */
function takeNotes(rows: string[]) {
  const [, first, last] = ROOT_NOTE.exec(rows[0] ?? "") ?? [];
  const root: string = JSON.parse(first ?? '""');
  const end: string = JSON.parse(last ?? '""');
  if ((first ?? last) !== undefined) rows.shift();
  const lead = leadIn(rows[0] ?? "");
  if (lead !== undefined) rows.shift();
  return { root, end, lead };
}

/** Inverse of {@linkcode foldSearch}. */
function unfold(
  folded: string,
  { layout, hasBare }: { readonly layout: Layout; readonly hasBare: boolean },
): string {
  const rows = folded.split("\n");
  const { root, end, lead } = takeNotes(rows);
  const out: string[] = [];
  let directory = "";
  let path = "";
  const fullPath = (name: string) => {
    if (directoryLength(name) === 0) return root + directory + name;
    directory = "";
    return root + (hasBare && name.startsWith(NONE) ? name.slice(2) : name);
  };
  const isCounts = layout === "counts";
  const { row, short } = layout === "plain" ? PLAIN : NUMBERED;
  const isRow = (line: string) =>
    row.test(line) || (lead !== undefined && short.test(line));
  const isName = (at: number) => {
    const line = rows[at] ?? "";
    if (isCounts) return COUNTED.test(line);
    const isOther = line === "" || line === "--" || isRow(line);
    return !isOther && isRow(rows[at + 1] ?? "");
  };
  for (const [i, line] of rows.entries()) {
    if (!isCounts && isRow(line)) {
      const whole = lead === undefined ? line : withLead(line, lead);
      const [number = ""] = row.exec(whole) ?? [];
      // The sign before a number is the one behind it.
      const sign = layout === "flat" ? number.slice(-1) : "";
      out.push((layout === "heading" ? "" : path) + sign + whole);
    } else if (SLASH_END.test(line) && isName(i + 1)) directory = line;
    else if (!isName(i)) out.push(line);
    else if (isCounts) {
      const [count = ""] = COUNTED.exec(line) ?? [];
      out.push(fullPath(line.slice(0, -count.length)) + end + count);
    } else {
      path = fullPath(line) + end;
      if (layout === "heading") out.push(path);
    }
  }
  return out.join("\n");
}
