/** Lists of files that say a path by more than a line: `tree`, `git diff --stat`. @module */
import {
  ASCII,
  depthOf,
  draw,
  type Entry,
  openLevels,
  PLAIN_LINES,
  WIDE,
} from "./drawing.ts";
import {
  type Form,
  other,
  pathOf,
  PLAIN,
  plainLine,
  type Read,
  type Row,
  rowOf,
  withValues,
} from "./parse.ts";

/** A text may grow by so much while its paths are written whole. */
const MOST_GROWTH = 8;

function isTooLong(size: number, lines: readonly string[]): boolean {
  const own = lines.reduce((sum, { length }) => sum + length + 1, 0);
  return size > MOST_GROWTH * own;
}

/** By the words of the heading. */
const DRAWINGS = new Map([
  ["tree", WIDE],
  ["tree with blanks", PLAIN_LINES],
  ["tree with |--", ASCII],
]);

/** What `tree` prints. */
export function readTree(lines: readonly string[]): Read | undefined {
  const head = lines.slice(0, 80).join("\n");
  const [name, drawing] =
    [...DRAWINGS].findLast(([, { entry, last, bar }]) =>
      (head.includes(entry) || head.includes(last)) &&
      (bar !== PLAIN_LINES.bar || head.includes(bar))
    ) ?? [];
  if (drawing === undefined) return undefined;
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
    const path = start + line.slice(depth * drawing.bar.length);
    size += path.length;
    parents.length = depth;
    parents.push(path);
    const row = rowOf(line, path);
    rows.push(row.lead === undefined ? row : { ...row, text: path });
  }
  const open = openLevels(bottom, drawing);
  const cut = open.length === 0 ? "" : `${CUT}${open.join(" ")}`;
  const form = formOf(`${name}${cut}`);
  return isTooLong(size, lines) ? undefined : { form, rows };
}

/** Words of a heading before the levels at which a tree was cut off. */
const CUT = " that goes on at levels ";

/** The form of which a heading says `label`. */
export function formOf(label: string): Form {
  if (label === STATISTICS.label) return STATISTICS;
  const [name = "", levels] = label.split(CUT);
  const drawing = DRAWINGS.get(name);
  if (drawing === undefined) return { ...PLAIN, label };
  const open = levels?.split(" ").map(Number) ?? [];
  return { label, print: (rows) => draw(entriesOf(rows), drawing, open) };
}

/** What the entries of a directory start with. */
function startOf(directory: string): string {
  return directory.endsWith("/") ? directory : `${directory}/`;
}

function entriesOf(rows: readonly Row[]): Entry[] {
  const above: string[] = [];
  return rows.map((row) => {
    const line = plainLine(row);
    while (above.length > 0 && !line.startsWith(above.at(-1) ?? "")) {
      above.pop();
    }
    const depth = above.length;
    const name = line.slice(above.at(-1)?.length ?? 0);
    above.push(startOf(line));
    return { depth, name };
  });
}

/** A file of `git diff --stat`. */
const STAT = /^ (\S.*?) +\| +(\d+)(?: ([+-]+))?$/;
const STAT_LINE = /^ (\S.*?) +\| +(Bin|\d+)/;
const SIGNS = /[+-]/;

const STATISTICS: Form = { label: "lines changed after |", print: printStat };

/** What `git diff --stat` and `git log --stat` print. */
export function readStat(lines: readonly string[]): Read | undefined {
  const rows = lines.map((line) => {
    const [, path, count = "", signs = ""] = STAT.exec(line) ?? [];
    return path === undefined
      ? other(line)
      : withValues(rowOf(line, path, { lead: " " }), [count + signs]);
  });
  const listed = rows.filter(({ lead }) => lead !== undefined);
  return listed.length < 3 ? undefined : { form: STATISTICS, rows };
}

/** Aligns the files of each commit; a path without a count is a line of its own. */
function printStat(all: readonly Row[]): string[] {
  const rows = all.map((row) =>
    row.lead === undefined || row.values.length > 0
      ? row
      : other(row.lead + pathOf(row))
  );
  const out: string[] = [];
  let block: Row[] = [];
  const print = () => {
    let [width, digits] = [0, 0];
    for (const row of block) {
      width = Math.max(width, nameIn(row).length);
      digits = Math.max(digits, countIn(row).length);
    }
    for (const row of block) {
      const signs = (row.values[0] ?? "").slice(countIn(row).length);
      const shown = countIn(row).padStart(digits) + (signs && ` ${signs}`);
      const isFile = row.lead !== undefined;
      out.push(isFile ? ` ${nameIn(row).padEnd(width)} | ${shown}` : row.text);
    }
    block = [];
  };
  for (const row of rows) {
    if (row.lead !== undefined || STAT_LINE.test(row.text)) block.push(row);
    else {
      print();
      out.push(row.text);
    }
  }
  print();
  return out;
}

function nameIn(row: Row): string {
  return row.lead === undefined
    ? STAT_LINE.exec(row.text)?.[1] ?? ""
    : pathOf(row);
}

function countIn({ lead, text, values: [value = ""] }: Row): string {
  return lead === undefined
    ? STAT_LINE.exec(text)?.[2] ?? ""
    : value.split(SIGNS, 1)[0] ?? "";
}
