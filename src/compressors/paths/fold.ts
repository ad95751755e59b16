/** A list of files with each directory written once. Loses nothing. @module */
import type { Rewrite } from "../../core/kind.ts";
import { pathOf, type PathsView, type Row, rowOf } from "./parse.ts";

/** UTF-16 units of a token of a path, on average. */
const UNITS = 4;
/** Tokens of a line break, the star and the colon; of a line of one path. */
const FRAME = 3;
const ALONE = 1;
/** Rows of one directory with one extension that may share a line with others, at most. */
const WINDOW = 16;
/** Names that count up by one, which are worth a range. */
const LEAST_RANGE = 3;
/** Directories that a root must be worth writing for. */
const LEAST_LINES = 3;

/** `src/net/*.ts: http tcp`: what is before the names, their extension, the names. */
const GROUP = /^([^*]*)\*([^\s*]*): (.+)$/;
const NAMES = /"[^"]*"\S*| +|[^ "]+/g;
const RANGE = /^(.*?)(\d+)\.\.(\d+)$/;
const NUMBERED = /^(.*?)(\d{1,15})$/;
/** A name that is put in quotes. */
const QUOTED = /[ |]|\.\.\d/;
const EXTENSION = /.(\.[^./\\ |]+)$/;

/** Rows in a row with one directory and one extension. */
interface Run {
  readonly rows: readonly Row[];
  readonly head: string;
  readonly extension: string;
}

/** Runs that are written as one line. */
interface Group {
  readonly from: number;
  readonly to: number;
  /** UTF-16 units that the heads of all runs have in common. */
  readonly head: number;
  readonly cost: number;
}

/** Writes a heading, and each directory once. O(n). */
export function foldPaths(view: PathsView): Rewrite | undefined {
  const { form, count, isCrlf } = view;
  const hinted = withSelves(view.rows);
  const short = hinted.filter((_, i) => !isHint(hinted, i));
  // Each hint must follow from what is left.
  const isShort = short.length < hinted.length &&
    withHints(form.print(short)).join("\n") === form.print(hinted).join("\n");
  const rows = isShort ? short : hinted;
  const root = rootOf(rows);
  const body = foldRows(rows.filter(({ isImplied }) => !isImplied), root);
  if (body === undefined) return undefined;
  const end = view.lines.text.endsWith("\n") ? "\n" : "";
  const notes = [
    `… ${count} paths${root === "" ? "" : ` in ${root}`}`,
    "names fill the *",
    ...body.some((line) => / \.\/?(?: |\||$)|\/\.\/?(?: |\||$)/.test(line))
      ? [". is the folder itself"]
      : [],
    ...form.label === "" ? [] : [form.label],
    ...isCrlf ? ["CRLF"] : [],
    ...isShort ? ["without git's usual hints"] : [],
  ];
  const text = `${notes[0]}; ${notes.slice(1).join(", ")}\n${
    body.join("\n")
  }${end}`;
  const restore = (folded: string) => {
    const lines = folded.slice(folded.indexOf("\n") + 1).split("\n");
    if (end !== "") lines.pop();
    const unfolded = form.print(unfoldRows(lines, root));
    const printed = (isShort ? withHints(unfolded) : unfolded).join("\n") + end;
    return isCrlf ? printed.replaceAll("\n", "\r\n") : printed;
  };
  return { text, restore };
}

/** Directories that are beside their own entries are written with them. */
function withSelves(rows: readonly Row[]): Row[] {
  return rows.map((row, i) => {
    const path = row.dir + row.name;
    const isOf = (next: Row | undefined) =>
      next?.lead !== undefined && row.lead === next.lead &&
      (next.dir === path || next.dir === `${path}/`) && path !== "";
    if (row.lead === undefined || !isOf(rows[i + 1]) && !isOf(rows[i - 1])) {
      return row;
    }
    const dir = path.endsWith("/") ? path : `${path}/`;
    return { ...row, dir, name: path.endsWith("/") ? "./" : "." };
  });
}

/** What `git status` says below a heading every time. */
const HINTS = new Map([
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

/** Whether a row is one of all hints right below a heading. */
function isHint(rows: readonly Row[], index: number): boolean {
  if (!rows[index]?.text.startsWith("  (use ")) return false;
  return [1, 2].some((back) => {
    const hints = HINTS.get(rows[index - back]?.text ?? "");
    const first = index - back + 1;
    return hints !== undefined && back <= hints.length &&
      hints.every((hint, n) => rows[first + n]?.text === hint);
  });
}

/** Inverse: below a heading that has other hints nothing was left out. */
function withHints(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) =>
    lines[i + 1]?.startsWith("  (") ? [line] : [line, ...HINTS.get(line) ?? []]
  );
}

