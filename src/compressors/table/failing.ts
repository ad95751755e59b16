/** Rows that say that something failed. @module */
import type { Lines } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { KINDS, LOWER, UPPER, WordTable } from "../../text/words.ts";
import type { Profile } from "./profile.ts";
import {
  cellText,
  firstBodyRow,
  isListing,
  rowSource,
  type Table,
} from "./table.ts";

/** Words that states of failure begin or end with. */
const SIGNS = new WordTable(
  ("crash err error failed failure killed evicted unhealthy dead zombie defunct off lost down degraded blocked " +
    "stopped unavailable unknown invalid ready terminating restarting deadline offline broken expired faulted")
    .split(" ").map((word) => [word, 1] as const),
);

/** Whole words, in small letters, that stand alone for a failure. */
const STATES = new Set(
  ("crashloopbackoff imagepullbackoff errimagepull errimageneverpull createcontainerconfigerror " +
    "createcontainererror runcontainererror invalidimagename containercannotrun oomkilled evicted notready " +
    "unhealthy failed failure error dead zombie defunct deadlineexceeded nodelost down degraded faulted offline " +
    "unavailable broken backoff restarting blocked").split(" "),
);
/** A name of a column with exit codes, and one with states of HTTP. */
const EXIT = /^"?(?:exit|rc|returncode|exit[_ ]?(?:code|status))"?$/i;
const HTTP = /^"?(?:http[_ ]?)?(?:status|code)(?:[_ ]?code)?"?$/i;
const SERVER_ERROR = 500;
const HTTP_END = 600;
/** `READY 0/1`, and states of processes. */
const READY = /^READY$/i;
const STATE = /^(?:STAT|S)$/;
const SHARE = /^(\d{1,6})\/(\d{1,6})$/;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const UNDERSCORE = 95;

/** Marks the lines that say so in words. One byte per line, 1 for a failure. O(n). */
export function failingLines(lines: Lines): Uint8Array {
  const failing = severities(lines).map((flags) => flags & ERROR ? 1 : 0);
  let line = 0;
  SIGNS.find(lines.codes, (_, start, end) => {
    while (lines.starts[line + 1]! <= start) line++;
    if (failing[line] === 0 && isState(lines.codes, start, end, lines.text)) {
      failing[line] = 1;
    }
  });
  return failing;
}

/**
 * Marks the rows of the body that say so in words, exit codes or counts of what is ready.
 *
 * @param lines Of the whole text, by {@linkcode failingLines}.
 * @returns One byte per row. O(rows).
 */
export function failingRows(
  table: Table,
  profiles: readonly Profile[],
  lines: Uint8Array,
): Uint8Array {
  const failing = new Uint8Array(table.rows);
  const mark = (fails: (row: number) => boolean) => {
    for (let row = firstBodyRow(table); row < table.rows; row++) {
      if (fails(row)) failing[row] = 1;
    }
  };
  // Words in a list of files or packages are names.
  if (!isListing(table)) {
    mark((row) =>
      lines.subarray(table.rowLine[row]!, table.rowTo[row]!).includes(1)
    );
  }
  for (const { column, numbers } of profiles) {
    const name = table.names?.[column] ?? "";
    if (numbers !== undefined && EXIT.test(name)) {
      mark((row) => numbers[row]! !== 0 && !Number.isNaN(numbers[row]!));
    } else if (numbers !== undefined && HTTP.test(name)) {
      mark((row) => numbers[row]! >= SERVER_ERROR && numbers[row]! < HTTP_END);
    } else if (READY.test(name)) {
      mark((row) => isUnready(table, row, column));
    } else if (STATE.test(name)) {
      mark((row) => cellText(table, row, column).startsWith("Z"));
    }
  }
  return failing;
}

/** `0/1`; a job that is done is ready no more. */
function isUnready(table: Table, row: number, column: number): boolean {
  const match = SHARE.exec(cellText(table, row, column));
  return match !== null && Number(match[1]) < Number(match[2]) &&
    !rowSource(table, row).includes("Completed");
}

/** Whether the letters around a word are a state and no part of a name. */
function isState(
  codes: Uint8Array,
  start: number,
  end: number,
  text: string,
): boolean {
  let from = start;
  let to = end;
  const least = Math.max(0, start - 30);
  const most = Math.min(codes.length, end + 30);
  while (from > least && isLetter(codes[from - 1]!)) from--;
  while (to < most && isLetter(codes[to]!)) to++;
  if (from > 0 && isJoint(codes[from - 1]!)) return false;
  if (to < codes.length && isJoint(codes[to]!)) return false;
  return STATES.has(text.slice(from, to).toLowerCase());
}

function isLetter(code: number): boolean {
  return KINDS[code] === LOWER || KINDS[code] === UPPER;
}

function isJoint(code: number): boolean {
  return code === DASH || code === DOT || code === SLASH ||
    code === UNDERSCORE || (code >= 48 && code < 58);
}
