/** Counting tokens. @module */

/** Counts tokens without a network call. */
export interface TokenCounter {
  /** Name of the encoding that `count` uses for `model`, e.g. `o200k_base`. */
  encodingOf(model: string): string;
  /** Non-negative integer, exact for the named encoding. */
  count(text: string, model: string): number;
}
