/** Finding tables in a frame of bars and dashes. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import {
  type Cells,
  frameText,
  joinEscaped,
  MARKDOWN,
  MARKDOWN_RULES,
  markdownRule,
  rowWriter,
  RULE_KEPT,
  withoutKnownPlaces,
} from "./frame.ts";
import {
  FRAME_STYLES,
  type FrameStyle,
  padCell,
  ruleLine,
} from "./frame_styles.ts";
import type { Column, Layout, Side } from "./layout.ts";
import type { Table } from "./table.ts";

const SIDES: readonly Side[] = ["<", ">", "^"];
/** Rows that are looked at to tell the side of a column. */
const SAMPLE = 200;
/**
 * All framed tables of a text, in order. O(n).
 *
 * @param isCut Whether the text may end before a table does: its last line may then be missing.
 */
export function findFrames(lines: Lines, isCut = false): Table[] {
  const tables: Table[] = [];
  for (let i = 1; i < lines.count; i++) {
    const style = styleAt(lines, i);
    if (style === undefined) continue;
    const found = frameAt(lines, i, style, isCut);
    if (found === undefined) continue;
    tables.push(found);
    i = Math.max(i, found.to - 1);
  }
  return tables;
}

/** The style whose middle rule line `line` may be. */
function styleAt(lines: Lines, line: number): FrameStyle | undefined {
  const start = lines.starts[line]!;
  const first = lines.codes[start]!;
  if (first !== 124 && first !== 43 && first !== 45 && first < 128) return;
  const text = lineAt(lines, line);
  if (first === 124) {
    if (!/^\|(?: *:?-+:? *\|){2,}$/.test(text)) return undefined;
    return FRAME_STYLES[0];
  }
  return FRAME_STYLES.slice(1).find(({ middle: [left, dash, joint, right] }) =>
    text.startsWith(left + dash) && text.endsWith(dash + right) &&
    text.includes(dash + joint + dash) &&
    text.slice(left.length, text.length - right.length)
      .split(joint).every((part) => part === dash.repeat(part.length))
  );
}

/** Rows as slots: what stands between two bars, with its blanks. */
interface Slots {
  /** First and last line of the frame, rules included. */
  readonly from: number;
  readonly to: number;
  /** Line of each row. */
  readonly rows: number[];
  /** Slots of each row; `undefined` when it has more or fewer than the header. */
  readonly slots: (readonly string[] | undefined)[];
  /** Width of each column as the rule says. */
  readonly widths: readonly number[];
}

function frameAt(
  lines: Lines,
  rule: number,
  style: FrameStyle,
  isCut: boolean,
): Table | undefined {
  const found = slotsAt(lines, rule, style, isCut);
  if (found === undefined) return undefined;
  const cells = found.slots.map((row) => row?.map(trimBlanks));
  const layout = layoutOf(found, cells, style, lineAt(lines, rule));
  const { rows, slots } = found;
  if (layout.rule === RULE_KEPT) {
    rows.splice(1, 0, rule);
    slots.splice(1, 0, undefined);
    cells.splice(1, 0, undefined);
  }
  return buildTable(lines, found, cells, layout);
}

function slotsAt(
  lines: Lines,
  rule: number,
  style: FrameStyle,
  isCut: boolean,
): Slots | undefined {
  const header = splitRow(lineAt(lines, rule - 1), style);
  const ruleText = lineAt(lines, rule);
  const [left, , joint, right] = style.middle;
  const widths = ruleText.slice(left.length, ruleText.length - right.length)
    .split(joint).map((part) => part.length - 2);
  if (header === undefined || header.length !== widths.length) return undefined;
  let from = rule - 1;
  if (style.top !== undefined) {
    from--;
    if (from < 0 || lineAt(lines, from) !== ruleLine(style.top, widths)) {
      return undefined;
    }
  }
  const rows = [rule - 1];
  const slots: (readonly string[] | undefined)[] = [header];
  let to = rule + 1;
  for (; to < lines.count; to++) {
    const text = lineAt(lines, to);
    if (style.isClosed && !text.startsWith(style.bar)) break;
    const row = splitRow(text, style);
    if (row?.length !== widths.length && !style.isClosed) break;
    rows.push(to);
    slots.push(row?.length === widths.length ? row : undefined);
  }
  if (style.bottom !== undefined) {
    const isThere = to < lines.count &&
      lineAt(lines, to) === ruleLine(style.bottom, widths);
    if (isThere) to++;
    else if (!isCut || to < lines.count) return undefined;
  }
  return rows.length < 2 ? undefined : { from, to, rows, slots, widths };
}

