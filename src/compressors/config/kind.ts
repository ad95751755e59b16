/** Configuration and lock files; a stretch of one is enough. @module */
import type { ContentHint } from "../../core/detector.ts";
import type { Gap, Kind, Told } from "../../core/kind.ts";
import { countText } from "../../engine/note.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { keyAt as numberAt, lineAt } from "../../text/lines.ts";
import { labelOfPackages, startsAsLock } from "./lock.ts";
import {
  type ConfigView,
  keyOf,
  readConfig,
  type Row,
  valueOf,
  viewOf,
} from "./parse.ts";
import {
  AGAIN,
  ALIKE,
  COMMENTED,
  COMMON,
  KEPT_BOOKS,
  PACKAGE,
  type Plan,
  planOf,
  rowsOf,
  unitsOf,
} from "./units.ts";

/** UTF-16 units that are read to find out whether a text is of this kind: at the start, in the middle and at the end each. */
const HEAD = 2400;
const PART = 800;
/** UTF-16 units of a first look, and the share of lines that do not parse above which it is the last. */
const START = 1000;
const HOPELESS = 0.5;
/** Share of lines that must parse, and of those that may end as code does; where a file's name says what it is, less is asked. */
const BY_TEXT = { parsed: 0.86, code: 0.06, keys: 3 };
const BY_PATH = { parsed: 0.6, code: 0.25, keys: 2 };
/** Share of lines that are keys, of lines that may be sentences, and of keys whose values may be padded as in a table. */
const KEYS = 0.3;
const SENTENCES = 0.25;
const ALIGNED = 0.2;
/** Settings without a blank behind their colons that show the state of a server, and their share of the lines. */
const MANY_TIGHT = 20;
const TIGHT = 0.9;
/** Lines up to which one entry below a key is enough. */
const FEW_LINES = 14;
/** Settings that are switched off, and lines of comments, that show a configuration. */
const SWITCHED_OFF_ENOUGH = 5;
const COMMENTS_ENOUGH = 9;

/** Files of other kinds, whatever is in them. */
const OTHER_FILE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|log|tsx?|[mc]?[jt]s|jsx|py|pyi|go|rs|rb|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|swift|php|pl|lua|sh|bash|zsh|fish|ps1|sql|html?|css|scss|less|xml|svg|ipynb|proto|graphql|vue|svelte|dart|ex|exs|hs|r|m|diff|patch|csv|tsv)$/i;
/** Files of this kind. */
const CONFIG_FILE =
  /\.(?:ya?ml|toml|ini|cfg|conf|cnf|tf|hcl|env|properties|lock|service|socket|timer|mount|target|desktop|editorconfig|npmrc|gitconfig|flake8|pylintrc|coveragerc)$|(?:^|[\\/])(?:\.env(?:\.\w+)?|go\.sum|Pipfile|\.gitmodules|config|sshd?_config)$/i;
