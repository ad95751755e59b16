/** Time as a value that is passed in. @module */

/** The only source of time in `src/`. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds from an arbitrary origin; never goes back. */
  monotonic(): number;
}
