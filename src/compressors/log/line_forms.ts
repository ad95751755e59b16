/** What lines of logs, and of code, documents and data, look like. A line is held only against forms that start as it does. @module */

/** First characters, blanks aside, that lines of a form can have, and the form. */
type Form = readonly [starts: string, form: RegExp];
/** What a text holds if it has lines of a form, whatever they start with, and the form. */
type InnerForm = readonly [part: string, form: RegExp];
/** A form for each first character of ASCII, and one for all others. */
type Forms = readonly (RegExp | undefined)[];

/** Stands for all characters that are not ASCII; none of its own starts a line. */
const BEYOND = 127;
const OTHERS = String.fromCharCode(BEYOND);
const DIGITS = "0123456789";
const MARKS = "!#$%&'()*+,-./:;<=>?@[\\]^`{|}~";
const SPACE = 32;

const LOG = byStart([
  // A time at the start of a line, followed by more than a cell of a table.
  [
    `[${DIGITS}`,
    /^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?:[ \t|]|: |$)|\d\d:\d\d:\d\d(?:[.,]\d+)?\]?[ \t]|\d+:[A-Z] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d| *\d+\.\d{3,}\] |\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[)/,
  ],
  [
    "[JFMASOND",
    /^\[?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d /,
  ],
  [
    "[",
    /^\[?\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d/,
  ],
  ["[IWEF", /^\[?[IWEF]\d{4} \d\d:\d\d:\d\d\./],
  // A level where a logger writes it.
  [
    `TDINWEFC${MARKS}${OTHERS}`,
    /^\W{0,3}(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]:|]?[ \t]/,
  ],
  ["[", /^\[(?:trace|debug|info|warn|warning|error|fatal)\]/],
  ["t", /^(?:ts|time)=\S+ /],
  // Verdicts of test runners, frames, reports.
  ["PFES", /^(?:PASSED|FAILED|ERROR|SKIPPED) \S+|^ *(?:PASS|FAIL) +\S+/],
  ["onF-", /^(?:ok|not ok|FAIL|---)\s+\S+.*\d|^ *--- (?:PASS|FAIL|SKIP): /],
  ["=", /^=== (?:RUN|PAUSE|CONT|NAME) |^={3,} .* ={3,}$|^ += (?:note|help): /],
  ["_", /^_{3,} .* _{3,}$/],
  [OTHERS, /^\s*[✓✔✕✗✘✖●×] /],
  ["ETF", /^E {3,}|^Traceback \(most|^TS\d+ \[ERROR\]: |^ +File ".*", line \d/],
  ["at", /^\s+at \S.*:\d+\)?$|^thread '.*' .*panicked at/],
  // Steps of builders, installers and compilers.
  [
    "CDFRULA",
    /^ *(?:Compiling|Checking|Downloaded|Downloading|Finished|Running|Updating|Locking|Adding|Fresh|Documenting) \S/,
  ],
  [
    "CRSIBGHUPNF",
    /^(?:Collecting|Requirement already|Successfully (?:installed|built|tagged)|Installing collected|Building (?:wheel|dependency tree)|Get:\d|Hit:\d|Unpacking|Setting up|Selecting previously|Preparing to unpack|Processing triggers|Removing intermediate|Sending build context|Reading package lists|Need to get|Fetched|Step \d+\/\d+ :)/,
  ],
  [
    "FRLBCPE",
    /^(?:Fetching|Resolving|Linking|Bundling|Built|Building|Creating|Pulling|Extracting|Restored|Restoring) \S/,
  ],
  [
    "#",
    /^#\d+ (?:\[|\d+\.\d|DONE|CACHED|ERROR|sha256|extracting|transferring|exporting|naming|writing)|^##\[/,
  ],
  [
    "/gclajrt",
    /^(?:\/\S+\/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|javac|rustc|tsc) -/,
  ],
  ["[", /^ *\[ *\d+(?:%|\/\d+)\] |^\[(?:INFO|WARNING|ERROR)\] /],
  [
    "nmgwe",
    /^npm (?:ERR!|WARN|error|warn|notice|http|info|verb|sill)|^make(?:\[\d+\])?: |^go: downloading |^(?:warning|error|note)(?:\[\w+\])?: /,
  ],
  [`|${DIGITS}`, /^ *\d* \||^ +\d+:\d+ +(?:error|warning) {2,}/],
  ["->:?", /^ +--> \S+:\d+|^ ---> |^> Task :|^::group|^\? {3}\t\S/],
]);

const INNER_LOG: readonly InnerForm[] = [
  [
    "level=",
    /\blevel="?(?:trace|debug|info|warn|warning|error|fatal|TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b/,
  ],
  [
    "lvl=",
    /\blvl="?(?:trace|debug|info|warn|warning|error|fatal|TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b/,
  ],
  ["::", /^\S+::\S+.* (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL)\b/],
  ["... ", /^\S.* \.\.\. (?:ok|FAILED|FAIL|ERROR|ignored|skipped)\b/],
  ["%]", /^\S+\.py .*\[ *\d+%\]$/],
  [": error", /^\S+:\d+(?::\d+)?: error:|^\S+\(\d+,\d+\): error /],
  [": warning", /^\S+:\d+(?::\d+)?: warning:|^\S+\(\d+,\d+\): warning /],
  [": note:", /^\S+:\d+(?::\d+)?: note:/],
  [": fatal error:", /^\S+:\d+(?::\d+)?: fatal error:/],
];

