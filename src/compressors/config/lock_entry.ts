/** What the readers of lock files give. @module */

/** One package as locked. */
export interface LockEntry {
  /** Name and version, as they are written out. */
  readonly said: string;
  /** Name alone, for questions. */
  readonly name: string;
  /** Its lines `[from, to)`, without blank ones at the end. */
  readonly from: number;
  to: number;
  /** Where it comes from; empty when the entry does not say. */
  source: string;
  /** Names of what it needs. */
  readonly needs: string[];
  /** Other things that set it apart: `optional`, `deprecated: …`. */
  readonly remarks: string[];
}

/** Packages that stand in a row. */
export interface LockRegion {
  /** Lines `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** What is left out of each, named by its keys. */
  readonly omitted: readonly string[];
  /** In the order of the file; empty for a region that only repeats what stands elsewhere. */
  readonly entries: readonly LockEntry[];
  /** What the entries show, for the note. */
  readonly shows: string;
}

/** An entry of which only the name is known. */
export function newEntry(said: string, name: string, from: number): LockEntry {
  return {
    said,
    name,
    from,
    to: from + 1,
    source: "",
    needs: [],
    remarks: [],
  };
}
