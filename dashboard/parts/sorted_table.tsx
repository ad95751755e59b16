/** A table that is sorted by any of its columns, with a bar beside each row. @module */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Scroller } from "./scroller.tsx";

/** One column. */
export interface Column<Row> {
  /** Heading. */
  readonly title: string;
  /** What it is sorted by; texts by the alphabet, figures from the greatest down, `null` behind them. */
  readonly sortBy: (row: Row) => string | number | null;
  /** What stands in the cell. */
  readonly show: (row: Row) => ComponentChildren;
  /** Whether it is left out where there is little room. */
  readonly isMinor?: boolean;
}

/** Properties of {@linkcode SortedTable}. */
export interface SortedTableProps<Row> {
  /** What the table shows. */
  readonly caption: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  /** In any order. */
  readonly rows: readonly Row[];
  /** Index of the column that it is sorted by at first. */
  readonly start: number;
  /** Length of the bar; below zero it is drawn as a loss. */
  readonly bar: (row: Row) => number;
}

interface Order {
  readonly column: number;
  readonly isReversed: boolean;
}

/** Draws the table. */
export function SortedTable<Row extends { readonly name: string }>(
  { caption, columns, rows, start, bar }: SortedTableProps<Row>,
) {
  const [order, setOrder] = useState<Order>({
    column: start,
    isReversed: false,
  });
  const sortBy = (columns[order.column] ?? columns[0])?.sortBy ?? (() => 0);
  const sorted = rows.toSorted((a, b) => compare(sortBy(a), sortBy(b)));
  const most = Math.max(...rows.map((row) => Math.abs(bar(row))), 1e-12);
  const sortedRows = order.isReversed ? sorted.toReversed() : sorted;
  return (
    <Scroller label={caption}>
      <table class="sorted">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isMinor }, i) => (
              <Heading
                key={title}
                title={title}
                isNumber={i > 0}
                isMinor={isMinor ?? false}
                sorted={order.column === i
                  ? directionOf(i > 0, order.isReversed)
                  : undefined}
                onSort={() =>
                  setOrder({
                    column: i,
                    isReversed: order.column === i && !order.isReversed,
                  })}
              />
            ))}
            <th class="rowbar">
              <span class="hidden">Bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sortedRows.map((row) => (
            <tr key={row.name}>
              {columns.map(({ title, show, isMinor }, i) =>
                i === 0
                  ? <th key={title} scope="row">{show(row)}</th>
                  : (
                    <td key={title} class={`num ${isMinor ? "roomy" : ""}`}>
                      {show(row)}
                    </td>
                  )
              )}
              <td class="rowbar">
                <div
                  aria-hidden="true"
                  class={bar(row) < 0 ? "fill-bad" : "fill-accent"}
                  style={{ width: `${100 * Math.abs(bar(row)) / most}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

type Direction = "ascending" | "descending";

function Heading({ title, isNumber, isMinor, sorted, onSort }: {
  title: string;
  isNumber: boolean;
  isMinor: boolean;
  sorted: Direction | undefined;
  onSort: () => void;
}) {
  const sign = sorted === undefined ? "" : sorted === "ascending" ? " ↑" : " ↓";
  return (
    <th
      scope="col"
      class={`${isNumber ? "num" : ""} ${isMinor ? "roomy" : ""}`}
      aria-sort={sorted}
    >
      <button type="button" onClick={onSort}>
        {title}
        <span aria-hidden="true">{sign}</span>
      </button>
    </th>
  );
}

function directionOf(isNumber: boolean, isReversed: boolean): Direction {
  return isNumber === isReversed ? "ascending" : "descending";
}

function compare(
  a: string | number | null,
  b: string | number | null,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === "number" && typeof b === "number"
    ? b - a
    : String(a).localeCompare(String(b));
}