/** A cheap look for any of them. */
const INNER_PART =
  /(?:level|lvl)=|::|\.\.\. |%\]|: (?:error|warning|note:|fatal)/;

const FIRST_OR_LAST = byStart([
  [
    "=",
    /^={3,} test session starts ={3,}|^={3,} .*\b\d+ (?:passed|failed|errors?|skipped|deselected)\b.* in [\d.]+s/,
  ],
  [
    "tT",
    /^test result: (?:ok|FAILED)\.|^Tests: +\d.*\btotal|^ *Test Files +\d|^Test Suites: +\d/,
  ],
  [
    DIGITS,
    /^\d+ examples?, \d+ failures?|^ *\d+ passing \(|^\d+ (?:errors?|warnings?)$|^\d+ failed, \d+ passed in |^\d+ upgraded, \d+ newly installed/,
  ],
  [
    "oF",
    /^(?:ok|FAILED) \| \d+ passed|^(?:FAIL|ok {2})\t\S+|^FAIL$|^ *Finished `|^Found \d+ errors? in /,
  ],
  [
    "ean",
    /^error: could not compile|^error: Type checking failed|^added \d+ packages|^npm (?:ERR!|error) /,
  ],
  [
    "RPBS",
    /^Ran \d+ tests? in |^Process completed with exit code|^BUILD (?:SUCCESSFUL|FAILED)|^Successfully (?:built|tagged|installed) /,
  ],
  [
    "-[#m",
    /^--- FAIL: |^\[INFO\] BUILD |^#\d+ \[internal\] load|^make(?:\[\d+\])?: \*\*\*/,
  ],
  [OTHERS, /^✖ \d+ problems? \(/],
]);

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Lines of a document or of data. */
const DOCUMENT = byStart([
  [`_-${DIGITS}${LETTERS}`, /^\s*[\w-]+: \S+$/],
  [
    `_${DIGITS}${LETTERS}${MARKS}${OTHERS}`,
    /^[^\s,]+,[^\s,]*,[^\s,]*(?:,|$)/,
  ],
  ["#", /^#{1,6} \S/],
  ["-*", /^\s*[-*] \S/],
  ["`", /^\s*```/],
  [DIGITS, /^\s*\d+(?:\. \S|\t|→|\|)/],
  [">", /^\s*>+ \S/],
  ["|", /^\|.*\|$/],
  ['{}[]"', /^\s*[{}[\]"]/],
  ["-dlbcps", /^[-dlbcps](?:[r-][w-][xsStT-]){3}/],
  ["<", /^</],
]);
const CODE = byStart([
  [
    "iefdclvrpuswt#",
    /^\s*(?:import|export|from|def|class|function|const|let|var|return|public|private|protected|package|fn|impl|use|pub|struct|enum|func|#include|#define|if|for|while|else|elif|try|except)\b/,
  ],
  ["/*#", /^\s*(?:\/\/|\/\*|\* |#!)/],
]);
const CODE_ENDS = ";{}";

/** Chooses the forms of log lines, of those that can start with anything, that lines of `text` can have. O(n). */
export function innerForms(text: string): RegExp[] {
  const found: RegExp[] = [];
  if (!INNER_PART.test(text)) return found;
  for (const [part, form] of INNER_LOG) {
    if (text.includes(part)) found.push(form);
  }
  return found;
}

/** Whether a line holds the first or last words of a known tool. */
export function isFirstOrLast(line: string): boolean {
  return FIRST_OR_LAST[startOf(line)]?.test(line) === true;
}

/**
 * How much a line speaks for a log: 1, or against it: -1 for a line of a document or of data, -0.5 for one of code; else 0.
 *
 * @param inner Forms of {@linkcode innerForms} for the text that holds the line.
 */
export function weightOf(line: string, inner: readonly RegExp[]): number {
  const start = startOf(line);
  if (LOG[start]?.test(line) || isOneOf(line, inner)) return 1;
  if (DOCUMENT[start]?.test(line)) return -1;
  const isCode = CODE_ENDS.includes(line.at(-1) ?? " ") ||
    CODE[start]?.test(line);
  return isCode ? -0.5 : 0;
}

function isOneOf(line: string, forms: readonly RegExp[]): boolean {
  for (const form of forms) if (form.test(line)) return true;
  return false;
}

/** Code of the first character that is not blank. */
function startOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) <= SPACE) at++;
  return Math.min(line.charCodeAt(at), BEYOND);
}

function byStart(forms: readonly Form[]): Forms {
  const byCode: (RegExp | undefined)[] = [];
  const known = new Map<string, RegExp>();
  for (let code = 0; code <= BEYOND; code++) {
    const source = forms
      .filter(([starts]) => starts.includes(String.fromCharCode(code)))
      .map(([, form]) => form.source).join("|");
    if (source === "") byCode.push(undefined);
    else {
      const form = known.get(source) ?? new RegExp(source);
      known.set(source, form);
      byCode.push(form);
    }
  }
  return byCode;
}
