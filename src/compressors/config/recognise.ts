/** Whether a text is a configuration or a lock file; a stretch of one is enough. @module */
import { startsAsLock } from "./lock.ts";
import { type ConfigView, readConfig, viewOf } from "./parse.ts";
import type { Row } from "./row.ts";

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
export const SWITCHED_OFF: RegExp =
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

/**
 * The view of a text that is a configuration or a lock file, made when it is asked for; `undefined` for any other text.
 * It looks at a part of a long text.
 */
export function recogniseConfig(
  text: string,
  path: string,
): (() => ConfigView) | undefined {
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
}

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

function countIn(view: ConfigView): Count {
  const counts: Partial<Record<Counted, number>> = {};
  const count = (what: Counted) => counts[what] ?? 0;
  const add = (what: Counted, isIt = true) => {
    if (isIt) counts[what] = count(what) + 1;
  };
  for (const row of view.rows) countRow(view, row, add);
  return count;
}

/** Counts one thing. @param isIt Whether it is there; it is when absent. */
type Add = (what: Counted, isIt?: boolean) => void;

function countRow({ lines: { text } }: ConfigView, row: Row, add: Add): void {
  const { kind, parent, keyAt, stop } = row;
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
  if (kind === "section") add("sections");
  else if (kind === "item") {
    add("sentences", isSentence(body));
    add("code", TASK.test(body));
  } else if (kind === "text") countText(body, add);
  else if (kind === "key" || kind === "open") countKey(text, row, add);
}

/** A line that is no key. */
function countText(body: string, add: Add): void {
  if (QUOTED.test(body)) return;
  const isWords = WORDS.test(body);
  add("code", CODE_END.test(body) && !isWords);
  add(isWords ? "words" : "unread");
}

function countKey(text: string, row: Row, add: Add): void {
  const { kind, sign, keyAt, keyEnd, valueAt, stop } = row;
  const end = Math.min(stop, keyAt + LOOKED_AT);
  const body = text.slice(keyAt, end);
  const isCode = CODE_END.test(body);
  const key = text.slice(keyAt, keyEnd);
  const isQuoted = /^["']/.test(key);
  add("quoted", isQuoted);
  const value = text.slice(valueAt, end);
  add("sentences", isSentence(value));
  if (sign === ":") {
    const isTight = valueAt === keyEnd + 1 && !isQuoted && valueAt < stop;
    if (isTight) return add("tight");
    add("colons");
    add("aligned", valueAt - keyEnd > 2 && kind === "key");
    return add("code", isCode && !/^[[{]./.test(value));
  }
  if (sign === "=") {
    add("pairs");
    add("plain", /[=(]/.test(text[keyEnd] ?? "") || /[.-]/.test(key));
    return add("code", isCode && kind === "key" || MORE_PAIRS.test(body));
  }
  add("blocks", BLOCK.test(body));
  add("code", body.length > 1 && !NAME.test(key));
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
  const unsure = count("unread") + count("words");
  const isCode = count("code") > least.code * lines;
  const early = isCode ? isOfWords(count, byPath) : isOff(count) ||
    isOfWords(count, byPath);
  if (early !== undefined) return early;
  if (lines - unsure - count("tight") < least.parsed * lines) return false;
  if (!byPath && count("sentences") > SENTENCES * lines) return false;
  // Pieces of JSON, with comments or without their start; its first line may be cut.
  const quoted = count("quoted");
  const isPiece = count("pairs") === 0 && quoted === count("colons");
  if (isPiece && quoted >= Math.max(least.keys, KEYS * lines)) {
    return unsure <= 1;
  }
  if (isCode) return false;
  if (count("blocks") >= 2 && count("sections") === 0) return true;
  return isNested(count, byPath) || isOfPairs(count, byPath);
}

/** What the lines of a text are, counted. */
type Count = (what: Counted) => number;

/** Whether many settings are switched off; `undefined` where not. */
function isOff(count: Count): true | undefined {
  const isMany = count("switched off") >= SWITCHED_OFF_ENOUGH &&
    count("unread") <= 0.1 * count("lines");
  return isMany || undefined;
}

/** Whether a text of nothing but settings without a sign, or without a blank behind it, is one; `undefined` for all others. */
function isOfWords(count: Count, byPath: boolean): boolean | undefined {
  const lines = count("lines");
  const words = count("words");
  if (words > 0 && words === lines) {
    return byPath || count("comments") > Math.max(COMMENTS_ENOUGH, lines);
  }
  const tight = count("tight");
  return tight >= MANY_TIGHT && tight >= TIGHT * lines || undefined;
}

/** Whether keys with colons have others below them. */
function isNested(count: Count, byPath: boolean): boolean {
  const lines = count("lines");
  const colons = count("colons");
  const { keys } = byPath ? BY_PATH : BY_TEXT;
  if (colons < Math.max(keys, KEYS * lines)) return false;
  const nested = count("nested") >= (lines <= FEW_LINES ? 1 : 2);
  return byPath || nested && count("aligned") <= ALIGNED * colons;
}

/** Whether keys with equals signs are no statements. */
function isOfPairs(count: Count, byPath: boolean): boolean {
  const pairs = count("pairs");
  const sections = count("sections");
  if (pairs + sections < KEYS * count("lines") || pairs === 0) return false;
  return byPath || sections > 0 && pairs > 1 ||
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
