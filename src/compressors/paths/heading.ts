/** The first line of a folded list: how many paths, where, and how to read the others. @module */
import { SELF } from "./group_line.ts";

/** What the line says. */
export interface Heading {
  /** Words of the form that the list was printed in; empty for a plain list. */
  readonly label: string;
  /** Paths of the list. */
  readonly count: number;
  /** Paths that follow, if not all of them do. */
  readonly shown?: number;
  /** What all paths start with; empty when they are whole. */
  readonly root: string;
  /** Notes of the form. */
  readonly notes: string;
  /** Whether a name may be the directory itself. */
  readonly hasSelf: boolean;
  /** Whether lines of the text end with a carriage return too. */
  readonly isCrlf: boolean;
}

const RULE = "names fill the *";
const SELF_RULE = `, ${SELF} is the folder itself`;
const CRLF = ", CRLF";
const WRITTEN =
  /^… (?:(\D+), )?(\d+) paths(?: in (.+))?(; names fill the \*)(, \. is the folder itself)?(, CRLF)?(?:,((?: drawn \w+)?,?(?: more follows at levels? [\d ]+)?))?$/;

/** Writes the line. */
export function writeHeading(heading: Heading): string {
  const { label, count, shown, root, notes } = heading;
  const some = shown === undefined ? "" : `${shown} of `;
  return `… ${label}${label === "" ? "" : ", "}${some}${count} paths` +
    `${root === "" ? "" : ` in ${root}`}; ${RULE}` +
    (heading.hasSelf ? SELF_RULE : "") + (heading.isCrlf ? CRLF : "") +
    (notes === "" ? "" : `,${notes}`);
}

/** Reads the line of a list that shows all paths; `undefined` when it is another line. */
export function readHeading(line: string): Heading | undefined {
  const found = WRITTEN.exec(line);
  if (found === null) return undefined;
  return {
    label: found[1] ?? "",
    count: Number(found[2]),
    root: found[3] ?? "",
    hasSelf: found[5] !== undefined,
    isCrlf: found[6] !== undefined,
    notes: found[7] ?? "",
  };
}