/** The lines for rows; `undefined` when a row that is no path looks like one of them. */
export function foldRows(
  rows: readonly Row[],
  root: string,
): string[] | undefined {
  const out: string[] = [];
  for (let from = 0; from < rows.length;) {
    const row = rows[from];
    if (row?.lead === undefined) {
      const line = row?.text ?? "";
      if (GROUP.test(line)) return undefined;
      out.push(line);
      from++;
      continue;
    }
    let to = from + 1;
    while (to < rows.length && rows[to]?.lead !== undefined) to++;
    out.push(...groupLines(rows.slice(from, to), root));
    from = to;
  }
  return out;
}

/** Inverse of {@linkcode foldRows}. */
export function unfoldRows(lines: readonly string[], root: string): Row[] {
  return lines.flatMap((line) => {
    const [, before, after = "", names = ""] = GROUP.exec(line) ?? [];
    if (before === undefined) return [rowOf(line, "", line)];
    const head = root + before;
    const cut = pathStart(head);
    return namesOf(names).map(({ name, values, isQuoted }) => {
      const path = head.slice(cut) + name +
        (isSelf(name, isQuoted) ? "" : after);
      const self = /(?:^|\/)\.\/?$/.exec(path);
      const isOwn = self !== null && !isQuoted;
      const row = { lead: head.slice(0, cut), values, text: "" };
      if (!isOwn) return { ...row, dir: "", name: path };
      const own = path.endsWith("/") ? "./" : ".";
      return { ...row, dir: path.slice(0, -own.length), name: own };
    });
  });
}

/** Where the path starts in a lead and a directory: after the last blank. Directories of groups have none. */
function pathStart(head: string): number {
  return /\S*$/.exec(head)?.index ?? 0;
}

function isSelf(name: string, isQuoted: boolean): boolean {
  return !isQuoted && /(?:^|\/)\.\/?$/.test(name);
}

/** Directory, with what is before it, that all paths start with; empty when it is not worth writing. */
function rootOf(rows: readonly Row[]): string {
  let root: string | undefined;
  let lines = 0;
  let last = "";
  for (const { lead, dir } of rows) {
    if (lead === undefined) continue;
    const head = lead + dir;
    if (head !== last) lines++;
    last = head;
    root = root === undefined ? head : root.slice(0, common(root, head));
  }
  const found = root ?? "";
  return lines >= LEAST_LINES && found.length > 1 ? found : "";
}

/** UTF-16 units that two heads start with, up to a slash, or all of both leads. */
function common(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a[n] === b[n]) n++;
  while (n > 0 && !/[/\\ \t]/.test(a[n - 1] ?? "")) n--;
  return n;
}

function runsOf(rows: readonly Row[]): Run[] {
  const runs: { rows: Row[]; head: string; extension: string }[] = [];
  for (const row of rows) {
    const head = (row.lead ?? "") + row.dir;
    const own = EXTENSION.exec(row.name);
    const last = runs.at(-1);
    const isSelfRow = row.name === "." || row.name === "./";
    const extension = isSelfRow ? "" : own?.[1] ?? "";
    if (last?.head === head && last.extension === extension) {
      last.rows.push(row);
    } else runs.push({ rows: [row], head, extension });
  }
  return runs;
}

/** The cheapest lines for paths in a row. */
function groupLines(rows: readonly Row[], root: string): string[] {
  const runs = runsOf(rows);
  const best: { cost: number; group: Group | undefined }[] = [
    { cost: 0, group: undefined },
  ];
  for (let to = 1; to <= runs.length; to++) {
    let cheapest: Group | undefined;
    for (const group of groupsTo(runs, to, root)) {
      const cost = (best[group.from]?.cost ?? 0) + group.cost;
      if (cheapest === undefined || cost < cheapest.cost) {
        cheapest = { ...group, cost };
      }
    }
    best.push({ cost: cheapest?.cost ?? 0, group: cheapest });
  }
  const lines: string[] = [];
  for (let to = runs.length; to > 0;) {
    const group = best[to]?.group;
    if (group === undefined) break;
    lines.push(lineOf(runs.slice(group.from, group.to), group.head, root));
    to = group.from;
  }
  return lines.reverse();
}

