/** Configuration as data. @module */

/** A setting of type `T`. */
export interface Setting<T> {
  /** Environment variable, e.g. `SVC_CCR_TTL_SECONDS`. */
  readonly env: string;
  /** Further variables that set it, asked in this order after `env`. */
  readonly aliases?: readonly string[];
  /** Command-line name without dashes, when there is one. */
  readonly flag?: string;
  /** Value when nothing sets it. */
  readonly fallback: T;
  /**
   * Reads the text form.
   * @throws {RangeError | TypeError} Message names `env` and the allowed values.
   */
  parse(raw: string): T;
  /** One sentence with the unit. */
  readonly doc: string;
}
