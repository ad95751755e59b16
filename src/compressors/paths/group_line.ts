/**
 * One line for many paths: `src/net/*.ts: client server page1..9`. Each name after the colon
 * stands in place of the star; `.` is the directory itself; a name with a space is quoted.
 * @module
 */

/** What the first line of a folded text says about such lines. */
export const RULE = "names fill the *";
/** The directory that a line is about, as one of its own names. */
export const SELF = ".";
/** The same, where the list writes a slash after directories. */
export const SELF_SLASH = "./";

const STAR = "*";
const COLON = ": ";
const NEEDS_QUOTES = / |\d\.\.\d+$|^\.\/?(?:\||$)/;
const RANGE = /^(.*?)(\d+)\.\.(\d+)$/;
/** Names that a line may stand for: more are not ours, and would be a trap. */
const MAX_RANGE = 10_000_000;

/** The parts of such a line. */
export interface GroupLine {
  /** Before the star. */
  readonly before: string;
  /** After it. */
  readonly after: string;
  /** The names as written, separated by a space. */
  readonly names: string;
}

/** Writes a name so that {@linkcode namesOf} reads the same; it has no quote in it. */
export function quoted(name: string): string {
  return NEEDS_QUOTES.test(name) ? `"${name}"` : name;
}

/** Splits a line; `undefined` when it is not of this form. */
export function readGroup(line: string): GroupLine | undefined {
  const star = line.indexOf(STAR);
  if (star < 0) return undefined;
  const colon = line.indexOf(COLON, star);
  if (colon < 0 || colon + COLON.length >= line.length) return undefined;
  const after = line.slice(star + 1, colon);
  if (after.includes(" ") || after.includes(STAR)) return undefined;
  const names = line.slice(colon + COLON.length);
  return { before: line.slice(0, star), after, names };
}

/** Writes the parts as a line. */
export function groupLine(
  before: string,
  after: string,
  names: readonly string[],
): string {
  return before + STAR + after + COLON + names.join(" ");
}

/**
 * The paths that a line stands for, `root` before each.
 *
 * @param isSized Whether a bar and a number after each name belong behind the path.
 */
export function pathsOf(
  group: GroupLine,
  root: string,
  isSized: boolean,
): string[] {
  const before = root + group.before;
  return namesOf(group.names).map(({ name, isLiteral }) => {
    const bar = isSized ? name.lastIndexOf("|") : -1;
    const own = bar < 0 ? name : name.slice(0, bar);
    const tail = name.slice(own.length);
    if (!isLiteral && own === SELF_SLASH) return before + tail;
    if (!isLiteral && own === SELF) return before.slice(0, -1) + tail;
    return before + own + group.after + tail;
  });
}

/** Splits a list of names, and writes out its ranges. */
export function namesOf(
  list: string,
): { readonly name: string; readonly isLiteral: boolean }[] {
  const names: { name: string; isLiteral: boolean }[] = [];
  for (let at = 0; at < list.length;) {
    const isLiteral = list.startsWith('"', at);
    const from = isLiteral ? at + 1 : at;
    let end = list.indexOf(isLiteral ? '"' : " ", from);
    if (end < 0) end = list.length;
    const name = list.slice(from, end);
    const range = isLiteral ? null : rangeOf(name);
    if (range === null) names.push({ name, isLiteral });
    else for (const one of range) names.push({ name: one, isLiteral });
    at = end + (isLiteral ? 2 : 1);
  }
  return names;
}

function rangeOf(name: string): string[] | null {
  const found = name.includes("..") ? RANGE.exec(name) : null;
  if (found === null) return null;
  const [, before, first, last] = found as unknown as string[];
  const count = Number(last) - Number(first) + 1;
  if (!(count > 0 && count <= MAX_RANGE)) return null;
  const width = first!.startsWith("0") ? first!.length : 0;
  return Array.from(
    { length: count },
    (_, i) => before + String(Number(first) + i).padStart(width, "0"),
  );
}