/** Starts of what is no configuration: markup, a script, a prompt, TAP. */
const OTHER_START = /^\s*(?:<|#!|\$ |ok \d|not ok \d|TAP version|1\.\.\d)/;
/** Frames and verdicts, which no configuration has. */
const OTHER_LINE =
  /^(?: {0,4}(?:not )?ok \d+ - |Traceback \(most recent| +at \S+ \(|\w+: command not found|diff --git |commit [0-9a-f]{40}$)/m;

/** A setting that is switched off: `#port = 5432`, `// "strict": true,`. */
const SWITCHED_OFF =
  /^\s*(?:[#;](?=[\w.-]+ *=)|\/\/ *")([A-Za-z_][\w.-]*)"? *[=:](?!=)/;
/** A setting without a sign: `maxmemory 64mb`. */
const WORDS = /^[A-Za-z][\w.-]*(?: +[^\s=(){}]+){1,6}$/;
/** More pairs in a value: a line of a log. */
const MORE_PAIRS = /= ?\S+ \w+=\S/;
/** Blocks of a web server, and blocks with a label in quotes. */
const BLOCK =
  /^(?:(?:server|location|upstream|http|events|stream)\b|\w+(?: "[^"]*")+ *\{(?:$| ))/;
/** A name, as in a key, that no block of a program starts with. */
const NAME = /^["'<]?[\w.$@/~*{][^()]*$/;
const QUOTED = /^["'].*["'],?$/;
const TASK = /^\[[ x]\]/;
const CODE_END = /[;{(,]$/;
/** Words, and UTF-16 units, from which on a value without quotes is a sentence. */
const SENTENCE_WORDS = 9;
const SENTENCE_LENGTH = 30;
const LETTER = /[A-Za-z\u0080-\uffff]/;
/** UTF-16 units of a line that are looked at. */
const LOOKED_AT = 200;

/** Configuration and lock files. What is asked of every text looks at a part of it; its view is made when it is compressed. */
export const configKind: Kind<() => ConfigView> = {
  id: "config",
  unit: "lines",
  fewestLines: 2,
  parse(text, { path = "" }: ContentHint) {
    const byPath = CONFIG_FILE.test(path);
    if (!byPath && OTHER_FILE.test(path)) return undefined;
    if (OTHER_START.test(text.slice(0, 80))) return undefined;
    const isLock = startsAsLock(text);
    if (!byPath && !isLock && startsUnlike(text)) return undefined;
    const sample = sampleOf(text);
    if (OTHER_LINE.test(sample)) return undefined;
    const isWhole = sample === text;
    const part = isWhole && !isLock ? readConfig(text) : viewOf(sample);
    if (part.lock === undefined && !isConfig(part, byPath)) return undefined;
    let view = isWhole ? part : undefined;
    return () => view ??= viewOf(text);
  },
  fold: (read, { firstLine }) => foldRepeats(read().lines, firstLine),
  units: (read, context) => unitsOf(read(), context),
  label: (read, gap, told) => labelOf(read(), gap, told),
};

/** Whether the first lines already have too many that do not parse. */
function startsUnlike(text: string): boolean {
  const end = text.length < 2 * START ? 0 : text.lastIndexOf("\n", START) + 1;
  if (end === 0) return false;
  const count = countIn(readConfig(text.slice(0, end)));
  return count("unread") > HOPELESS * count("lines");
}

/** What is counted. Blank lines, comments and text of values are no `lines`. */
type Counted =
  | "lines"
  /** No key, no item and nothing around them, and no setting without a sign. */
  | "unread"
  /** Keys by their sign, and those in quotes. */
  | "colons"
  | "pairs"
  | "words"
  | "quoted"
  /** Pairs as no program has them: no blank before `=`, or a dot or a dash in the key. */
  | "plain"
  /** Keys whose colon has no blank behind it. */
  | "tight"
  | "blocks"
  | "sections"
  /** Lines right below a key. */
  | "nested"
  | "sentences"
  /** Values set off by several blanks. */
  | "aligned"
  /** Lines that end as those of code do. */
  | "code"
  | "comments"
  | "switched off";

function countIn(view: ConfigView): (what: Counted) => number {
  const counts: Partial<Record<Counted, number>> = {};
  const count = (what: Counted) => counts[what] ?? 0;
  const add = (what: Counted, isIt = true) => {
    if (isIt) counts[what] = count(what) + 1;
  };
  for (const row of view.rows) countRow(view, row, add);
  return count;
}

function countRow(
  { lines: { text } }: ConfigView,
  row: Row,
  add: (what: Counted, isIt?: boolean) => void,
): void {
  const { kind, sign, parent, keyAt, keyEnd, valueAt, stop } = row;
  if (kind === "blank") return;
  const body = text.slice(keyAt, Math.min(stop, keyAt + LOOKED_AT));
  if (kind === "comment") {
    add("comments", /^[#;]/.test(body));
    return add("switched off", SWITCHED_OFF.test(body));
  }
  const isValue = parent?.kind === "item" ||
    parent?.kind === "key" && parent.sign !== ";";
  if (kind === "text" && isValue) return;
  add("lines");
  add("nested", parent?.kind === "open");
  const isCode = CODE_END.test(body);
  switch (kind) {
    case "section":
      return add("sections");
    case "item":
      add("sentences", isSentence(body));
      return add("code", TASK.test(body));
    case "text": {
      if (QUOTED.test(body)) return;
      const isWords = WORDS.test(body);
      add("code", isCode && !isWords);
      return add(isWords ? "words" : "unread");
    }
    case "key":
    case "open":
      break;
    default:
      return;
  }
  const key = text.slice(keyAt, keyEnd);
  const isQuoted = /^["']/.test(key);
  add("quoted", isQuoted);
  const value = text.slice(valueAt, Math.min(stop, keyAt + LOOKED_AT));
  add("sentences", isSentence(value));
  switch (sign) {
    case ":":
      if (valueAt === keyEnd + 1 && !isQuoted && valueAt < stop) {
        return add("tight");
      }
      add("colons");
      add("aligned", valueAt - keyEnd > 2 && kind === "key");
      return add("code", isCode && !/^[[{]./.test(value));
    case "=":
      add("pairs");
      add("plain", /[=(]/.test(text[keyEnd] ?? "") || /[.-]/.test(key));
      return add("code", isCode && kind === "key" || MORE_PAIRS.test(body));
    default:
      add("blocks", BLOCK.test(body));
      add("code", body.length > 1 && !NAME.test(key));
  }
}

function isSentence(value: string): boolean {
  return value.length > SENTENCE_LENGTH && !/^["'[{]/.test(value) &&
    wordsIn(value) >= SENTENCE_WORDS;
}

/** One more than the blanks before letters. */
function wordsIn(value: string): number {
  let words = 1;
  for (let at = value.indexOf(" "); at >= 0; at = value.indexOf(" ", at + 1)) {
    if (LETTER.test(value.charAt(at + 1))) words++;
  }
  return words;
}

/** Whether the lines are those of one of the dialects. @param byPath Whether the name of the file says so. */
function isConfig(view: ConfigView, byPath: boolean): boolean {
  const count = countIn(view);
  const least = byPath ? BY_PATH : BY_TEXT;
  const lines = count("lines");
  const unread = count("unread");
  const colons = count("colons");
  const pairs = count("pairs");
  const words = count("words");
  const isCode = count("code") > least.code * lines;
  if (
    count("switched off") >= SWITCHED_OFF_ENOUGH && unread <= 0.1 * lines &&
    !isCode
  ) {
    return true;
  }
  if (words > 0 && words === lines) {
    return byPath || count("comments") > Math.max(COMMENTS_ENOUGH, lines);
  }
  const tight = count("tight");
  if (tight >= MANY_TIGHT && tight >= TIGHT * lines) return true;
  if (lines - unread - words - tight < least.parsed * lines) return false;
  if (!byPath && count("sentences") > SENTENCES * lines) return false;
  // Pieces of JSON, with comments or without their start; its first line may be cut.
  const quoted = count("quoted");
  const isPiece = pairs === 0 && quoted === colons;
  if (isPiece && quoted >= Math.max(least.keys, KEYS * lines)) {
    return unread + words <= 1;
  }
  if (isCode) return false;
  if (count("blocks") >= 2 && count("sections") === 0) return true;
  if (colons >= Math.max(least.keys, KEYS * lines)) {
    const nested = count("nested") >= (lines <= FEW_LINES ? 1 : 2);
    if (byPath || nested && count("aligned") <= ALIGNED * colons) return true;
  }
  if (pairs + count("sections") < KEYS * lines || pairs === 0) return false;
  return byPath || count("sections") > 0 && pairs > 1 ||
    pairs >= 5 && count("plain") >= 0.4 * pairs;
}

/** Whole lines of the start, the middle and the end of a long text. */
function sampleOf(text: string): string {
  if (text.length <= HEAD + 2 * PART) return text;
  const middle = text.length >>> 1;
  return [
    text.slice(0, text.lastIndexOf("\n", HEAD) + 1),
    wholeLines(text.slice(middle, middle + PART)),
    wholeLines(text.slice(-PART)),
  ].join("\n");
}

/** Without the first line and the last, which may be cut. */
function wholeLines(part: string): string {
  const first = part.indexOf("\n");
  const last = part.lastIndexOf("\n");
  return last <= first ? "" : part.slice(first + 1, last + 1);
}

/** UTF-16 units of all names in a note: of list items and settings, and of keys, which are facts of their own; of one name. */
const LONGEST_ITEMS = 420;
const LONGEST_KEYS = 1200;
const LONGEST_NAME = 60;
/** An entry of more lines is named with its main values, so many of them, each so long at most. */
const LARGE_ENTRY = 12;
const MOST_VALUES = 6;
const LONGEST_VALUE = 48;
/** Keys that name an entry, the best first, and how much deeper than it they may be. */
const NAMING = ["name", "id", "key", "title", "host", "type", "path"];
const DEEPEST_NAME = 4;
/** Keys whose values a reader asks for first. */
const STATE =
  /^(?:image|version|replicas|phase|state|ready|restartCount|enabled|reason|host|port|url|nodeName|podIP)$/;

/** What a gap holds: names of entries, settings switched off, where the same lines are. O(gap). */
function labelOf(
  view: ConfigView,
  { from, to }: Gap,
  { firstLine }: Told,
): string {
  const plan = planOf(view);
  const { why, again } = plan;
  const said: string[] = [];
  for (let line = from; line < to;) {
    const reason = why[line];
    const shift = line - numberAt(again, line);
    let end = line + 1;
    while (
      end < to && why[end] === reason &&
      (reason !== AGAIN || end - numberAt(again, end) === shift)
    ) end++;
    const gap = { from: line, to: end };
    const first = line - shift + firstLine;
    if (reason === AGAIN) {
      said.push(`same as lines ${first}-${first + end - line - 1}`);
    } else if (reason === ALIKE) said.push(namesOf(view, plan, gap));
    else if (reason === COMMENTED) said.push(switchedOff(view, gap));
    else if (reason === COMMON) said.push(settingsIn(view, gap));
    else if (reason === KEPT_BOOKS) said.push("bookkeeping");
    else if (reason === PACKAGE && view.lock !== undefined) {
      said.push(labelOfPackages(view.lock, gap));
    }
    line = end;
  }
  return said.join("; ");
}

/** `12 items: a, b, c`; as many names as there is room for. */
function namesOf(view: ConfigView, { spare }: Plan, { from, to }: Gap): string {
  const entries = view.rows.slice(from, to).filter((row) => spare.has(row));
  const [first] = entries;
  const isLarge = entries.some(({ line, end }) => end - line > LARGE_ENTRY);
  const room = first?.dash && !isLarge ? LONGEST_ITEMS : LONGEST_KEYS;
  const word = first?.dash
    ? "items"
    : first?.kind === "section"
    ? "sections"
    : "keys";
  const names: string[] = [];
  let used = 0;
  for (const entry of entries) {
    const name = nameOf(view, entry) + (isLarge ? valuesIn(view, entry) : "");
    used += name.length + 2;
    if (used > room && names.length > 0) break;
    names.push(name);
  }
  const more = entries.length - names.length;
  if (more > 0) names.push(`and ${more} more`);
  return `${countText(entries.length, word)}: ${names.join(", ")}`;
}

/** The key of an entry, or the value that names a list item. */
function nameOf(view: ConfigView, entry: Row): string {
  let name = entry.dash ? "" : keyOf(view, entry);
  let best = name === "" ? NAMING.length : 0;
  for (const row of rowsOf(view, entry)) {
    if (best === 0) break;
    const rank = row.kind === "key" ? NAMING.indexOf(keyOf(view, row)) : -1;
    const isDeep = row.indent - entry.indent > DEEPEST_NAME;
    if (rank < 0 || rank >= best || isDeep) continue;
    best = rank;
    name = valueOf(view, row);
  }
  name ||= view.lines.text.slice(entry.keyAt, entry.stop);
  return name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, LONGEST_NAME)}…`.toWellFormed();
}

/** ` (image shop/web:1.4, phase Running)`: the first value of each main key. */
function valuesIn(view: ConfigView, entry: Row): string {
  const values = new Map<string, string>();
  for (const row of rowsOf(view, entry)) {
    const key = row.kind === "key" ? keyOf(view, row) : "";
    if (!STATE.test(key) || values.has(key)) continue;
    const value = valueOf(view, row);
    if (value !== "" && value.length <= LONGEST_VALUE) values.set(key, value);
    if (values.size === MOST_VALUES) break;
  }
  const said = [...values].map(([key, value]) => `${key} ${value}`);
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

/** UTF-16 units of the names of settings in a note. */
const LONGEST_SETTINGS = 80;

/** `switched off: port, ssl and 3 more`; `comment` where no setting is in it. */
function switchedOff({ lines }: ConfigView, { from, to }: Gap): string {
  const names: string[] = [];
  for (let line = from; line < to; line++) {
    const [, name] = SWITCHED_OFF.exec(lineAt(lines, line)) ?? [];
    if (name !== undefined) names.push(name);
  }
  return names.length === 0 ? "comment" : `switched off: ${firstOf(names)}`;
}

/** `port, ssl and 3 more`. */
function firstOf(names: readonly string[]): string {
  let used = 0;
  const shown = names.filter((name) =>
    (used += name.length) < LONGEST_SETTINGS
  );
  const more = names.length - shown.length;
  // One name costs what its count does.
  if (more === 1) return names.join(", ");
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** The settings that a gap holds. */
function settingsIn(view: ConfigView, { from, to }: Gap): string {
  const keys = view.rows.slice(from, to).filter(({ kind }) => kind === "key");
  return firstOf(keys.map((row) => keyOf(view, row)));
}