/** What stands between the bars; a bar behind a backslash is part of a Markdown cell. */
function splitRow(text: string, style: FrameStyle): string[] | undefined {
  const { bar } = style;
  if (!style.isClosed) return text.split(bar);
  if (text.length < 2 || !text.startsWith(bar) || !text.endsWith(bar)) {
    return undefined;
  }
  const parts = text.slice(1, -1).split(bar);
  if (style.name !== MARKDOWN || !text.includes("\\")) return parts;
  return joinEscaped(parts);
}

/** The layout under which most rows are written again as they were. */
function layoutOf(
  { slots, widths }: Slots,
  cells: Cells,
  style: FrameStyle,
  rule: string,
): Layout {
  const sample = slots.slice(0, SAMPLE);
  const columns = widths.map((width, j): Column => ({
    side: sideOf(sample, j, width),
    place: width,
  }));
  const padded = {
    name: style.name,
    split: "|",
    columns,
    gap: 0,
    end: 0,
    rule: "",
    head: "",
    isCrlf: false,
  };
  const empty = sample.some((row) => row?.includes(" ")) ? 1 : 0;
  const candidates: Layout[] = [
    { ...padded, columns: [], gap: empty },
    ...["", "=", "<", "^"].filter((head) => head !== style.head)
      .map((head) => ({ ...padded, head })),
  ];
  const fit = (layout: Layout) => {
    const write = rowWriter(layout, cells);
    return sample.filter((row, i) =>
      row !== undefined && write(cells[i]!, i === 0) === frameText(row, style)
    ).length;
  };
  const best = bestBy(candidates, fit);
  if (style.name !== MARKDOWN) return best;
  const form = MARKDOWN_RULES.find((form) =>
    markdownRule({ ...best, rule: form }, cells) === rule
  );
  return { ...best, rule: form ?? literalRule(rule) };
}

/** A rule in the words of a note: without its blanks, if they are the usual ones. */
function literalRule(rule: string): string {
  if (!rule.includes(" ")) return rule;
  const parts = rule.slice(1, -1).split("|");
  return parts.every((part) => /^ [:-]+ $/.test(part))
    ? parts.map((part) => part.trim()).join(",")
    : RULE_KEPT;
}

function bestBy<T extends object | string>(
  items: readonly T[],
  score: (item: T) => number,
): T {
  let best = items[0]!;
  let most = -1;
  for (const item of items) {
    const points = score(item);
    if (points <= most) continue;
    best = item;
    most = points;
  }
  return best;
}

/** The side to which most cells of column `j` are pushed. */
function sideOf(
  rows: readonly (readonly string[] | undefined)[],
  j: number,
  width: number,
): Side {
  return bestBy(SIDES, (side) =>
    rows.filter((row, i) => {
      const slot = row?.[j];
      return i > 0 && slot !== undefined &&
        padCell(trimBlanks(slot), width, side).trimEnd() === slot.trimEnd();
    }).length);
}

function trimBlanks(slot: string): string {
  let from = 0;
  let to = slot.length;
  while (from < to && slot.charCodeAt(from) === 32) from++;
  while (to > from && slot.charCodeAt(to - 1) === 32) to--;
  return slot.slice(from, to);
}

function buildTable(
  lines: Lines,
  { from, to, rows, slots, widths }: Slots,
  trimmed: Cells,
  layout: Layout,
): Table {
  const columns = widths.length;
  const cells = new Uint32Array(2 * rows.length * columns);
  const plain = new Uint8Array(rows.length);
  const write = rowWriter(layout, trimmed);
  const lead = lineAt(lines, rows[0]!).length -
    slots[0]!.reduce((sum, slot) => sum + slot.length + 1, -1);
  slots.forEach((row, r) => {
    const line = lineAt(lines, rows[r]!);
    const isKept = row === undefined || write(trimmed[r]!, r === 0) !== line;
    plain[r] = isKept ? 1 : 0;
    let at = lines.starts[rows[r]!]! + lead / 2;
    row?.forEach((slot, j) => {
      const cell = trimmed[r]![j]!;
      const start = at + slot.indexOf(cell);
      cells[2 * (r * columns + j)] = start;
      cells[2 * (r * columns + j) + 1] = start + cell.length;
      at += slot.length + 1;
    });
  });
  const rowLine = Uint32Array.from(rows);
  const kept = trimmed.map((row, r) => plain[r] === 1 ? undefined : row);
  return {
    lines,
    from,
    to,
    columns,
    rows: rows.length,
    cells,
    rowLine,
    rowTo: rowLine.map((line) => line + 1),
    plain,
    names: plain[0] === 0 ? trimmed[0]! : undefined,
    hasHeader: true,
    layout: withoutKnownPlaces(layout, kept),
  };
}
