/** Rules that findings of linters and compilers break, and the findings of rules that few others break. @module */
import { addTo } from "../../text/counts.ts";
import { isDigit } from "../../text/words.ts";
import { lineEnd, type Lines, lineStart } from "../../text/lines.ts";
import { ERROR, WARNING } from "../../text/signs/flags.ts";

/** UTF-16 units of a line that are looked at; its last word is the rule of some. */
const WIDTH = 400;
/** Findings from which some are rare, those of one rule that is usual, and of one that is rare. */
const FEWEST = 20;
const USUAL = 8;
const RARE = 3;
/** Rare findings that are given. */
const MOST = 30;

/** `a.py:3:7: F401 …`, `3:7 F401 …`, `a.ts(3,7): error TS2345: …`, `[F401] …`. */
const CODE =
  /^[ \t]*(?:(?:[^\s:(]{1,200}[:(]\d[\d:,)]*|\d+:\d+):? +)?(?:(?:error|warning):? )?\[?([A-Z]{1,5}\d{2,6})\]?:? \S/;
/** A file with a line, or a line with a column. */
const PLACED =
  /^[ \t]*(?:[^\s:(]{1,200}[:(]\d|\d+:\d+[ \t:]|\S{1,200}: line \d)/;
/** In brackets or in a column of its own behind what is said: `… [no-any-return]`, `… (colons)`, `…   no-undef`. */
const NAME = /(?:[ \t]{2,}| [[(])([A-Za-z@][\w@./-]{2,60})[\])]?$/;

const GRADED = / \[(error|warning)\/[\w@/-]{2,60}\]$/i;

/** The rule that a line says is broken; `undefined` for any other line. */
export function ruleOf(line: string): string | undefined {
  const said = line.slice(0, WIDTH).trimEnd();
  return CODE.exec(said)?.[1] ??
    (PLACED.test(said) ? NAME.exec(said)?.[1] : undefined);
}

/** The level of a finding that stands with its rule: `… [Error/no-undef]`. @returns A flag, or 0. */
export function gradeOf(line: string): number {
  const grade = GRADED.exec(line)?.[1]?.toLowerCase();
  return grade === undefined ? 0 : grade === "error" ? ERROR : WARNING;
}

/**
 * Finds the findings of rules that hardly any other finding breaks, in a list of many: an undefined name among missing
 * annotations.
 *
 * @param mayBe Whether a line may be a finding. @returns At most 30 lines, the rarest, in order. O(n).
 */
export function rareFindings(
  messages: Lines,
  mayBe: (line: number) => boolean,
): readonly number[] {
  const found = new Map<string, number[]>();
  let count = 0;
  for (let i = 0; i < messages.count; i++) {
    if (!mayBe(i)) continue;
    const start = lineStart(messages, i);
    const end = Math.min(lineEnd(messages, i), start + WIDTH);
    const rule = mayHaveRule(messages, start, end)
      ? ruleOf(messages.text.slice(start, end))
      : undefined;
    if (rule === undefined) continue;
    count++;
    addTo(found, rule, i);
  }
  const rules = [...found.values()];
  if (count < FEWEST || rules.every((lines) => lines.length < USUAL)) return [];
  return rules.filter((lines) => lines.length <= RARE)
    .sort((a, b) => a.length - b.length).flat().slice(0, MOST)
    .sort((a, b) => a - b);
}

/** Whether the first part of a line has a digit, as a place and a code have. */
function mayHaveRule({ codes }: Lines, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    if (isDigit(code)) return true;
  }
  return false;
}
