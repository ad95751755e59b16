/** What was put on this machine, and what was not. @module */

/** Something that svc put somewhere. */
export interface PlacedItem {
  /** What it is, e.g. `logs`. */
  readonly what: string;
  /** The file or directory that stands for it. */
  readonly shown: string;
  /** What is removed. */
  readonly paths: readonly string[];
  /** Whether they are directories, to be removed with all that is in them; files otherwise. */
  readonly isTree?: true;
  /** Sum of their bytes. */
  readonly bytes: number;
  /** Whether it cannot be made again: `--keep-data` leaves it. */
  readonly isData?: true;
}

/** Something that stays. */
export interface StayingItem {
  /** Where it is. */
  readonly path: string;
  /** Why it stays, without a final period. */
  readonly why: string;
}

/** What was found in some place. */
export interface Findings {
  /** To be removed. */
  readonly items: readonly PlacedItem[];
  /** Not to be removed. */
  readonly staying: readonly StayingItem[];
  /** Directories of svc, outer ones first: removed if nothing is left in them. */
  readonly directories: readonly string[];
}

/** Nothing was found. */
export const NO_FINDINGS: Findings = {
  items: [],
  staying: [],
  directories: [],
};

/** All that was found, in this order. */
export function joined(all: readonly Findings[]): Findings {
  return {
    items: all.flatMap(({ items }) => items),
    staying: all.flatMap(({ staying }) => staying),
    directories: all.flatMap(({ directories }) => directories),
  };
}
