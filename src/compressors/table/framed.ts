/** Tables in frames of bars and dashes: Markdown, psql, boxes. @module */
import { lineEnd, type Lines, lineStart, offsetAt } from "../../text/lines.ts";
import {
  addCell,
  CELLS,
  contentOf,
  gridOf,
  PLAIN,
  RULE,
  type Table,
  textsOf,
} from "./layout.ts";

/** A line of dashes with joints: `|---|`, `+----+`, `---+---`, `├──┼──┤`, `---|---`. */
const FRAME_RULE = /^ *[-+|:=\u2500-\u257f][-+|:=\u2500-\u257f ]*$/;
const JOINT = /[+|\u250c-\u254b\u2551-\u257f]+/u;
const DASH = /[-=─━═]/;
const BARS = /[|│┃║]/;
const UNESCAPED_BAR = /(?<!\\)[|│┃║]/;
const WIDEST = 4000;

/** All tables in a frame of bars and dashes, in order. O(n). */
export function findFramed(lines: Lines): Table[] {
  const tables: Table[] = [];
  for (let i = 1; i < lines.count; i++) {
    if (!isFrameRule(lines, i)) continue;
    const table = framedAt(lines, i);
    if (table === undefined) continue;
    tables.push(table);
    i = Math.max(i, offsetAt(table.rowLine, table.states.length) - 1);
  }
  return tables;
}

function isFrameRule(lines: Lines, line: number): boolean {
  if (lineEnd(lines, line) - lineStart(lines, line) > WIDEST) return false;
  const text = contentOf(lines, line).trimEnd();
  return FRAME_RULE.test(text) && DASH.test(text) && JOINT.test(text);
}

/** The table whose header is above the rule at `rule`. */
function framedAt(lines: Lines, rule: number): Table | undefined {
  const header = contentOf(lines, rule - 1);
  const isClosed = startsWithBar(header);
  const segments =
    contentOf(lines, rule).split(JOINT).filter((part) => DASH.test(part))
      .length;
  const columns = slotsOf(header, isClosed).length;
  if (columns < 2 || columns !== segments || isFrameRule(lines, rule - 1)) {
    return undefined;
  }
  const from = rule >= 2 && isFrameRule(lines, rule - 2) ? rule - 2 : rule - 1;
  const frame = { rule, columns, isClosed };
  const { states, cells } = rowsFrom(lines, from, frame);
  if (states.filter((state) => state === CELLS).length < 2) return undefined;
  const head = rule - 1 - from;
  const isMarkdown = /^ *\|[ :|-]+\|$/.test(contentOf(lines, rule)) &&
    from === rule - 1;
  return {
    ...gridOf(lines, from, { columns, states, cells }),
    form: isMarkdown ? "markdown" : "framed",
    head,
    names: textsOf(
      lines,
      cells.slice(2 * head * columns, 2 * (head + 1) * columns),
    ),
    delimiter: "",
    layout: undefined,
  };
}

/** A frame: the rule below its header, and whether bars are around its rows too. */
interface Frame {
  readonly rule: number;
  readonly columns: number;
  readonly isClosed: boolean;
}

/** The rows of a frame, with the starts and ends of their cells. */
function rowsFrom(
  lines: Lines,
  from: number,
  { rule, columns, isClosed }: Frame,
): { readonly states: number[]; readonly cells: number[] } {
  const states: number[] = [];
  const cells: number[] = [];
  for (let line = from; line < lines.count; line++) {
    const text = contentOf(lines, line).trimEnd();
    const isRule = line !== rule - 1 && isFrameRule(lines, line);
    const slots = isRule ? [] : slotsOf(text, isClosed);
    const isFull = slots.length === columns &&
      !/[^\S ]/.test(contentOf(lines, line));
    const isInside = isClosed && startsWithBar(text);
    if (!isRule && !isFull && !isInside) break;
    states.push(isRule ? RULE : isFull ? CELLS : PLAIN);
    let at = lineStart(lines, line) + (isClosed ? text.search(BARS) + 1 : 0);
    for (let j = 0; j < columns; j++) {
      const { length } = slots[j] ?? "";
      addCell(lines, cells, [at, at + length]);
      at += length + 1;
    }
  }
  return { states, cells };
}

function startsWithBar(text: string): boolean {
  return BARS.test(text.trimStart()[0] ?? "");
}

/** What is between the bars, blanks included. */
function slotsOf(text: string, isClosed: boolean): string[] {
  if (!BARS.test(text)) return [];
  const slots = text.split(UNESCAPED_BAR);
  if (!isClosed) return slots;
  const isFramed = slots.length > 2 && slots[0]?.trim() === "" &&
    slots.at(-1) === "";
  return isFramed ? slots.slice(1, -1) : [];
}
