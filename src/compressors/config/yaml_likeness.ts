/** How much lines look like YAML. @module */
import type { Lines } from "../../text/lines.ts";
import { endsAsCode, isKey, isSentence } from "./line_look.ts";
import {
  BLANK,
  COMMENT,
  ITEM,
  KEY,
  type LineScan,
  newScan,
  OPEN,
  scanLine,
  SEPARATOR,
} from "./scan_line.ts";

/** Counts over lines that are neither blank nor comments nor text of a value. */
export interface YamlCounts {
  lines: number;
  /** Keys, with a value or with something below. */
  keys: number;
  /** List items without a key. */
  items: number;
  /** Entries right below a key. */
  nested: number;
  /** Values that are sentences. */
  sentences: number;
  /** Values set off by several blanks, as in a table. */
  aligned: number;
  /** Lines that only code, documents or logs have. */
  foreign: number;
}

/** Demands on the counts: shares of the lines. */
interface Demands {
  readonly keys: number;
  readonly known: number;
  readonly foreign: number;
  readonly sentences: number;
  /** Whether something must stand below a key. */
  readonly nested: boolean;
}

const BY_CONTENT: Demands = {
  keys: 3,
  known: 0.85,
  foreign: 0.06,
  sentences: 0.25,
  nested: true,
};
const BY_PATH: Demands = {
  keys: 2,
  known: 0.6,
  foreign: 0.25,
  sentences: 0.6,
  nested: false,
};
/** Share of lines that are keys, at least, and share of keys whose values are aligned, at most. */
const KEY_SHARE = 0.3;
const ALIGNED_SHARE = 0.2;
/** Lines up to which one entry below a key is enough. */
const FEW_LINES = 14;

const TAB = 9;
const BAR = 124;
const GREATER = 62;
const OPEN_BRACKET = 91;

/** Zero of everything. */
export function noYaml(): YamlCounts {
  return {
    lines: 0,
    keys: 0,
    items: 0,
    nested: 0,
    sentences: 0,
    aligned: 0,
    foreign: 0,
  };
}

/** How many of so many lines may be neither keys nor items. */
export function mostUnknown(lines: number, byPath: boolean): number {
  return (1 - (byPath ? BY_PATH : BY_CONTENT).known) * lines;
}

function unknownIn({ lines, keys, items }: YamlCounts): number {
  return lines - keys - items;
}

/**
 * Adds the lines of one part of a text to the counts. O(n).
 *
 * @param most Lines that may be neither keys nor items; after more of them nothing is counted. @returns Whether there were no more than these.
 */
export function countYaml(
  lines: Lines,
  counts: YamlCounts,
  most = Infinity,
): boolean {
  const scan = newScan();
  let scalar = -1;
  let open = -1;
  for (let line = 0; line < lines.count && unknownIn(counts) <= most; line++) {
    scanLine(lines, { line, equals: false }, scan);
    const { kind, indent } = scan;
    if (kind === BLANK || (scalar >= 0 && indent > scalar)) continue;
    scalar = -1;
    if (kind === COMMENT) continue;
    counts.lines++;
    if (open >= 0 && (indent > open || scan.dash && indent === open)) {
      counts.nested++;
    }
    open = kind === OPEN ? indent : -1;
    if (kind === SEPARATOR) counts.items++;
    else if (indent > 0 && lines.codes[lines.starts[line]!] === TAB) {
      counts.foreign++;
    } else if (kind === KEY || kind === OPEN) {
      countKey(lines, line, scan, counts);
    } else if (kind === ITEM) countItem(lines, line, scan, counts);
    else if (endsAsCode(lines, line)) counts.foreign++;
    if (isScalar(lines, line, scan)) {
      scalar = scan.dash && kind === KEY
        ? scan.keyAt - lines.starts[line]!
        : indent;
    }
  }
  return unknownIn(counts) <= most;
}

function countKey(
  lines: Lines,
  line: number,
  scan: LineScan,
  counts: YamlCounts,
): void {
  const end = lines.starts[line + 1]! - 1;
  if (!isKey(lines, scan) || endsAsCode(lines, line)) {
    counts.foreign++;
    return;
  }
  counts.keys++;
  if (scan.kind !== KEY) return;
  if (scan.valueAt - scan.keyEnd > 2) counts.aligned++;
  if (isSentence(lines.codes, scan.valueAt, end)) counts.sentences++;
}

function countItem(
  lines: Lines,
  line: number,
  scan: LineScan,
  counts: YamlCounts,
): void {
  const { codes, starts } = lines;
  const end = starts[line + 1]! - 1;
  const isTask = codes[scan.keyAt] === OPEN_BRACKET &&
    codes[scan.keyAt + 2] === OPEN_BRACKET + 2;
  if (isTask) counts.foreign++;
  else counts.items++;
  if (isSentence(codes, scan.keyAt, end)) counts.sentences++;
}

/** The value is `|` or `>`: text follows. */
function isScalar({ codes, starts }: Lines, line: number, scan: LineScan) {
  const code = codes[scan.valueAt];
  return scan.kind !== SEPARATOR && (code === BAR || code === GREATER) &&
    starts[line + 1]! - 1 - scan.valueAt <= 4;
}

/** Whether the counts are those of YAML. @param byPath Whether the name of the file says so. */
export function isYaml(counts: YamlCounts, byPath: boolean): boolean {
  const demands = byPath ? BY_PATH : BY_CONTENT;
  const { lines, keys, nested } = counts;
  if (keys < demands.keys || keys < KEY_SHARE * lines) return false;
  if (demands.nested && nested < (lines <= FEW_LINES ? 1 : 2)) return false;
  return unknownIn(counts) <= mostUnknown(lines, byPath) &&
    counts.foreign <= demands.foreign * lines &&
    counts.sentences <= demands.sentences * lines &&
    (byPath || counts.aligned <= ALIGNED_SHARE * keys);
}
