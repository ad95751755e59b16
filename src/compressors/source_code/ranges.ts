/** The last lines of statements, and whether those can be trusted: a text whose strings or brackets are not understood has no ranges. @module */
import { keyAt, lineAt } from "../../text/lines.ts";
import type { CommentSign } from "../../text/code_path.ts";
import type { Blocks } from "./blocks.ts";
import { DOCSTRING } from "./comments.ts";
import { CODE, COMMENT, type Layout, startOf, TEXT } from "./layout.ts";

/** Lines `[first, last]` of a text, from 0. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Lines in which the bracket stands that a declaration opens. */
const LONGEST_HEAD = 40;

/** A text that goes on until a line with its name: `<<EOT`, `<<-'EOT'`, `<<~SQL.strip`. */
const HEREDOC =
  /<<(?!\s*self\b)[-~]?\s*(?:(["'`])([^"'`]+)\1|\\?([^\s"'`;|&<>()\\]+))/g;
/** What opens something of several lines whose end is not looked for. */
const OPEN_ENDED: Readonly<Record<CommentSign, RegExp>> = {
  "#": /^(?:=[a-z]\w*|__(?:END|DATA)__)/,
  // A heredoc of PHP.
  "//": /<<<\s*["']?\w+["']?$/,
  "--": /\[(=*)\[(?!.*\]\1\])|\{-(?!.*-\})|^[^$]*\$\w*\$(?!.*\$\w*\$)/,
};

/**
 * Last line of each statement, what goes on with it included. Blank lines, comments and lines for the preprocessor
 * behind it are not, nor is a bracket that closes what is around it. O(lines).
 */
export function lastLines(blocks: Blocks): Int32Array {
  const { layout, heads, parents, ends } = blocks;
  const { roles } = layout;
  const sums = openBraces(layout);
  const solid = new Int32Array(roles.length);
  let before = 0;
  for (const [line, role] of roles.entries()) {
    if (role === CODE || role === TEXT) before = line;
    solid[line] = before;
  }
  const lasts = ends.map((end, line) =>
    roles[line] === CODE ? keyAt(solid, end) : end
  );
  if (layout.sign === "#") addDocstrings(blocks, lasts);
  for (let line = 0; line < roles.length; line++) {
    const head = keyAt(heads, line);
    if (roles[line] !== CODE || head === line) continue;
    if (keyAt(sums, line + 1) < keyAt(sums, head)) continue;
    lasts[head] = Math.max(keyAt(lasts, head), keyAt(lasts, line));
  }
  if (layout.sign !== "#") return lasts;
  for (let line = roles.length - 1; line >= 0; line--) {
    const parent = keyAt(parents, line);
    if (roles[line] !== CODE || parent < 0) continue;
    lasts[parent] = Math.max(keyAt(lasts, parent), keyAt(lasts, line));
  }
  return lasts;
}

/** Docstrings are comments, but statements as well, and may be all that a class has. */
function addDocstrings(
  { layout: { lines, roles }, parents }: Blocks,
  lasts: Int32Array,
): void {
  for (let line = 0; line < roles.length; line++) {
    if (roles[line] !== COMMENT) continue;
    const [quote = ""] = DOCSTRING.exec(startOf(lines, line)) ?? [];
    if (quote === "") continue;
    const parent = keyAt(parents, line);
    const own = lineAt(lines, line);
    const sign = quote.slice(-3);
    if (own.indexOf(sign) === own.lastIndexOf(sign)) {
      line++;
      while (line < roles.length && !lineAt(lines, line).includes(sign)) line++;
    }
    const last = Math.min(line, roles.length - 1);
    if (parent >= 0) lasts[parent] = Math.max(keyAt(lasts, parent), last);
  }
}

/** Whether every string ends where it seems to, and there is nothing whose end is not known. O(text). */
export function isUnderstood({ layout }: Blocks): boolean {
  const { lines, roles, sign, unclosed } = layout;
  const names = new Set<string>();
  for (const [line, role] of roles.entries()) {
    if (unclosed[line] === 1) return false;
    const start = startOf(lines, line);
    if (names.has(start)) return false;
    // A comment is looked at, too: one of several lines may begin like one of one line.
    if (role !== TEXT && OPEN_ENDED[sign].test(start)) return false;
    if (role !== CODE || !start.includes("<<")) continue;
    for (const [, , quoted, plain = ""] of start.matchAll(HEREDOC)) {
      names.add(quoted ?? plain);
      names.add(/^\w*/.exec(quoted ?? plain)?.[0] || plain);
    }
  }
  return true;
}

/**
 * The ranges, each closing as many curly brackets as it opens; `undefined` where one cannot, or the text does not. O(lines).
 * Where a language has braces, they say where a range ends whose content is not indented, as that of a namespace.
 */
export function balanced<R extends Range>(
  { layout }: Blocks,
  ranges: readonly R[],
): R[] | undefined {
  const { roles, sign } = layout;
  const sums = openBraces(layout);
  if (sums.at(-1) !== 0) return undefined;
  const closings = sign === "//" ? closingLines(sums) : undefined;
  const exact: R[] = [];
  for (const range of ranges) {
    const { first } = range;
    const isExact = (last: number) =>
      keyAt(sums, first) === keyAt(sums, last + 1);
    let opener = first;
    const most = Math.min(roles.length, first + LONGEST_HEAD);
    while (opener < most && keyAt(sums, opener + 1) <= keyAt(sums, first)) {
      opener++;
    }
    const last = isExact(range.last)
      ? range.last
      : closings?.[opener] ?? roles.length;
    if (last >= roles.length || !isExact(last)) return undefined;
    exact.push({ ...range, last });
  }
  return exact;
}

/** Curly brackets that are open before each line, and at the end. */
function openBraces({ roles, braces }: Layout): Int32Array {
  const sums = new Int32Array(roles.length + 1);
  for (const [line, role] of roles.entries()) {
    const own = role === CODE || role === TEXT ? keyAt(braces, line) : 0;
    sums[line + 1] = keyAt(sums, line) + own;
  }
  return sums;
}

/** Of each line the next one after which no more brackets are open than before it; the number of lines where none is. */
function closingLines(sums: Int32Array): Int32Array {
  const count = sums.length - 1;
  const closings = new Int32Array(count).fill(count);
  const open: number[] = [];
  for (let line = 0; line < count; line++) {
    open.push(line);
    for (let up = open.at(-1); up !== undefined; up = open.at(-1)) {
      if (keyAt(sums, line + 1) > keyAt(sums, up)) break;
      closings[up] = line;
      open.pop();
    }
  }
  return closings;
}