/** Groups that end before run `to`, the shortest first, with what each costs in tokens. */
function* groupsTo(
  runs: readonly Run[],
  to: number,
  root: string,
): Generator<Group> {
  const last = runs[to - 1];
  let head = last?.head.length ?? 0;
  let [size, names, extensions] = [0, 0, 0];
  let shared: string | undefined;
  let isAlike = true;
  const lead = last?.rows[0]?.lead;
  for (let from = to - 1; from >= Math.max(0, to - WINDOW); from--) {
    const run = runs[from];
    if (run === undefined || last === undefined || run.rows[0]?.lead !== lead) {
      return;
    }
    const now = Math.max(
      lead?.length ?? 0,
      common(run.head, last.head.slice(0, head)),
    );
    if (now < root.length) return;
    // A shorter head makes each name longer.
    if (size > 0) names += size * tokens(head - now);
    head = now;
    const isOwn = run.rows.every(({ name }) => name === "." || name === "./");
    names += run.rows.length * tokens(run.head.length - head);
    size += run.rows.length;
    if (!isOwn) {
      shared ??= run.extension;
      isAlike = isAlike && shared === run.extension;
      extensions += run.rows.length * tokens(run.extension.length);
    }
    const frame = size === 1 ? ALONE : FRAME;
    const start = tokens(head - root.length);
    const after = isAlike ? tokens(shared?.length ?? 0) : extensions;
    yield { from, to, head, cost: frame + start + names + after };
  }
}

function tokens(units: number): number {
  return units <= 0 ? 0 : 1 + units / UNITS;
}

function lineOf(runs: readonly Run[], head: number, root: string): string {
  const rows = runs.flatMap((run) => run.rows);
  const [first] = rows;
  const before = runs[0]?.head.slice(root.length, head) ?? "";
  if (first !== undefined && rows.length === 1) {
    const rest = (first.lead ?? "") + pathOf(first);
    const isPlain = root === "" && first.values.length === 0 &&
      !GROUP.test(rest);
    if (isPlain) return rest;
  }
  const extensions = new Set(
    runs.filter(({ rows }) =>
      rows.some(({ name }) => name !== "." && name !== "./")
    ).map(({ extension }) => extension),
  );
  const [extension = ""] = extensions;
  const after = extensions.size === 1 && rows.length > 1 ? extension : "";
  const names = runs.flatMap((run) =>
    run.rows.map((row) => shownName(row, run.head.slice(head), after))
  );
  return `${before}*${after}: ${withRanges(names).join(" ")}`;
}

function shownName(
  { name, values }: Row,
  start: string,
  after: string,
): string {
  const isOwn = name === "." || name === "./";
  const said = start +
    (isOwn ? name : name.slice(0, name.length - after.length));
  const shown = !isOwn && (QUOTED.test(said) || isSelf(said, false))
    ? `"${said}"`
    : said;
  return [shown, ...values].join("|");
}

/** Names that count up by one as `frame_001..180`. */
function withRanges(names: readonly string[]): string[] {
  const out: string[] = [];
  for (let from = 0; from < names.length;) {
    const name = names[from] ?? "";
    const [, before, digits = ""] = NUMBERED.exec(name) ?? [];
    let to = from + 1;
    // The last number of a version is no counter to a reader.
    const mayCount = before !== undefined && !/[.|"]/.test(name);
    while (mayCount && names[to] === before + counted(digits, to - from)) to++;
    if (to - from < LEAST_RANGE) to = from + 1;
    out.push(
      to === from + 1 ? name : `${name}..${counted(digits, to - from - 1)}`,
    );
    from = to;
  }
  return out;
}

/** A number so much higher, as wide as it was if it starts with a zero. */
function counted(digits: string, more: number): string {
  const width = digits.startsWith("0") ? digits.length : 0;
  return String(Number(digits) + more).padStart(width, "0");
}

interface Named {
  readonly name: string;
  readonly values: readonly string[];
  readonly isQuoted: boolean;
}

/** Inverse of {@linkcode shownName} and {@linkcode withRanges}, for all names of a line. */
function namesOf(list: string): Named[] {
  const names: Named[] = [];
  for (const [token] of list.matchAll(NAMES)) {
    if (token.startsWith(" ")) continue;
    const isQuoted = token.startsWith('"');
    const end = isQuoted ? token.indexOf('"', 1) : token.indexOf("|");
    const name = token.slice(isQuoted ? 1 : 0, end < 0 ? undefined : end);
    const rest = end < 0 ? "" : token.slice(end + (isQuoted ? 1 : 0));
    const values = rest.split("|").slice(1);
    const [, before = "", first = "", last = ""] = isQuoted
      ? []
      : RANGE.exec(name) ?? [];
    if (first === "") names.push({ name, values, isQuoted });
    else {
      for (let n = 0; n <= Number(last) - Number(first); n++) {
        names.push({ name: before + counted(first, n), values, isQuoted });
      }
    }
  }
  return names;
}
