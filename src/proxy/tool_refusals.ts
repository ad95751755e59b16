/** Hosts that do not take the retrieval tool. @module */

/** Host and model pairs kept; the oldest are forgotten. */
const MAX_PAIRS = 1000;

/** Remembers, while the process runs, where the tool is not declared. */
export class ToolRefusals {
  readonly #pairs = new Set<string>();

  /** Whether `host` refused the tool for `model`. */
  has(host: string, model: string): boolean {
    return this.#pairs.has(`${host} ${model}`);
  }

  /** Notes a refusal. */
  add(host: string, model: string): void {
    this.#pairs.add(`${host} ${model}`);
    const [oldest] = this.#pairs;
    if (this.#pairs.size > MAX_PAIRS && oldest) this.#pairs.delete(oldest);
  }
}
