/** Lines of an original that are about one file, and how files are named. @module */

/** Lines about a file. */
export interface FileLines {
  /** Indexes of the lines, from 0, rising. */
  readonly lines: readonly number[];
  /** Per line its number in the file, 0 for a line without one; of a removed line that of the next one. */
  readonly numbers: readonly number[];
  /** Only for a diff. */
  readonly change?: {
    /** Per line its number before the change; of an added line that of the next one. */
    readonly numbers: readonly number[];
    /** Per line what became of it; ` ` also for headers. */
    readonly signs: readonly ("+" | "-" | " ")[];
  };
  /** Files that the lines are about, as they are named there; empty where none is named. */
  readonly files: readonly string[];
}

/** Files that an original is about, where none is the wanted one. */
export interface OtherFiles {
  /** A few of them, as they are named there. */
  readonly names: readonly string[];
  /** How many there are. */
  readonly total: number;
}

/** Longest name of a file in UTF-16 units. */
const MAX_NAME = 1_000;

/** A name as forms and models shorten it: without `…/`, `./`. */
export function wantedName(given: string): string {
  return given.trim().slice(0, MAX_NAME).replace(/^(?:…|\.)+[/\\]/, "");
}

/** Whether `name` is the wanted file, or ends with it at a slash. */
export function isNamed(name: string, wanted: string): boolean {
  if (wanted === "" || !name.endsWith(wanted)) return false;
  const before = name[name.length - wanted.length - 1];
  return before === undefined || before === "/" || before === "\\" ||
    wanted.startsWith("/");
}
