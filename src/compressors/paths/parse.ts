/** Reads a list of files, in whatever way it is printed, as rows that print it again. @module */
import { indexLines, type Lines } from "../../text/lines.ts";

/** A line of a list. */
export interface Row {
  /** What is before the path; `#` stands for a number that varies. Absent for a line that is no path: it is written as it is. */
  readonly lead: string | undefined;
  /** Directory, its last slash included; the directory's own when the path is that of the directory itself. */
  dir: string;
  /** Rest of the path; `.` or `./` for the directory itself. */
  name: string;
  /** Numbers that stand for the `#` of the lead, or follow the path. */
  readonly values: readonly string[];
  /** The line as it is printed, or as whole path where the form prints less. */
  readonly text: string;
  /** Whether the form prints the line because of those beside it: it is not written. */
  readonly isImplied?: boolean;
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
const NO_PATH = /^ |[*|"#<>\t]| -> |: | {2}|[ :]$|^\W*$/;
/** Two dots before a number look like a range; these names are no names. */
const ODD_NAME = /\.\.\d|(?:^|\/)\.{1,2}\/?$/;
/** A path with blanks must start like one. */
const ROOTED = /^(?:\/|\.{1,2}\/|[A-Za-z]:[\\/])/;
/** UTF-16 units of the longest path of common systems. */
const LONGEST = 4096;
/** A text may grow by so much while its paths are written whole. */
const MOST_GROWTH = 8;

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
    const printed = found.form.print(rows);
    if (printed.length !== said.length) continue;
    if (!printed.every((line, i) => line === said[i])) continue;
    const count = rows.filter(({ lead }) => lead !== undefined).length;
    return { lines, isCrlf, form: found.form, rows, count };
  }
  return undefined;
}

/** The path of a row. */
export function pathOf({ dir, name }: Row): string {
  if (name === "./") return dir;
  return name === "." ? dir.slice(0, -1) : dir + name;
}

/** What a row says in a line of a plain list. */
export function plainLine(row: Row): string {
  const { lead, values, text } = row;
  if (lead === undefined) return text;
  let next = 0;
  const filled = lead.replace(
    /#+/g,
    (slot) => (values[next++] ?? "").padStart(slot.length),
  );
  return filled + pathOf(row);
}

/** A line that is no path. */
export function other(text: string, isImplied = false): Row {
  return { lead: undefined, dir: "", name: "", values: [], text, isImplied };
}

