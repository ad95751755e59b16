/** Logging something once for each name, up to a number of names: callers may invent any number of them. @module */

/** What to do about a name: say it, say that no more names are said, or nothing. */
export type Turn = "first" | "full" | "silent";

/** Remembers, while the process runs, for which names something was said. */
export class OncePerName {
  readonly #names = new Set<string>();
  readonly #most: number;
  #isFull = false;

  /** @param most Names that are said. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes the next name. `full` is returned once, for the first name that is one too many. */
  turn(name: string): Turn {
    if (this.#isFull || this.#names.has(name)) return "silent";
    this.#isFull = this.#names.size >= this.#most;
    if (this.#isFull) return "full";
    this.#names.add(name);
    return "first";
  }
}
