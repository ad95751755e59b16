/** Writing the frame of a table again: bars, padding, rules. @module */
import {
  FRAME_STYLES,
  type FrameStyle,
  padCell,
  ruleLine,
} from "./frame_styles.ts";
import type { Layout } from "./layout.ts";

/** Name of the layout of Markdown tables. */
export const MARKDOWN = "markdown table";
/** Word for a rule that is kept as a row of its own. */
export const RULE_KEPT = "kept";
/** Rules of Markdown by the words of a note: with blanks at the bars, and without. */
export const MARKDOWN_RULES = ["", "|---|"] as const;
const TIGHT_RULE = MARKDOWN_RULES[1];
/** Dashes that Markdown formatters write at least. */
const LEAST_DASHES = 3;
/** Blanks of an empty cell that is not padded. */
const USUAL_EMPTY = 2;

/** Cells of each row; `undefined` for a row that is kept as it is. */
export type Cells = readonly (readonly string[] | undefined)[];

/** Makes the function that writes one row again; `rows` tell the widths that the layout does not. */
export function rowWriter(
  layout: Layout,
  rows: Cells,
): (cells: readonly string[], isHeader: boolean) => string {
  const style = styleNamed(layout.name);
  const { columns } = layout;
  const longest = columns.length > 0 ? longestCells(rows, layout.name) : [];
  const head = layout.head || style.head;
  const empty = " ".repeat(layout.gap || USUAL_EMPTY);
  return (cells, isHeader) => {
    const slots = cells.map((cell, j) => {
      const column = columns[j];
      if (column === undefined) return cell === "" ? empty : ` ${cell} `;
      const side = isHeader && head !== "=" ? head : column.side;
      return padCell(cell, column.place ?? longest[j]!, side);
    });
    if (!isHeader && style.isOpenEnded) {
      slots.push(` ${slots.pop()!.slice(1).trimEnd()}`);
    }
    return frameText(slots, style);
  };
}

function styleNamed(name: string): FrameStyle {
  return FRAME_STYLES.find((style) => style.name === name)!;
}

/** The rule below the header of a Markdown table, as wide as its columns, or of three dashes when nothing is padded. */
export function markdownRule(layout: Layout, rows: Cells): string {
  if (layout.rule.includes(",")) {
    return `| ${layout.rule.split(",").join(" | ")} |`;
  }
  if (layout.rule.length > TIGHT_RULE.length) return layout.rule;
  const longest = longestCells(rows, layout.name);
  const isTight = layout.rule !== "";
  const dashes = longest.map((cell, j) => {
    const column = layout.columns[j];
    if (column === undefined) return isTight ? "---" : " --- ";
    const width = (column.place ?? cell) + (isTight ? 2 : 0);
    const all = "-".repeat(width);
    const line = column.side === "<"
      ? all
      : `${column.side === "^" ? ":" : "-"}${all.slice(2)}:`;
    return isTight ? line : ` ${line} `;
  });
  return `|${dashes.join("|")}|`;
}

/**
 * Writes a framed table again.
 *
 * @param rows Cells of each row, the header first; a text where a row stays as it is.
 */
export function frameLines(
  layout: Layout,
  rows: readonly (readonly string[] | string)[],
): string[] {
  const style = styleNamed(layout.name);
  const cells = rows.map((row) => typeof row === "string" ? undefined : row);
  const write = rowWriter(layout, cells);
  const body = rows.map((row, i) =>
    typeof row === "string" ? row : write(row, i === 0)
  );
  if (style.name === MARKDOWN) {
    if (layout.rule !== RULE_KEPT) {
      body.splice(1, 0, markdownRule(layout, cells));
    }
    return body;
  }
  const longest = longestCells(cells, layout.name);
  const widths = longest.map((width, j) => layout.columns[j]?.place ?? width);
  body.splice(1, 0, ruleLine(style.middle, widths));
  if (style.top !== undefined) body.unshift(ruleLine(style.top, widths));
  if (style.bottom !== undefined) body.push(ruleLine(style.bottom, widths));
  return body;
}

/** Longest cell of each column. */
function longestCells(rows: Cells, name: string): number[] {
  const longest: number[] = [];
  for (const row of rows) {
    row?.forEach((cell, j) => {
      const least = name === MARKDOWN ? LEAST_DASHES : 0;
      longest[j] = Math.max(longest[j] ?? least, cell.length);
    });
  }
  return longest;
}

/** Puts the bars between slots. */
export function frameText(slots: readonly string[], style: FrameStyle): string {
  const inner = slots.join(style.bar);
  return style.isClosed ? style.bar + inner + style.bar : inner;
}

/** The layout without the widths that follow from the longest cells. */
export function withoutKnownPlaces(layout: Layout, rows: Cells): Layout {
  const longest = longestCells(rows, layout.name);
  const columns = layout.columns.map(({ side, place }, j) => ({
    side,
    place: place === longest[j] ? undefined : place,
  }));
  return { ...layout, columns };
}

/** Joins what was split at a bar behind a backslash. */
export function joinEscaped(parts: readonly string[]): string[] {
  const joined: string[] = [];
  let open = false;
  for (const part of parts) {
    if (open) joined[joined.length - 1] += `|${part}`;
    else joined.push(part);
    open = part.endsWith("\\");
  }
  return joined;
}
