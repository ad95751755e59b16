/** How the lines of a sample start: those of a program start alike, however much they read like sentences. @module */

/** UTF-16 units of a line that start as those of another do, lines that do so at least, and their share. */
const START = 12;
const LEAST = 16;
const SHARE = 0.75;

/** The starts of the lines that were added. */
export class Starts {
  readonly #times = new Map<string, number>();
  #all = 0;

  /** Adds a line that is not blank. */
  add(line: string): void {
    const start = line.trimStart().slice(0, START);
    this.#times.set(start, (this.#times.get(start) ?? 0) + 1);
    this.#all++;
  }

  /** Whether nearly all lines start as another does: what a program says again and again. O(lines). */
  areAlike(): boolean {
    let alike = 0;
    for (const times of this.#times.values()) if (times > 1) alike += times;
    return alike >= Math.max(LEAST, SHARE * this.#all);
  }
}
