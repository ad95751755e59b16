/** What was decided about a text, why, and what became of its lines. @module */
import type { CompressedText } from "../core/compress_text.ts";
import type { LookedPart } from "../core/decision.ts";
import type { LineReport, ReportedLine } from "../core/line_report.ts";
import { type Column, tableText } from "./table.ts";
import {
  cleanText,
  countText,
  manyText,
  reasonText,
  ruleText,
} from "./words.ts";
import { wrapText } from "./terminal.ts";
import { lineReport } from "../text/line_report.ts";

/** Kinds in which a word such as `error` names something, and reports nothing. */
const CODE: readonly string[] = ["source_code", "diff"];
/** Kinds whose lines are fields of records. */
const RECORDS: readonly string[] = ["json", "config"];

/** As many parts as the router lists of one text. */
const MAX_PARTS = 40;
/** Lines that are listed of those that report something, and stretches of kept lines. */
const MAX_LINES = 20;
const MAX_STRETCHES = 20;
/** UTF-16 units of a line that are looked at for the table. */
const MAX_TEXT = 1000;
/** Ends a text that something was left out of. */
const MARKER = /hash=[0-9a-f]{24}\]\s*$/;

const INDENT = "  ";
const FURTHER = "    ";

/**
 * Explains a decision.
 *
 * @param original The text that was given.
 * @param width Columns of the terminal that a line may have.
 * @returns Lines, each with a newline at its end.
 */
export function explain(
  { original, result }: {
    readonly original: string;
    readonly result: CompressedText;
  },
  width: number,
): string {
  const { looked, reason } = result;
  const said = [
    ...looked === undefined ? [] : [`Kind: ${kindText(looked.kind)}`],
    `Decision: ${decisionText(result)}`,
    ...partLines(looked?.parts ?? []),
  ].map((text) => sayIn(width, text)).join("");
  if (reason !== undefined) return said;
  const kind = innerKind(result);
  const isRecords = RECORDS.includes(kind);
  const report = lineReport(original, result.text, isRecords);
  return said + sayIn(width, keptText(report)) +
    (CODE.includes(kind) ? "" : reportedLines(report, width));
}

function sayIn(width: number, text: string): string {
  return `${wrapText(INDENT + text, width, FURTHER)}\n`;
}

/** The kind of what is inside a wrapper. */
function innerKind({ looked }: CompressedText): string {
  const { kind, parts } = looked ?? { kind: undefined, parts: [] };
  return (kind === "wrapped" ? parts.at(-1)?.kind : kind) ?? "";
}

function kindText(kind: string | undefined): string {
  return kind === undefined ? "not recognised" : ruleText(kind);
}

function decisionText(
  { reason, text, strategy, looked }: CompressedText,
): string {
  if (reason !== undefined) return `skipped: ${reasonText(reason)}`;
  const rule = ruleText(strategy);
  const by = rule === kindText(looked?.kind) ? "" : ` (rule: ${rule})`;
  return MARKER.test(text)
    ? `parts were left out${by}: this saves more than a lossless rewrite. The original is stored; the marker at the end says how to get it back`
    : `rewritten losslessly${by}: the same content in fewer tokens`;
}

function partLines(parts: readonly LookedPart[]): string[] {
  const lines = parts.map((part) => {
    const { kind, firstLine, length, shortened, reason } = part;
    const what = `Part from line ${firstLine}: ${kindText(kind)}, ${
      countText(length)
    }`;
    return reason === ""
      ? `${what} -> ${countText(shortened)} characters`
      : `${what} characters, skipped: ${reasonText(reason)}`;
  });
  return parts.length < MAX_PARTS
    ? lines
    : [...lines, "Further parts, if there are any, are not listed"];
}

function keptText({ lines, unchanged }: LineReport): string {
  const count = unchanged.reduce(
    (sum, [first, last]) => sum + last - first + 1,
    0,
  );
  const shown = unchanged.slice(0, MAX_STRETCHES).map(([first, last]) =>
    first === last ? `${first}` : `${first}-${last}`
  );
  const more = unchanged.length > MAX_STRETCHES ? ", ..." : "";
  const where = count === 0 ? "" : ` (${shown.join(", ")}${more})`;
  return `Kept unchanged: ${countText(count)} of ${
    manyText(lines, "line")
  }${where}`;
}

const COLUMNS: readonly Column[] = [
  { heading: `${FURTHER}LINE`, right: true },
  { heading: "REPORTS" },
  { heading: "RESULT" },
  { heading: "TEXT", least: 12 },
];

/** Failures must stay; of many that are alike, the first and the last do. Of the rest, those that stayed are listed. */
function reportedLines(report: LineReport, width: number): string {
  const { reported, isCut } = report;
  const atLeast = isCut ? "at least " : "";
  const failures = reported.filter(({ what }) => what === "failure");
  const isOmitted = ({ shown }: ReportedLine) => shown === "omitted";
  const others = reported.filter((line) =>
    line.what !== "failure" && !isOmitted(line)
  );
  const head = failures.length === 0
    ? "none, no line reports a failure"
    : `${atLeast}${manyText(failures.length, "failure")}${
      failures.some(isOmitted)
        ? "; of failures that are alike, the first and the last stay"
        : ""
    }`;
  const shown = [...failures, ...others].slice(0, MAX_LINES)
    .toSorted((a, b) => a.line - b.line);
  const more = failures.length + others.length - shown.length;
  const rest = reported.length - failures.length - others.length;
  return [
    sayIn(width, `Must-keep lines: ${head}`),
    shown.length === 0 ? "" : tableText(COLUMNS, shown.map(cellsOf), width),
    more === 0 ? "" : sayIn(width, `  and ${atLeast}${countText(more)} more`),
    rest === 0 ? "" : sayIn(
      width,
      `Omitted warnings and totals: ${atLeast}${countText(rest)}`,
    ),
  ].join("");
}

function cellsOf({ line, what, shown, text }: ReportedLine): string[] {
  const start = text.slice(0, MAX_TEXT).replaceAll("\t", " ");
  return [`${line}`, what, shown, cleanText(start)];
}
