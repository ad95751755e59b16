/** Styles of tables with bars between the cells: Markdown, psql, mysql, box drawing. @module */

/** A line of dashes: left end, dash, joint, right end. */
export type Rule = readonly [string, string, string, string];

/** How one program frames a table. */
export interface FrameStyle {
  /** Name of the layout. */
  readonly name: string;
  /** Stands between two cells. */
  readonly bar: string;
  /** Whether bars stand at both ends of a row too. */
  readonly isClosed: boolean;
  /** Line above the header. */
  readonly top: Rule | undefined;
  /** Line below the header. */
  readonly middle: Rule;
  /** Line below the last row. */
  readonly bottom: Rule | undefined;
  /** Usual side of the names; `=` for that of their column. */
  readonly head: string;
  /** Whether the last cell of a row is not padded at its right. */
  readonly isOpenEnded: boolean;
}

const DASHES: Rule = ["+", "-", "+", "+"];

/** All styles. */
export const FRAME_STYLES: readonly FrameStyle[] = [
  {
    name: "markdown table",
    bar: "|",
    isClosed: true,
    top: undefined,
    middle: ["|", "-", "|", "|"],
    bottom: undefined,
    head: "=",
    isOpenEnded: false,
  },
  {
    name: "psql table",
    bar: "|",
    isClosed: false,
    top: undefined,
    middle: ["", "-", "+", ""],
    bottom: undefined,
    head: "^",
    isOpenEnded: true,
  },
  {
    name: "mysql table",
    bar: "|",
    isClosed: true,
    top: DASHES,
    middle: DASHES,
    bottom: DASHES,
    head: "<",
    isOpenEnded: false,
  },
  {
    name: "box table",
    bar: "│",
    isClosed: true,
    top: ["┌", "─", "┬", "┐"],
    middle: ["├", "─", "┼", "┤"],
    bottom: ["└", "─", "┴", "┘"],
    head: "^",
    isOpenEnded: false,
  },
];

/** Writes a rule over columns of the given widths, each with a blank at both sides that is dashes too. */
export function ruleLine(
  [left, dash, joint, right]: Rule,
  widths: readonly number[],
): string {
  const parts = widths.map((width) => dash.repeat(width + 2));
  return left + parts.join(joint) + right;
}

/** A cell with its padding, one blank at each side; the middle leans to the left. */
export function padCell(cell: string, width: number, side: string): string {
  const room = Math.max(0, width - cell.length);
  const left = side === "<" ? 0 : side === ">" ? room : room >> 1;
  return ` ${" ".repeat(left)}${cell}${" ".repeat(room - left)} `;
}
