/** Reading lists of paths back from nothing but their folded text. @module */
import { counted } from "../../text/ranges.ts";
import { formOf } from "./forms.ts";
import { type Row, rowOf } from "./parse.ts";

/** `src/net/*.ts: http tcp`: what is before the names, their extension, the names. */
export const GROUP = /^([^*]*)\*([^\s*]*): (.+)$/;
const NAMES = /"[^"]*"\S*|[^ "]+/g;
const RANGE = /^(.*?)(\d+)\.\.(\d+)$/;
/** What the heading of a list says besides its form. */
export const RETURNS = "CRLF";
export const NO_HINTS = "without git's usual hints";
const HEADING = /^… \d+ paths(?: in (.*))?; names fill the \*((?:, .*)?)$/;

/** What `git status` says below a heading every time. */
export const HINTS = new Map([
  ["Changes to be committed:", [
    '  (use "git restore --staged <file>..." to unstage)',
  ]],
  ["Changes not staged for commit:", [
    '  (use "git add <file>..." to update what will be committed)',
    '  (use "git restore <file>..." to discard changes in working directory)',
  ]],
  ["Untracked files:", [
    '  (use "git add <file>..." to include in what will be committed)',
  ]],
]);

/** Inverse of `foldPaths`. O(n). */
export function unfoldPaths(folded: string): string {
  const lines = folded.split("\n");
  const end = folded.endsWith("\n") ? "\n" : "";
  if (end !== "") lines.pop();
  const [, root = "", said = ""] = HEADING.exec(lines.shift() ?? "") ?? [];
  const notes = new Set(said.split(", ").slice(1));
  const isCrlf = notes.delete(RETURNS);
  const isShort = notes.delete(NO_HINTS);
  const form = formOf([...notes].join(", "));
  const unfolded = form.print(unfoldRows(lines, root));
  const printed = (isShort ? withHints(unfolded) : unfolded).join("\n") + end;
  return isCrlf ? printed.replaceAll("\n", "\r\n") : printed;
}

/** Inverse: below a heading that has other hints nothing was left out. */
export function withHints(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) =>
    lines[i + 1]?.startsWith("  (") ? [line] : [line, ...HINTS.get(line) ?? []]
  );
}

/** Inverse of `foldRows`. */
export function unfoldRows(lines: readonly string[], root: string): Row[] {
  const rows: Row[] = [];
  for (const line of lines) {
    const [, before, after = "", names = ""] = GROUP.exec(line) ?? [];
    if (before === undefined) {
      rows.push(rowOf(line, line));
      continue;
    }
    const head = root + before;
    const cut = pathStart(head);
    const lead = head.slice(0, cut);
    const dir = head.slice(cut);
    for (const { name, values } of namesOf(names)) {
      rows.push({ lead, dir, name: name + after, values, text: "" });
    }
  }
  return rows;
}

/** Where the path starts in a lead and a directory: after the last blank. Directories of groups have none. */
function pathStart(head: string): number {
  return /\S*$/.exec(head)?.index ?? 0;
}

interface Named {
  readonly name: string;
  readonly values: readonly string[];
}

/** Inverse of how names are written, for all names of a line. */
function namesOf(list: string): Named[] {
  const names: Named[] = [];
  if (!/["|]|\.\./.test(list)) {
    const values: string[] = [];
    for (const name of list.split(" ")) {
      if (name !== "") names.push({ name, values });
    }
    return names;
  }
  const tokens = list.includes('"') ? list.match(NAMES) : list.split(" ");
  return (tokens ?? []).flatMap((token) => token === "" ? [] : namesIn(token));
}

/** The names that a token stands for: one, or those of a range. */
function namesIn(token: string): Named[] {
  const quote = token.startsWith('"') ? 1 : 0;
  const end = quote > 0 ? token.indexOf('"', 1) : token.indexOf("|");
  const name = token.slice(quote, end < 0 ? undefined : end);
  const rest = end < 0 ? "" : token.slice(end + quote);
  const values = rest.split("|").slice(1);
  const [, before = "", first = "", last = ""] = quote > 0
    ? []
    : RANGE.exec(name) ?? [];
  if (first === "") return [{ name, values }];
  const names: Named[] = [];
  for (let n = 0; n <= Number(last) - Number(first); n++) {
    names.push({ name: before + counted(first, n), values });
  }
  return names;
}
