/** Reads a list of files, in whatever way it is printed, as rows that print it again. @module */
import { countsOf } from "../../text/counts.ts";
import { indexLines, type Lines } from "../../text/lines.ts";

/** A line of a list. */
export interface Row {
  /** What is before the path; `#` stands for a number that varies. Absent for a line that is no path: it is written as it is. */
  readonly lead: string | undefined;
  /** Directory, its last slash included. */
  readonly dir: string;
  /** Rest of the path. */
  readonly name: string;
  /** Numbers that stand for the `#` of the lead, or follow the path. */
  readonly values: readonly string[];
  /** The line as it is printed, or as whole path where the form prints less. */
  readonly text: string;
}

/** How a list is printed. */
export interface Form {
  /** Words for the heading of a folded list; empty for a plain one. */
  readonly label: string;
  /** Prints rows: the inverse of reading them. */
  readonly print: (rows: readonly Row[]) => string[];
}

/** A list of files. */
export interface PathsView {
  /** The lines as offsets. */
  readonly lines: Lines;
  /** Whether they end with a carriage return too. */
  readonly isCrlf: boolean;
  /** How they are printed. */
  readonly form: Form;
  /** One per line. */
  readonly rows: readonly Row[];
  /** Number of paths. */
  readonly count: number;
}

/** What git says of a file before its path. */
export const STATE =
  /^(?:(?! {2})[ MADRCUT][MADRCUT ] (?=\S)|\?\? |!! |[MADRTCUX]\d{0,3}\t|\t(?:(?:modified|new file|deleted|typechange|both \w+|(?:added|deleted) by \w+): +)?)/;
