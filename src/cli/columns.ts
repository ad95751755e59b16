/** Tables, also those that are not finished yet. @module */

/** A column. */
export interface Column {
  /** Its name. */
  readonly heading: string;
  /** Characters that it has at least. */
  readonly width: number;
  /** Whether its values stand at its right end. */
  readonly right?: true;
}

/**
 * Makes a function that writes one row after the other. A column grows with the widest value so far; the last one has
 * no end.
 */
export function columnWriter(
  columns: readonly Column[],
): (cells: readonly string[]) => string {
  const widths = columns.map(({ heading, width }) =>
    Math.max(heading.length, width)
  );
  return (cells) =>
    columns.map(({ right }, i) => {
      const cell = cells[i] ?? "";
      const width = Math.max(widths[i]!, [...cell].length);
      widths[i] = width;
      const padding = " ".repeat(width - [...cell].length);
      return right ? padding + cell : cell + padding;
    }).join("  ").trimEnd() + "\n";
}

/** A whole table: the first column is text, the others stand at their right ends. Rows are as long as `heading`. */
export function figureTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [heading, ...rows];
  const columns: readonly Column[] = heading.map((name, i) => ({
    heading: name,
    width: Math.max(...all.map((row) => [...row[i]!].length)),
    ...i > 0 && { right: true as const },
  }));
  return all.map(columnWriter(columns)).join("");
}
