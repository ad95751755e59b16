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

/** What became of values that were to be stored. */
export type SaveOutcome =
  /** Stored. */
  | {
    readonly type: "saved";
    /** Keys whose stored value is another one now. */
    readonly changed: readonly string[];
    /** Those of them that a running proxy takes over with its next start only. */
    readonly needsRestart: readonly string[];
    /** What the user should be told, one sentence each. */
    readonly notes: readonly string[];
  }
  /** Names that are no settings; nothing was stored. */
  | { readonly type: "unknown"; readonly names: readonly string[] }
  /** Values that cannot be used, by key; nothing was stored. */
  | {
    readonly type: "invalid";
    readonly errors: Readonly<Record<string, string>>;
  }
  /** No file may or can be written, and why; nothing was stored. */
  | { readonly type: "unwritable"; readonly reason: string };