/** What no path has that may be written beside others. */
const NO_PATH = /^ |[*|"#<>\t\r]| -> |: | {2}|[ :]$|^\W*$/;
/** A path that has none of that. */
const USUAL = /^[./]*\w[\w./@+-]*$/;
/** Two dots before a number look like a range; these names are no names. */
const ODD_NAME = /\.\.\d|(?:^|\/)\.{1,2}\/?$/;
/** A path with blanks must start like one. */
const ROOTED = /^(?:\/|\.{1,2}\/|[A-Za-z]:[\\/])/;
/** UTF-16 units of the longest path of common systems. */
const LONGEST = 4096;

/** Reads a text in the first way that fits and that prints it back exactly. O(n). */
export function readPaths(
  text: string,
  ways: readonly Way[],
): PathsView | undefined {
  const isCrlf = text.includes("\r\n");
  const plain = isCrlf ? text.replaceAll("\r\n", "\n") : text;
  if (isCrlf && plain.replaceAll("\n", "\r\n") !== text) return undefined;
  const lines = indexLines(text);
  const said = plain.split("\n");
  if (said.at(-1) === "") said.pop();
  for (const read of ways) {
    const found = read(said);
    if (found === undefined) continue;
    const { rows } = found;
    if (!isPrinted(found, said)) continue;
    const count = rows.filter(({ lead }) => lead !== undefined).length;
    return { lines, isCrlf, form: found.form, rows, count };
  }
  return undefined;
}

/** Whether a form prints the lines that were read. A plain one prints each line as it is. */
function isPrinted({ form, rows }: Read, said: readonly string[]): boolean {
  if (form === PLAIN) return true;
  const printed = form.print(rows);
  return printed.length === said.length &&
    printed.every((line, i) => line === said[i]);
}

/** The path of a row. */
export function pathOf({ dir, name }: Row): string {
  return dir + name;
}

/** What a row says in a line of a plain list. */
export function plainLine(row: Row): string {
  const { lead, values, text } = row;
  if (lead === undefined) return text;
  if (!lead.includes("#")) return lead + pathOf(row);
  let next = 0;
  const filled = lead.replace(
    /#+/g,
    (slot) => (values[next++] ?? "").padStart(slot.length),
  );
  return filled + pathOf(row);
}

/** A line that is no path. */
export function other(text: string): Row {
  return { lead: undefined, dir: "", name: "", values: [], text };
}

/** What is known beside a path. */
interface Beside {
  /** What is before it in its line. */
  readonly lead?: string;
  /** Directory of the row before: one string for all rows is compared in no time. */
  readonly above?: string;
}

/** A row of a path, or of a line that is none. */
export function rowOf(
  text: string,
  path: string,
  { lead = "", above = "" }: Beside = {},
): Row {
  const isPath = path.length <= LONGEST &&
    (USUAL.test(path) || !NO_PATH.test(path) &&
        (lead !== "" || !path.includes(" ") || ROOTED.test(path)));
  const start = nameStart(path);
  const name = path.slice(start);
  if (!isPath || ODD_NAME.test(name)) return other(text);
  const isSame = start === above.length && path.startsWith(above);
  const dir = isSame ? above : path.slice(0, start);
  return { lead, dir, name, values: [], text };
}

/** Where the last name of a path starts. A slash at the end is part of it. */
function nameStart(path: string): number {
  let at = path.length - 1;
  while (at > 0 && !isSlash(path.charCodeAt(at - 1))) at--;
  return Math.max(0, at);
}

function isSlash(code: number): boolean {
  return code === 47 || code === 92;
}

/** A row with values, if it is one of a path. */
export function withValues(row: Row, values: readonly string[]): Row {
  return row.lead === undefined ? row : { ...row, values };
}

/** Reads the lines of a text as a list; `undefined` when it is another one. */
export type Way = (lines: readonly string[]) => Read | undefined;

/** A list that was read. */
export interface Read {
  readonly form: Form;
  readonly rows: readonly Row[];
}

/** A path in each line. */
export const PLAIN: Form = { label: "", print: (rows) => rows.map(plainLine) };

/** A path in each line, what git says of it before it. */
export function readPlain(lines: readonly string[]): Read {
  let above = "";
  const rows = lines.map((line) => {
    const lead = STATE.exec(line)?.[0] ?? "";
    const row = rowOf(line, line.slice(lead.length), { lead, above });
    above = row.dir;
    return row;
  });
  return { form: PLAIN, rows };
}

/** Words before the last one of a line. */
const COLUMN = /([ \t]*)(\S+)/g;
/** Share of the lines that must have the same number of columns, and most columns. */
const COLUMNS_SHARE = 0.8;
const MOST_COLUMNS = 9;
/** Values of a column that varies: so many, and such a share of the rows. */
const VARYING = 4;
const VARYING_SHARE = 0.2;
const COUNT_SHARE = 0.1;

/** A count or a size, of which few equal ones say nothing. */
const COUNT = /^\d[\d.]*[BKMGTP]?$/;

/** What a heading says of values. */
export const VALUES = "numbers after | fill the #";

/** A column of the lines of `ls -l`, `du`, `wc`, `find -printf`: blanks and a word. */
interface Column {
  readonly blanks: string;
  readonly word: string;
}

/** The same number of words before each path; those that vary become values. */
export function readColumns(lines: readonly string[]): Read | undefined {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  if (!/^ *\S+[ \t]+\S/.test(first) || STATE.test(first)) return undefined;
  const all = lines.map((line) =>
    line.length > LONGEST ? [] : [...line.matchAll(COLUMN)].map(
      ([, blanks = "", word = ""]): Column => ({ blanks, word }),
    )
  );
  const counts = countsOf(all.map(({ length }) => length));
  const [[size, times] = [0, 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  if (size < 2 || size > MOST_COLUMNS || times < COLUMNS_SHARE * lines.length) {
    return undefined;
  }
  const listed = all.filter(({ length }) => length === size);
  const slots = Array.from(
    { length: size - 1 },
    (_, column) => slotOf(listed.map((row) => row[column])),
  );
  const rows = lines.map((line, i) => {
    const columns = all[i] ?? [];
    const path = columns.at(-1);
    if (columns.length !== size || path === undefined || /#/.test(line)) {
      return other(line);
    }
    const values: string[] = [];
    let lead = "";
    for (const [n, slot] of slots.entries()) {
      const { blanks = "", word = "" } = columns[n] ?? {};
      if (slot !== undefined) values.push(word);
      lead += slot ?? blanks + word;
    }
    const found = rowOf(line, path.word, { lead: lead + path.blanks });
    const row = withValues(found, values);
    // A value that is not aligned as the others are.
    return plainLine(row) === line ? row : other(line);
  });
  const form = {
    ...PLAIN,
    label: slots.some(Boolean) ? VALUES : "",
  };
  return { form, rows };
}

/** What is written for a column that varies: blanks and one `#` for each character that it is aligned to. */
function slotOf(columns: readonly (Column | undefined)[]): string | undefined {
  const words = new Set<string>();
  const widths = new Set<number>();
  const seps = new Set<string>();
  for (
    const { blanks = "", word = "" } of columns.map((one) =>
      one ?? {} as Partial<Column>
    )
  ) {
    words.add(word);
    widths.add(blanks.length + word.length);
    seps.add(blanks);
  }
  const isCounted = [...words].every((word) => COUNT.test(word));
  const share = (isCounted ? COUNT_SHARE : VARYING_SHARE) * columns.length;
  if (words.size <= Math.max(VARYING, share)) return undefined;
  const [sep = ""] = seps;
  if (seps.size === 1) return `${sep}#`;
  const width = Math.max(...widths);
  const blanks = Math.min(...[...seps].map(({ length }) => length));
  return " ".repeat(blanks) + "#".repeat(width - blanks);
}
