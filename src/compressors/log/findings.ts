/** What compilers and linters write below their findings: quoted source, and what they say about it. @module */
import { lineAt, lineEnd, type Lines, lineStart } from "../../text/lines.ts";
import { ERROR, FAILED, WARNING } from "../../text/signs/flags.ts";

/** The line is below a finding. */
export const BELOW = 1;
/** The line is source that a finding quotes, or marks in it without words; it has {@linkcode BELOW} too. */
export const SOURCE = 2;

/** Findings up to which their source is as important as they are. */
const FEW_FINDINGS = 3;
/** UTF-16 units of a line that are looked at. */
const WIDTH = 200;
const FINDING = ERROR | FAILED | WARNING;
/** `src/a.ts:3`, `src/a.ts(3,4)`. */
const PLACE = /[\w\])][:(]\d+[\d,:)]*/;
const ARROW = /^[ \t]*-+> \S/;
/** Source behind a number and a bar, also of two versions: `12 | code`, `> 7 │ code`, `3 4 │ + code`. */
const NUMBERED = /^[ \t>]*\d+(?:[ \t]+\d+)?[ \t]*[|│]/;
/** A bar, and no words behind it: `   |     ^^^^`. */
const MARKED = /^[ \t>]*[|│][^A-Za-z\d]*$/;
/** A bar alone, as of words about a mark: `   |     ^^^^ expected u32`. */
const BAR = /^[ \t]+[|│]/;
/** A mark below source that is quoted without a bar. */
const CARET = /^[ \t]*[\^~][\^~\- \t]*$/;
/** A line of a fix, behind quoted source. */
const PATCH = /^[ \t]*(?:\d+[ \t]+)?[-+](?: |$)/;
const INDENTED = /^[ \t]/;
/** Another finding of the same file: `  12:5 …`. */
const NEXT = /^[ \t]+\d+:\d+[ \t:]/;
const REMARK = /^(?:(?:help|note): |\.\.\.$|\S+:\d+:\d+: +(?:note:| {2}))/;

/**
 * Finds what is below findings that have a place, where there are more of them than a reader looks at one by one: the
 * source is in the file. Few errors among many warnings keep theirs.
 *
 * @returns Flags of this file, one byte per line. O(n).
 */
export function quotedSource(lines: Lines, flags: Uint16Array): Uint8Array {
  const quoted = new Uint8Array(lines.count);
  const findings: number[] = [];
  let isBelow = false;
  for (let i = 0; i < lines.count; i++) {
    const said = headOf(lines, i);
    if (isFinding(lines, flags, i)) {
      findings.push(i);
      isBelow = true;
    } else if (isBelow && said === "") quoted[i] = BELOW;
    else if (isBelow) {
      const before = quoted[i - 1] ?? 0;
      const flag = flagOf(lines, flags, { line: i, before });
      isBelow = flag !== 0;
      quoted[i] = flag;
    }
  }
  if (findings.length <= FEW_FINDINGS) return quoted.fill(0);
  const errors = findings.filter((i) => (flags[i] ?? 0) & (ERROR | FAILED));
  if (errors.length > FEW_FINDINGS) return quoted;
  for (const error of errors) {
    for (let i = error + 1; (quoted[i] ?? 0) !== 0; i++) quoted[i] = 0;
  }
  return quoted;
}

/** Whether a line reports something at a place, which is in it or in the next one. */
function isFinding(lines: Lines, flags: Uint16Array, line: number): boolean {
  if (((flags[line] ?? 0) & FINDING) === 0) return false;
  const said = headOf(lines, line);
  if (NUMBERED.test(said) || BAR.test(said) || REMARK.test(said)) return false;
  return PLACE.test(said) ||
    (line + 1 < lines.count && ARROW.test(headOf(lines, line + 1)));
}

function flagOf(
  lines: Lines,
  flags: Uint16Array,
  { line, before }: { readonly line: number; readonly before: number },
): number {
  const said = headOf(lines, line);
  if (REMARK.test(said)) return BELOW;
  if (NEXT.test(said)) return 0;
  // Source may hold any word, but what fails may look like source.
  if ((flags[line] ?? 0) & FINDING) return INDENTED.test(said) ? BELOW : 0;
  if (NUMBERED.test(said) || MARKED.test(said) || CARET.test(said)) {
    return SOURCE | BELOW;
  }
  const isSource = (before & SOURCE && PATCH.test(said)) ||
    (line + 1 < lines.count && CARET.test(headOf(lines, line + 1)));
  if (isSource) return SOURCE | BELOW;
  return INDENTED.test(said) ? BELOW : 0;
}

/** The start of a line. */
function headOf(lines: Lines, line: number): string {
  const start = lineStart(lines, line);
  if (lineEnd(lines, line) - start <= WIDTH) {
    return lineAt(lines, line).trimEnd();
  }
  return lines.text.slice(start, start + WIDTH);
}
