/** What hosts do not take of what the proxy adds to requests. @module */

/** Refusals kept; the oldest are forgotten. */
const MAX_REFUSALS = 1000;

/** The retrieval tool, which models of one host may take or not, or usage in streams. */
export type Addition =
  | { readonly what: "tool"; readonly model: string }
  | { readonly what: "usage" };

/** Remembers, while the process runs, what is not added to requests for which host. */
export class HostRefusals {
  readonly #refused = new Set<string>();

  /** Whether `host` refused `addition`. */
  has(host: string, addition: Addition): boolean {
    return this.#refused.has(keyOf(host, addition));
  }

  /** Notes a refusal. */
  add(host: string, addition: Addition): void {
    this.#refused.add(keyOf(host, addition));
    const [oldest] = this.#refused;
    if (this.#refused.size > MAX_REFUSALS && oldest) {
      this.#refused.delete(oldest);
    }
  }
}

function keyOf(host: string, addition: Addition): string {
  const model = addition.what === "tool" ? ` ${addition.model}` : "";
  return `${host} ${addition.what}${model}`;
}
