/** Is this text a list of files? @module */
import type { ContentHint, Recognise } from "../../core/detector.ts";
import { hasFileName } from "./file_names.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 40;
/** UTF-16 units of a text above which only its ends are read. */
const READ = 16_000;
/** Longest line that is looked at. */
const LONGEST = 4096;
/** Paths that there must be at least. */
const LEAST = 4;
/** Lines of another kind that may be among them, as a share. */
const MOST_OTHERS = 0.15;
/** Lines of another kind after which the others are not looked at, unless more paths were before. */
const ENOUGH_OTHERS = 6;
/** The blank, and the code from which on characters are not ASCII. */
const SPACE = 32;
const BEYOND = 128;
/** Confidence in lines that only such a list has. */
const SURE = 0.95;

/** One path and nothing else: no blank, quote, bracket of code, sign of an assignment, colon but that of a drive. */
const PATH =
  /^(?:[A-Za-z]:[\\/])?[^\s"'`<>|*?:;,=&%{}^!]*[^\s"'`<>|*?:;,=&%^!]$/;
/** One without brackets, as nearly all are. */
const PLAIN = /^(?:[A-Za-z]:[\\/])?[^\s"'`<>|*?:;,=&%{}^!()]+$/;
/** A path with blanks, which must start like one. */
const SPACED = /^(?:\/|\.{1,2}\/|[A-Za-z]:[\\/])[^"'`<>|*?:;=&]*$/;
/** A name that code has in brackets, or no name at all. */
const CALL = /[({]\)?$|\(.*[.(].*\)/;
const SIGNS = /^\W*$/;
/** A state before a path; what such a line starts with. */
const WITH_STATE = "MADRCUTX?! \t";
const STATE =
  /^(?: [MADRCUT]|[MADRCUT][ MADRCUT]|\?\?|!!) \S|^[MADRTCUX]\d{0,3}\t\S|^\t(?:modified|new file|deleted|renamed|copied|typechange|both \w+|(?:added|deleted) by \w+): +\S/;
/** The first lines of `git status`. */
const STATUS =
  /^(?:On branch \S|HEAD detached |Not currently on any branch|## \S)/;
/** A size or a count beside a path; what such a line starts with. */
const WITH_SIZE = " 0123456789";
const SIZED =
  /^ \S.* \| +(?:\d+(?: [+-]+)?|Bin.*)$|^\d[\d.]*[KMGTP]?\t\S*[./]\S*$|^ *\d+ [^\s:,;=()]*[./][^\s:,;=()]*$/;
/** A line of a drawn tree; what it starts with. */
const IN_TREE = "│ \u00a0├└|`";
const DRAWN = /^(?:[│ \u00a0|]{4})*(?:├── |└── |\|-- |`-- )(\S.*)$/;
/** What stands between paths: headings, totals, messages. */
const BESIDE =
  /^\S+:$|^## \S|^ *\d+ (?:director|file|total)|^\d+ .*changed|^\(.*\)$|^(?:find|ls|tree|du|rg|fd|tar|wc|git): |^Found \d+ files?|^total \d+$|^-{3,}$|^={3,}|^(?:On branch|Your branch|Changes|Untracked|Unmerged|You have|nothing |no changes|Initial|HEAD ) ?|^ {2}\(use |^ (?:create|delete|rename) mode /;
/** Files whose lines are paths. Other files hold patterns, packages or imports. */
const LISTS = /\.(?:txt|lst|list|log|out)$|(?:^|[\\/])[^.\\/]+$/i;
const NO_LISTS = /require|constraint|package|word|ignore|licen|owners/i;

/** Share of a bounded sample of lines that are paths of files, or what is printed beside them. */
export const recognisePaths: Recognise = (text, hint) => {
  if (!mayBeList(hint)) return 0;
  const lines = linesOf(readPart(text));
  const seen = {
    paths: 0,
    states: 0,
    beside: 0,
    others: 0,
    drawn: 0,
  };
  const paths: string[] = [];
  const most = MOST_OTHERS * lines.length;
  for (const line of lines) {
    look(line, seen, paths);
    const { others } = seen;
    if (others > most || others >= ENOUGH_OTHERS && others > paths.length) {
      return 0;
    }
  }
  const listed = seen.paths + seen.states + seen.drawn;
  const isClear = seen.others <= MOST_OTHERS * (listed + seen.beside);
  if (STATUS.test(text) && listed > 0 && isClear) return SURE;
  if (listed < LEAST || seen.beside > listed) return 0;
  const share = listed / (listed + seen.others);
  if (!isClear) return share * 0.8;
  if (seen.states + seen.drawn > seen.paths) return SURE;
  return isOfFiles(paths) ? Math.min(SURE, share) : 0.3;
};

function mayBeList(hint: ContentHint | undefined): boolean {
  const path = hint?.path;
  return path === undefined || (LISTS.test(path) && !NO_LISTS.test(path));
}

/** The start and the end of a long text, cut at lines. */
function readPart(text: string): string {
  if (text.length <= READ) return text;
  const start = text.lastIndexOf("\n", READ / 2);
  const end = text.indexOf("\n", text.length - READ / 2);
  if (start < 0 || end < 0) return text.slice(0, READ);
  return text.slice(0, start + 1) + text.slice(end + 1);
}

/** What was seen in the sample. */
interface Seen {
  /** Plain paths. */
  paths: number;
  /** Paths with a state or a size. */
  states: number;
  /** Entries of a drawn tree that look like names. */
  drawn: number;
  /** Lines that such lists have beside paths. */
  beside: number;
  /** Anything else. */
  others: number;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length <= 3 * SAMPLE) return lines;
  const middle = (lines.length - SAMPLE) >>> 1;
  return lines.slice(0, SAMPLE).concat(
    lines.slice(middle, middle + SAMPLE),
    lines.slice(-SAMPLE),
  );
}

function look(whole: string, seen: Seen, paths: string[]): void {
  if (whole.length > LONGEST) {
    seen.others++;
    return;
  }
  const last = whole.charCodeAt(whole.length - 1);
  const line = last > SPACE && last < BEYOND ? whole : whole.trimEnd();
  if (line === "") return;
  const first = line.charAt(0);
  const drawn = IN_TREE.includes(first) ? DRAWN.exec(line)?.[1] : undefined;
  if (drawn !== undefined) {
    if (isPath(drawn) || / -> /.test(drawn)) seen.drawn++;
    else seen.others++;
  } else if (hasStateOrSize(line, first)) seen.states++;
  else if (isPath(line) || (first === "\t" && isPath(line.slice(1)))) {
    seen.paths++;
    paths.push(line);
  } else if (BESIDE.test(line)) seen.beside++;
  else seen.others++;
}

function hasStateOrSize(line: string, first: string): boolean {
  return WITH_STATE.includes(first) && STATE.test(line) ||
    WITH_SIZE.includes(first) && SIZED.test(line);
}

function isPath(line: string): boolean {
  if (line === "") return false;
  if (line.includes(" ")) return SPACED.test(line) && hasFileName(line);
  const isOne = PLAIN.test(line) || PATH.test(line) && !CALL.test(line);
  return isOne && !SIGNS.test(line);
}

/** Whether paths are those of files, not words, packages, branches or routes. */
function isOfFiles(paths: readonly string[]): boolean {
  if (!hasMany(paths, 0.5, (path) => /[\\/]/.test(path))) {
    return hasMany(paths, 0.6, hasFileName);
  }
  if (hasMany(paths, 0.25, hasFileName)) return true;
  const rooted = paths.filter((path) => /^\.{0,2}\/|^[A-Za-z]:\\/.test(path));
  return rooted.length >= 0.6 * paths.length || isNested(paths);
}

/** Whether at least a share of the paths passes a test. Stops as soon as that is known. */
function hasMany(
  paths: readonly string[],
  share: number,
  passes: (path: string) => boolean,
): boolean {
  const least = share * paths.length;
  let many = 0;
  for (const path of paths) {
    if (many >= least) break;
    if (passes(path)) many++;
  }
  return many >= least;
}

/** Whether most paths stand in a directory that is listed too. */
function isNested(paths: readonly string[]): boolean {
  const all = new Set(paths.map((path) => path.replace(/\/$/, "")));
  const inListed = paths.filter((path) =>
    all.has(path.slice(0, path.replace(/\/$/, "").lastIndexOf("/")))
  );
  return inListed.length >= 0.6 * paths.length;
}
