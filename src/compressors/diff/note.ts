/** What a note says about lines that were left out. A note begins with `…`, which no line of a patch does. @module */
import { isChanged, isRemark, isRemoved } from "./hunk_header.ts";
import type { LineSpan } from "./parse.ts";

/** Lines left out of one file, in one or more hunks. */
export interface Gap {
  /** Path of the file. */
  readonly path: string;
  /** Spans of body lines. */
  readonly spans: readonly LineSpan[];
  /** Number of the next line on each side before and behind the gap. */
  readonly before: readonly number[];
  /** See `before`. */
  readonly behind: readonly number[];
  /** Said in place of the names that are declared. */
  readonly said?: string;
}

/** Names listed of the declarations in a gap. */
const MAX_NAMES = 12;
const MODIFIER =
  "(?:export|default|public|private|protected|internal|static|async|abstract|final|pub|pub\\(crate\\)|unsafe|const|override|declare)";
const KEYWORD =
  "(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|module|namespace)";
const DECLARATION = new RegExp(
  `^\\s*(?:${MODIFIER}\\s+)*${KEYWORD}\\s+\\*?\\s*([A-Za-z_$][\\w$]{0,60})`,
);

/** The note for `count` context lines left out: a line of its own, or behind a space the end of a hunk header, where patch programs ignore it. */
export function contextNote(count: number): string {
  return count === 1 ? "… 1 context line" : `… ${count} context lines`;
}

/** `12-30` or `12`: `count` lines from line `first`. */
export function lineRange(first: number, count: number): string {
  return count === 1 ? `${first}` : `${first}-${first + count - 1}`;
}

/** The note line for changed lines: how many, of which kind, where, and what they declare. */
export function gapNote(lines: readonly string[], gap: Gap): string {
  const parents = gap.before.length - 1;
  const { added, removed, context } = tally(lines, gap, parents);
  const total = added + removed + context;
  const hunks = gap.spans.length > 1 ? ` in ${gap.spans.length} hunks` : "";
  const kinds = `+${added} -${removed}${
    context === 0 ? "" : `, ${context} context`
  }`;
  const names = gap.said === undefined
    ? declaredNames(lines, gap, parents)
    : `; ${gap.said}`;
  return `… ${gap.path}: ${total} lines omitted${hunks} (${kinds}), ${
    place(gap)
  }${names}`;
}

function place({ before, behind }: Gap): string {
  const side = before.length - 1;
  const count = behind[side]! - before[side]!;
  if (count > 0) return `new lines ${lineRange(before[side]!, count)}`;
  return `old lines ${lineRange(before[0]!, behind[0]! - before[0]!)}`;
}

function tally(lines: readonly string[], gap: Gap, parents: number) {
  const out = { added: 0, removed: 0, context: 0 };
  for (const { start, end } of gap.spans) {
    for (let i = start; i < end; i++) {
      const line = lines[i]!;
      if (isRemark(line)) continue;
      if (isRemoved(line, parents)) out.removed++;
      else if (isChanged(line, parents)) out.added++;
      else out.context++;
    }
  }
  return out;
}

function declaredNames(
  lines: readonly string[],
  gap: Gap,
  parents: number,
): string {
  const names = new Set<string>();
  for (const { start, end } of gap.spans) {
    for (let i = start; i < end && names.size <= MAX_NAMES; i++) {
      if (!isChanged(lines[i]!, parents)) continue;
      const name = declaredIn(lines[i]!.slice(parents));
      if (name !== undefined) names.add(name);
    }
  }
  if (names.size === 0) return "";
  const shown = [...names].slice(0, MAX_NAMES).join(", ");
  return `; declares ${shown}${names.size > MAX_NAMES ? ", …" : ""}`;
}

/** Longest line looked at: declarations are short, minified lines are not. */
const MAX_DECLARATION = 200;

/** Name that a line of source declares, in the languages with a keyword for it. */
function declaredIn(line: string): string | undefined {
  if (line.length > MAX_DECLARATION) return undefined;
  return DECLARATION.exec(line)?.[1];
}

/** Whether a line of source can head the hunk below it: a declaration, or text at the margin that opens a block. */
export function isHeading(line: string): boolean {
  if (line.length > MAX_DECLARATION) return false;
  return /^[A-Za-z_$]/.test(line) && /[{(:]$/.test(line.trimEnd()) ||
    DECLARATION.test(line);
}
