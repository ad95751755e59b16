/** What all checks found, as text and JSON. @module */
import { cleanText, safeJson } from "../clean_text.ts";
import { wrapText } from "../width.ts";
import { manyText } from "../words.ts";
import type { CheckStatus, Verdict } from "./verdict.ts";

/** A check that was made. */
export interface Check extends Verdict {
  /** Its name for programs. */
  readonly id: string;
}

/** Exit codes by the worst that was found. */
const EXIT_CODES = { pass: 0, warn: 1, fail: 2 } as const;

/** The exit code: 2 when a check failed, 1 when one warns, else 0. */
export function exitCodeOf(checks: readonly Check[]): 0 | 1 | 2 {
  return EXIT_CODES[worstOf(checks)];
}

/** The report for programs. */
export function doctorJson(checks: readonly Check[]): string {
  const status = worstOf(checks);
  const report = {
    checks: checks.map(({ id, status, summary, hint, details }) => ({
      id,
      status,
      summary,
      hint,
      details,
    })),
    status,
    exit_code: EXIT_CODES[status],
  };
  return `${safeJson(report, 2)}\n`;
}

/** The report for people: each check, then what to do. @param lineWidth Columns of the terminal that a line may have. */
export function doctorText(
  checks: readonly Check[],
  lineWidth: number,
): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const indent = " ".repeat(6 + width + 2);
  const lines = checks.map(({ id, status, summary, hint }) => {
    const said = (start: string, text: string) =>
      `${wrapText(start + oneLine(text), lineWidth, indent)}\n`;
    const line = said(`${status}  ${id.padEnd(width)}  `, summary);
    const isCalled = hint !== null && ["warn", "fail"].includes(status);
    return isCalled ? line + said(indent, hint) : line;
  });
  return `${lines.join("")}\n${sumLine(checks)}\n`;
}

function sumLine(checks: readonly Check[]): string {
  const count = (status: CheckStatus) =>
    checks.filter((check) => check.status === status).length;
  return `${count("pass")} passed, ${manyText(count("warn"), "warning")}, ${
    count("fail")
  } failed, ${count("skip")} skipped`;
}

function oneLine(text: string): string {
  return cleanText(text).replaceAll("\n", " ");
}

function worstOf(checks: readonly Check[]): keyof typeof EXIT_CODES {
  const has = (status: CheckStatus) =>
    checks.some((check) => check.status === status);
  return has("fail") ? "fail" : has("warn") ? "warn" : "pass";
}
