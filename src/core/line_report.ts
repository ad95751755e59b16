/** What became of the lines of a text. @module */

/** A line that reports something. */
export interface ReportedLine {
  /** Its number, from 1. */
  readonly line: number;
  /** Its text. */
  readonly text: string;
  /** What it reports; a `failure` must stay. */
  readonly what: "failure" | "warning" | "total";
  /** How the shorter text has it; `omitted` where others that are alike stand for it. */
  readonly shown: "unchanged" | "rewritten" | "omitted";
}

/** An original compared with the text that was made of it. */
export interface LineReport {
  /** Lines of the original. */
  readonly lines: number;
  /** First and last line, from 1, of each stretch that was kept unchanged; blank lines next to one belong to it. */
  readonly unchanged: readonly (readonly [first: number, last: number])[];
  /** Lines that report something, in their order. */
  readonly reported: readonly ReportedLine[];
  /** Whether there are more of them than were looked at. */
  readonly isCut: boolean;
}
