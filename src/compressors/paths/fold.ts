/** A list of paths, in whatever way it was printed, with each directory written once. Loses nothing. @module */
import { indexLines } from "../../text/lines.ts";
import { readGroup, SELF } from "./group_line.ts";
import { readHeading, writeHeading } from "./heading.ts";
import { foldRows, rootOf, unfoldRows } from "./list_fold.ts";
import type { ListForm, PathList } from "./list_form.ts";
import { readRows, type Rows } from "./rows.ts";
import { addHeadings, dropHeadings, sectionsForm } from "./sections.ts";
import { duForm, statForm, wcForm } from "./sized.ts";
import { statusForm } from "./status.ts";
import { treeForm } from "./tree.ts";

/** A list with a path a line, and nothing else to know. */
const plainForm: ListForm = {
  label: "",
  isSized: false,
  read: (text) => ({ text, notes: "" }),
  print: (list) => list,
};

/** Asked in this order. */
const FORMS: readonly ListForm[] = [
  treeForm,
  statusForm,
  statForm,
  duForm,
  wcForm,
  sectionsForm,
  plainForm,
];

/** A text as a list of whole paths. */
export interface ReadList extends PathList {
  /** The text, its lines ended by newlines alone. */
  readonly source: string;
  /** How the text prints it. */
  readonly form: ListForm;
  /** Whether all its lines end with a carriage return. */
  readonly isCrlf: boolean;
  /** The list's lines. */
  readonly rows: Rows;
  /** Directory that all paths start with, where that is worth writing once. */
  readonly root: string;
}

/** Reads a text by the first form that fits and gives it back exactly; `undefined` when its line ends are mixed. */
export function readList(text: string): ReadList | undefined {
  const isCrlf = text.includes("\r\n");
  const plain = isCrlf ? text.replaceAll("\r\n", "\n") : text;
  if (isCrlf && plain.replaceAll("\n", "\r\n") !== text) return undefined;
  for (const form of FORMS) {
    const list = form.read(plain);
    if (list !== undefined && form.print(list.text, list.notes) === plain) {
      const rows = readRows(indexLines(list.text), form.isSized);
      const root = rootOf(rows);
      return { ...list, source: plain, form, isCrlf, rows, root };
    }
  }
  return undefined;
}

/** The folded text; `undefined` when a line of the list looks like one of a folded list. O(n). */
export function foldPaths(list: ReadList): string | undefined {
  const { rows, root } = list;
  const isSections = list.form === sectionsForm;
  const style = { root: root.length, alwaysStar: isSections };
  const folded = foldRows(rows, [0, rows.lines.count], style);
  if (folded === undefined) return undefined;
  const body = isSections ? dropHeadings(folded, directoryIn(root)) : folded;
  const heading = writeHeading({
    label: list.form.label,
    count: rows.count,
    root,
    notes: list.notes,
    hasSelf: body.some(hasSelf),
    isCrlf: list.isCrlf,
  });
  const end = list.text.endsWith("\n") ? "\n" : "";
  return `${heading}\n${body.join("\n")}${end}`;
}

/** Inverse of {@linkcode foldPaths}. @throws {Error} When the first line is no heading. */
export function unfoldPaths(folded: string): string {
  const at = folded.indexOf("\n");
  const heading = readHeading(folded.slice(0, at));
  const form = FORMS.find(({ label }) => label === heading?.label);
  if (heading === undefined || form === undefined) {
    throw new Error("Cannot unfold a list of paths: it has no heading");
  }
  const { root, notes } = heading;
  const lines = folded.slice(at + 1).split("\n");
  const body = form === sectionsForm
    ? addHeadings(lines, directoryIn(root))
    : lines;
  const list = unfoldRows(body, root, form.isSized).join("\n");
  const text = form.print(list, notes);
  return heading.isCrlf ? text.replaceAll("\n", "\r\n") : text;
}

/** Whether a line names its own directory. */
export function hasSelf(line: string): boolean {
  const at = line.indexOf(`: ${SELF}`);
  if (at < 0) return false;
  const names = readGroup(line)?.names ?? "";
  return /^\.\/?(?:[ |]|$)/.test(names);
}

/** Says of a line of a folded list which directory it stands for. */
function directoryIn(root: string): (line: string) => string | undefined {
  return (line) => {
    const before = readGroup(line)?.before;
    if (before === undefined) return undefined;
    const head = root + before;
    return head.slice(0, head.lastIndexOf("/"));
  };
}
