/** Rows of a table of HTML as lines. @module */
import type { Node } from "./parse.ts";

/** Columns that one cell may span, and cells that spans may add to a table. */
const MOST_SPAN = 100;
const MOST_ADDED = 20_000;

/** The rows of one table. */
export class Table {
  readonly #rows: string[][] = [];
  /** By column: texts of cells above that reach down, and how far. */
  readonly #reaching = new Map<number, { text: string; left: number }>();
  #added = 0;

  /** Adds a row, with the cells that reach into it from above. */
  addRow(texts: readonly string[], cells: readonly Node[]): void {
    const row: string[] = [];
    for (const [i, text] of texts.entries()) {
      this.#addReaching(row);
      const columns = spanOf(cells[i], "colspan");
      const left = spanOf(cells[i], "rowspan") - 1;
      for (
        let c = 0;
        c < columns && (c === 0 || ++this.#added < MOST_ADDED);
        c++
      ) {
        if (left > 0) this.#reaching.set(row.length, { text, left });
        row.push(c === 0 ? text : "");
      }
    }
    this.#addReaching(row);
    this.#rows.push(row);
  }

  /** The rows as lines, without empty rows and columns. O(cells). */
  lines(): string[] {
    const used = new Set(
      this.#rows.flatMap((row) =>
        row.flatMap((cell, column) => cell === "" ? [] : [column])
      ),
    );
    return this.#rows.filter((row) => row.some((cell) => cell !== "")).map(
      (row) => {
        const shown = row.filter((_, column) => used.has(column));
        while (shown.at(-1) === "") shown.pop();
        const [only = ""] = shown;
        return shown.length === 1
          ? only
          : shown.map((cell) => cell.replaceAll("|", "\\|")).join(" | ");
      },
    );
  }

  #addReaching(row: string[]): void {
    for (;;) {
      const reach = this.#reaching.get(row.length);
      if (reach === undefined || ++this.#added > MOST_ADDED) return;
      if (--reach.left === 0) this.#reaching.delete(row.length);
      row.push(reach.text.length <= 60 ? reach.text : "″");
    }
  }
}

function spanOf(cell: Node | undefined, name: string): number {
  const value = Number(cell?.attributes.get(name) ?? 1);
  return value >= 1 ? Math.min(Math.floor(value), MOST_SPAN) : 1;
}