/** A row of a path, or of a line that is none. */
export function rowOf(text: string, lead: string, path: string): Row {
  const isPath = path.length <= LONGEST && !NO_PATH.test(path) &&
    (lead !== "" || !path.includes(" ") || ROOTED.test(path));
  // A slash at the end is part of the name.
  const at = Math.max(
    path.lastIndexOf("/", path.length - 2),
    path.lastIndexOf("\\", path.length - 2),
  );
  const name = path.slice(at + 1);
  if (!isPath || ODD_NAME.test(name)) return other(text);
  return { lead, dir: path.slice(0, at + 1), name, values: [], text };
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

const PLAIN: Form = { label: "", print: (rows) => rows.map(plainLine) };

/** A path in each line, what git says of it before it. */
export function readPlain(lines: readonly string[]): Read {
  const rows = lines.map((line) => {
    const lead = STATE.exec(line)?.[0] ?? "";
    return rowOf(line, lead, line.slice(lead.length));
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
  const counts = new Map<number, number>();
  for (const { length } of all) {
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
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
    const found = rowOf(line, lead + path.blanks, path.word);
    const row = withValues(found, values);
    // A value that is not aligned as the others are.
    return plainLine(row) === line ? row : other(line);
  });
  const form = {
    ...PLAIN,
    label: slots.some(Boolean) ? "numbers after | fill the #" : "",
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
  if (words.size <= Math.max(VARYING, VARYING_SHARE * columns.length)) {
    return undefined;
  }
  const [sep = ""] = seps;
  if (seps.size === 1) return `${sep}#`;
  const width = Math.max(...widths);
  const blanks = Math.min(...[...seps].map(({ length }) => length));
  return " ".repeat(blanks) + "#".repeat(width - blanks);
}

/** Names below `directory:`, as `ls -R` prints them. */
export function readSections(lines: readonly string[]): Read | undefined {
  const isHeading = (i: number) => {
    const line = lines[i] ?? "";
    return line.length > 1 && line.endsWith(":") &&
      (i === 0 || lines[i - 1] === "");
  };
  const hasNames = (i: number) => isHeading(i) && (lines[i + 1] ?? "") !== "";
  if (lines.filter((_, i) => isHeading(i)).length < 2) return undefined;
  let directory = "";
  let size = 0;
  const rows = lines.map((line, i) => {
    if (isHeading(i)) directory = line.slice(0, -1);
    if (isHeading(i)) return other(line, hasNames(i));
    if (line === "") return other(line, i > 0 && hasNames(i + 1));
    if (directory === "") return other(line);
    const path = `${directory}/${line}`;
    size += path.length;
    const row = rowOf(line, "", path);
    return row.lead === undefined ? row : { ...row, text: path };
  });
  const form = { label: "ls", print: printSections };
  return isTooLong(size, lines) ? undefined : { form, rows };
}

function printSections(rows: readonly Row[]): string[] {
  const out: string[] = [];
  let current = "";
  for (const row of rows) {
    if (row.isImplied) continue;
    if (row.lead === undefined) {
      out.push(row.text);
      continue;
    }
    const path = plainLine(row);
    const at = path.lastIndexOf("/", path.length - 2);
    const directory = path.slice(0, Math.max(0, at));
    if (at < 0) {
      out.push(path);
      continue;
    }
    if (directory !== current) {
      if (out.length > 0) out.push("");
      out.push(`${directory}:`);
      current = directory;
    }
    out.push(path.slice(at + 1));
  }
  return out;
}

function isTooLong(size: number, lines: readonly string[]): boolean {
  const own = lines.reduce((sum, { length }) => sum + length + 1, 0);
  return size > MOST_GROWTH * own;
}

/** The four characters before a name, and those of the levels above: of an entry, of the last one, beside more and below the last. */
const DRAWINGS = [
  ["├── ", "└── ", "│\u00a0\u00a0 ", "    "],
  ["├── ", "└── ", "│   ", "    "],
  ["|-- ", "`-- ", "|   ", "    "],
] as const;
type Drawing = typeof DRAWINGS[number];
const WIDTH = 4;

/** Level of an entry of a drawn tree, 1 below the root; 0 for another line. */
function depthOf(line: string, [entry, last, bar, gap]: Drawing): number {
  for (let at = 0; at + WIDTH < line.length; at += WIDTH) {
    const part = line.slice(at, at + WIDTH);
    if (part === entry || part === last) return at / WIDTH + 1;
    if (part !== bar && part !== gap) return 0;
  }
  return 0;
}

/** What `tree` prints. */
export function readTree(lines: readonly string[]): Read | undefined {
  const head = lines.slice(0, 80).join("\n");
  const [wide, plain, ascii] = DRAWINGS;
  const isDrawn = head.includes(wide[0]) || head.includes(wide[1]);
  if (!isDrawn && !head.includes(ascii[0]) && !head.includes(ascii[1])) {
    return undefined;
  }
  const drawing = isDrawn ? head.includes(plain[2]) ? plain : wide : ascii;
  const parents: string[] = [];
  const rows: Row[] = [];
  let size = 0;
  let bottom = "";
  for (const line of lines) {
    const depth = depthOf(line, drawing);
    const above = parents[depth - 1];
    if (depth > 0 && above === undefined) return undefined;
    if (depth > 0) bottom = line;
    const start = above === undefined ? "" : startOf(above);
    const path = start + line.slice(depth * WIDTH);
    size += path.length;
    parents.length = depth;
    parents.push(path);
    const row = rowOf(line, "", path);
    rows.push(row.lead === undefined ? row : { ...row, text: path });
  }
  // Where the list was cut off, more entries would follow on these levels.
  const open: boolean[] = [];
  for (let level = 1; level <= depthOf(bottom, drawing); level++) {
    const part = bottom.slice((level - 1) * WIDTH, level * WIDTH);
    open[level] = part === drawing[0] || part === drawing[2];
  }
  const print = (rows: readonly Row[]) => printTree(rows, drawing, open);
  return isTooLong(size, lines)
    ? undefined
    : { form: { label: "tree", print }, rows };
}

/** What the entries of a directory start with. */
function startOf(directory: string): string {
  return directory.endsWith("/") ? directory : `${directory}/`;
}

function printTree(
  rows: readonly Row[],
  [entry, last, bar, gap]: Drawing,
  cut: readonly boolean[],
): string[] {
  const above: string[] = [];
  const entries = rows.map((row) => {
    const line = plainLine(row);
    while (above.length > 0 && !line.startsWith(above.at(-1) ?? "")) {
      above.pop();
    }
    const depth = above.length;
    const name = line.slice(above.at(-1)?.length ?? 0);
    above.push(startOf(line));
    return { depth, name };
  });
  const open = [...cut];
  const out: string[] = [];
  for (const { depth, name } of entries.toReversed()) {
    if (depth === 0) {
      if (name !== "") open.length = 0;
      out.push(name);
      continue;
    }
    let drawn = open[depth] ? entry : last;
    for (let level = depth - 1; level > 0; level--) {
      drawn = (open[level] ? bar : gap) + drawn;
    }
    out.push(drawn + name);
    open.length = Math.min(open.length, depth + 1);
    open[depth] = true;
  }
  return out.reverse();
}
