/** Which store of originals is opened. @module */
import type { Problem } from "./problems.ts";

/** Where originals are kept, and for how long. */
export interface CcrStoreOptions {
  /** `memory` ends with the process and needs no permission; `sqlite` is a file that processes share. Default `memory`. */
  readonly backend?: "memory" | "sqlite";
  /** The database file; needed for `sqlite`. Missing directories are made. */
  readonly path?: string;
  /** Seconds that an original lives after its last use; default 1800. */
  readonly ttlSeconds?: number;
  /** Bytes of originals that are kept; default 256 MiB in memory, 1 GiB in a file. */
  readonly maxBytes?: number;
  /** Told if the file cannot be used and a store in memory takes its place; default `console.warn`. */
  readonly onProblem?: (problem: Problem) => void;
}
