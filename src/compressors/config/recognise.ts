/** Is this text a configuration file or a lock file? @module */
import type { Recognise } from "../../core/detector.ts";
import { indexLines, type Lines } from "../../text/lines.ts";
import { lockFormatOf } from "./lock_format.ts";
import { countPairs, isPairs, mostForeign, noPairs } from "./pairs_likeness.ts";
import { countYaml, isYaml, mostUnknown, noYaml } from "./yaml_likeness.ts";

/** UTF-16 units read at the start, and in the middle and at the end each. */
const HEAD = 2400;
const PART = 800;
/** Share of foreign lines at the start that ends the search. */
const HOPELESS = 0.4;
/** UTF-16 units of a first look, by which most other texts are told. */
const START = 1000;
/** Share of foreign lines among them that ends the search. */
const UNLIKE = 0.5;
/** Confidence by content, and for a file whose name says it. */
const BY_CONTENT = 0.88;
const BY_PATH = 0.93;
const LOCKED = 0.95;

/** Files of other kinds, whatever is in them. */
const OTHER_FILE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|log|tsx?|[mc]?[jt]s|jsx|py|pyi|go|rs|rb|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|swift|php|pl|lua|sh|bash|zsh|fish|ps1|sql|html?|css|scss|less|xml|svg|json[5cl]?|ipynb|proto|graphql|tf|hcl|vue|svelte|dart|ex|exs|hs|r|m|diff|patch|csv|tsv)$/i;
/** Files of this kind. */
const CONFIG_FILE =
  /\.(?:ya?ml|toml|ini|cfg|conf|cnf|env|properties|lock|service|socket|timer|mount|target|desktop|editorconfig|npmrc|gitconfig|flake8|pylintrc|coveragerc)$|(?:^|[\\/])(?:\.env(?:\.\w+)?|go\.sum|Pipfile|\.gitmodules|config)$/i;
/** A line at the start of what is no configuration: JSON, markup, a script, a prompt, TAP. */
const OTHER_START = /^\s*(?:[{<]|#!|\$ |ok \d|not ok \d|TAP version|1\.\.\d)/;
/** Frames and verdicts, which no configuration has. */
const OTHER_LINE =
  /^(?: {0,4}(?:not )?ok \d+ - |Traceback \(most recent| +at \S+ \(|\w+: command not found|diff --git |commit [0-9a-f]{40}$)/m;

/** What the start of a lock file holds: a cheap look. */
const LOCK_FILE =
  /\[\[package\]\]|\n {2}version|resolution: \{| h1:| {2}specs:|^lockfileVersion:/;
/** UTF-16 units of that start. */
const LOCK_START = 4000;

/** Shares of lines that only a configuration has, in a bounded sample; the name of the file lowers the demands. */
export const recogniseConfig: Recognise = (text, hint) => {
  const path = hint?.path ?? "";
  const byPath = path !== "" && CONFIG_FILE.test(path);
  if (!byPath && path !== "" && OTHER_FILE.test(path)) return 0;
  if (OTHER_START.test(text.slice(0, 80))) return 0;
  const isLock = LOCK_FILE.test(text.slice(0, LOCK_START)) &&
    lockFormatOf(text) !== undefined;
  if (isLock) return LOCKED;
  if (!byPath && startsUnlike(text)) return 0;
  const parts = partsOf(text).map(indexLines);
  const looksSo = isLikeYaml(parts, byPath) || isLikePairs(parts, byPath);
  if (!looksSo || parts.some((part) => OTHER_LINE.test(part.text))) return 0;
  return byPath ? BY_PATH : BY_CONTENT;
};

/** Whether the first lines already have too many that no configuration has. */
function startsUnlike(text: string): boolean {
  const end = text.length < 2 * START ? 0 : text.lastIndexOf("\n", START) + 1;
  if (end === 0) return false;
  const lines = indexLines(text.slice(0, end));
  const most = UNLIKE * lines.count;
  return !countYaml(lines, noYaml(), most) &&
    !countPairs(lines, noPairs(), most);
}

function isLikeYaml(parts: readonly Lines[], byPath: boolean): boolean {
  const counts = noYaml();
  const most = mostUnknown(linesIn(parts), byPath);
  for (const part of parts) {
    if (!countYaml(part, counts, most)) return false;
    if (part === parts[0] && counts.foreign > HOPELESS * counts.lines) {
      return false;
    }
  }
  return isYaml(counts, byPath);
}

function isLikePairs(parts: readonly Lines[], byPath: boolean): boolean {
  const counts = noPairs();
  const most = mostForeign(linesIn(parts), byPath);
  for (const part of parts) {
    if (!countPairs(part, counts, most)) return false;
    if (part === parts[0] && counts.foreign > HOPELESS * counts.lines) {
      return false;
    }
  }
  return isPairs(counts, byPath);
}

function linesIn(parts: readonly Lines[]): number {
  return parts.reduce((sum, part) => sum + part.count, 0);
}

/** Whole lines of the start, the middle and the end. */
function partsOf(text: string): string[] {
  if (text.length <= HEAD + 2 * PART) return [text];
  const middle = text.length >>> 1;
  return [
    text.slice(0, text.slice(0, HEAD).lastIndexOf("\n") + 1),
    wholeLines(text.slice(middle, middle + PART)),
    wholeLines(text.slice(-PART)),
  ];
}

/** Without the first line and the last, which may be cut. */
function wholeLines(part: string): string {
  const first = part.indexOf("\n");
  const last = part.lastIndexOf("\n");
  return first < 0 || last <= first ? "" : part.slice(first + 1, last);
}
