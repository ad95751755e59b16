/** Tables: rows without padding; of long ones the telling rows. @module */
import type { Kind } from "../../core/kind.ts";
import {
  indexLines,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { foldTables } from "./fold.ts";
import { contentEnd, type Table } from "./layout.ts";
import { findMetrics } from "./metrics.ts";
import { findListings, findPadded } from "./padded.ts";
import { findFramed } from "./framed.ts";
import { findDelimited } from "./separated.ts";
import { labelOf, type TableUnits, unitsOf } from "./units.ts";

/** A text with tables. */
interface TableView {
  readonly lines: Lines;
  readonly tables: readonly Table[];
  /** What was decided, for notes. */
  chosen?: TableUnits | undefined;
}

/** UTF-16 units and lines by which a text is recognised. */
const HEAD = 2500;
const LINES = 40;
/** Share of the lines that must be rows. */
const LEAST_SHARE = 0.6;
const LEAST_SHARE_OF_ALL = 0.5;
/** Two runs of blanks on lines that follow one another, the start of `ls -l`, a line of `apt list`. */
const PADDED =
  /\S {2,}\S[^\n]*\n[^\n]*\S {2,}\S|^[-dl][r-][w-][^\n]*\n[-dl][r-][w-]|^\S+\/\S+ \S+ \w+(?: \[|\r?$)/m;
const FRAMED = /^[-+|:= \u2500-\u257f]{3,}\r?$/m;
/** The text format of Prometheus. */
const METRICS = /^(?:# (?:HELP|TYPE) [a-zA-Z_:]|[a-zA-Z_:][\w:]*\{\w+=")/m;
/** A page with headings, or laid out by tables. */
const DOCUMENT = /^#{1,6} |^\|(?: *\|)+\r?$/m;

/** Finds the tables of one form. */
type Find = (lines: Lines, path: string | undefined) => readonly Table[];

/** What a text must hold, and how its tables are found: the first way that gives some wins. */
const FORMS: readonly (readonly [sign: RegExp, ...ways: Find[]])[] = [
  [METRICS, findMetrics],
  [FRAMED, findFramed],
  [PADDED, findListings, findPadded],
  [/[,\t;|]/, findDelimited],
];

/** The ways of the forms of which a text has the sign. */
function* waysFor(text: string): Iterable<Find> {
  for (const [sign, ...ways] of FORMS) if (sign.test(text)) yield* ways;
}

/** Share of the lines that are not blank and in a table. */
function shareOf(lines: Lines, tables: readonly Table[]): number {
  let rows = 0;
  for (const { rowLine } of tables) {
    rows += offsetAt(rowLine, rowLine.length - 1) - offsetAt(rowLine, 0);
  }
  let filled = 0;
  for (let i = 0; i < lines.count; i++) {
    if (contentEnd(lines, i) > lineStart(lines, i)) filled++;
  }
  return rows / Math.max(1, filled);
}

/** The first lines; a line break for a longer line. */
function headOf(text: string): string {
  const head = text.slice(0, HEAD);
  let end = 0;
  for (let line = 0; line < LINES; line++) {
    const newline = head.indexOf("\n", end);
    if (newline < 0) {
      return text.length <= HEAD ? text : head.slice(0, end) || "\n";
    }
    end = newline + 1;
  }
  return head.slice(0, end);
}

/** Writes tables without padding, or keeps their telling rows and notes the gaps in place. */
export const tableKind: Kind<TableView> = {
  id: "tabular",
  unit: "lines",
  fewestLines: 3,
  parse(text, { path }) {
    const head = indexLines(headOf(text));
    for (const find of waysFor(head.text)) {
      const first = find(head, path);
      if (first.length === 0) continue;
      if (shareOf(head, first) < LEAST_SHARE) return undefined;
      const isAll = head.text.length === text.length;
      const lines = isAll ? head : indexLines(text);
      const tables = isAll ? first : find(lines, path);
      const isPage = tables[0]?.form === "markdown" && DOCUMENT.test(text);
      const isTable = !isPage && shareOf(lines, tables) >= LEAST_SHARE_OF_ALL;
      return isTable ? { lines, tables } : undefined;
    }
    return undefined;
  },
  fold: ({ lines, tables }, { countTokens }) =>
    foldTables(lines, tables, countTokens),
  units(view, context) {
    view.chosen = unitsOf(view.lines, view.tables, context);
    return view.chosen?.units;
  },
  label: ({ chosen }, gap) => chosen === undefined ? "" : labelOf(chosen, gap),
};
