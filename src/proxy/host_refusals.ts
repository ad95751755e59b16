/** What hosts do not take of what the proxy adds to requests. @module */

/** Refusals kept; the oldest are forgotten. */
const MAX_REFUSALS = 1000;

/** The retrieval tool, deferred definitions, breakpoints or a model that was not asked for, which a host may take or not, or usage in streams. */
export type Addition =
  | {
    readonly what: "tool" | "deferral" | "route" | "breakpoints";
    readonly model: string;
  }
  | { readonly what: "usage" };

/**
 * What is known of requests for usage with one model: `taken`, so that another reason for a refusal is likelier, or
 * `in_doubt` since one that was refused was refused without it too.
 */
export type UsageFact = "taken" | "in_doubt";

/** Remembers, while the process runs, what is not added to requests for which host. */
export class HostRefusals {
  readonly #refused = new Set<string>();
  readonly #usage = new Map<string, UsageFact>();

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

  /** What is known of requests for usage. */
  usage(host: string, model: string): UsageFact | undefined {
    return this.#usage.get(`${host} ${model}`);
  }

  /** Notes what is known of requests for usage; `undefined` when that is nothing any more. */
  noteUsage(host: string, model: string, fact: UsageFact | undefined): void {
    const key = `${host} ${model}`;
    this.#usage.delete(key);
    if (fact !== undefined) this.#usage.set(key, fact);
    const [oldest] = this.#usage.keys();
    if (this.#usage.size > MAX_REFUSALS && oldest) this.#usage.delete(oldest);
  }
}

function keyOf(host: string, addition: Addition): string {
  const model = "model" in addition ? ` ${addition.model}` : "";
  return `${host} ${addition.what}${model}`;
}
