/** Lines of a log that say only that all goes on as it should, and lines that state an outcome. @module */

/** Tests that passed. */
const PASS = /[ \t]*(?:--- PASS: |PASS(?:\s|$)|[✓✔√] )/my;
/** The same with the verdict behind the name, and a time behind that. */
const VERDICT = /[^\n]{1,300} \.\.\. ok \(\d+(?:\.\d+)?[mµ]?s\)/y;
/** Steps that every run takes. */
const STEP =
  /[ \t]*(?:\[INFO\] +|#\d+ \d+\.\d+ )?(?:Download(?:ing|ed)?:? |Downloading\b|(?:Get|Hit|Ign):\d+ |\(Reading database |Selecting previously |Preparing to unpack |Unpacking |Collecting \S|Reading (?:package lists|state information)|Building dependency tree|Processing triggers |cachedir: |configfile: |testpaths: |plugins: |Installing collected |Requirement already |Using cached |Using '[^'\n]*' encoding |skip non existing |Copying \d+ resource|-+[<[] \S+ [>\]]-+\r?$|--- \S+:\S+:\S+ \(|Nothing to compile|Using auto detected provider |Compiling \S+ v\d|Checking \S+ v\d|Fresh \S|Fetching |go: (?:downloading|finding|extracting) |Check file:|running \d+ tests? from |[0-9a-f]{12}: |=== (?:RUN|PAUSE|CONT|NAME)\b|npm (?:http|timing|sill|verb) |#\d+ (?:sha256:|extracting |transferring |resolve |CACHED|DONE )|---> |Removing intermediate |> Task \S+(?: (?:UP-TO-DATE|NO-SOURCE|SKIPPED|FROM-CACHE))?\r?$|\[ *\d+%\] (?:Build|Generat|Link|Built|Copy)|(?:CC|CXX|LD|AR|AS|GEN|HOSTCC) {2,}\S|(?:\/\S*\/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ar|ld|rustc|javac) -)/my;
/** Bars and percentages of something under way. */
const BAR = /[━█▇▆▓]{4}|\[[=#>. -]{8,}\]|\d%\|/;
/** A level, a rule or the name of a tool with nothing after it. */
const EMPTY =
  /[ \t]*(?:\[(?:INFO|WARNING|ERROR|DEBUG)\]|npm (?:error|ERR!|warn|WARN))?[-=_*~#. \t\r]*$/my;
/** Advice that a tool gives below every failure. */
const ADVICE =
  /\[ERROR\] (?:To see the full stack trace|Re-run Maven using|For more information about|\[Help \d+\]|-> \[Help|Please refer to dump files)/y;
/** Totals, versions and times that are no sentence with a count. */
const OUTCOME =
  /[ \t]*(?:\[INFO\] +)?(?:Successfully (?:installed|built|tagged) |Setting up \S|\d+ upgraded, |Need to get |Fetched \d|added \d+ packages|(?:collecting .*)?collected \d+ items|BUILD (?:SUCCESS|FAIL)|Total time|Finished [`a-z]|Done in |(?:real|user|sys)\t|TOTAL\s|Tests run:|\d+ (?:errors?|warnings?)(?: generated)?\.?\r?$|Found \d+ |Ran \d+ |(?:ok {2}|FAIL|\?  {2})\t\S|Created symlink |make: )/my;

/** What a compiler says besides: notes, where a template was used, what includes what. */
const DETAIL =
  /(?:\S{1,300}:\d+(?::\d+)?: +(?:note:|required )|\S{1,300}: In (?:substitution|instantiation) of |In file included from )/y;
/** Units of a line in which a bar is looked for. */
const WIDTH = 240;

/** Which of the rarer wordings occur in a text at all. */
export interface Wordings {
  readonly hasBars: boolean;
  readonly hasDetails: boolean;
  readonly hasVerdicts: boolean;
}

/** Looks for the rarer wordings, so that not every line need be searched for them. O(n). */
export function wordingsOf(text: string): Wordings {
  return {
    hasBars: BAR.test(text),
    hasDetails: text.includes(" note: ") || text.includes(": In ") ||
      text.includes("In file included from "),
    hasVerdicts: text.includes(" ... ok ("),
  };
}

/** Whether the line at `at` is that of a test that passed. */
export function isPass(text: string, at: number): boolean {
  return startsWith(PASS, text, at);
}

/** Whether the line at `at` ends with the verdict that a test passed, and a time. */
export function isVerdict(text: string, at: number): boolean {
  return startsWith(VERDICT, text, at);
}

/** Whether the line at `at` is a step that every run takes. */
export function isStep(text: string, at: number): boolean {
  return startsWith(STEP, text, at);
}

/** Whether the line from `at` to `end` shows how far something is. */
export function isBar(text: string, at: number, end: number): boolean {
  return BAR.test(text.slice(at, Math.min(end, at + WIDTH)));
}

/** Whether the line at `at` says nothing: blanks, a rule, a level or the name of a tool alone. */
export function isEmpty(text: string, at: number): boolean {
  return startsWith(EMPTY, text, at);
}

/** Whether the line at `at` is advice that stands below every failure of its tool. */
export function isAdvice(text: string, at: number): boolean {
  return startsWith(ADVICE, text, at);
}

/** Whether the line at `at` states a total, a version or a time. */
export function isOutcome(text: string, at: number): boolean {
  return startsWith(OUTCOME, text, at);
}

/** Whether the line at `at` goes on with the message of a compiler. */
export function isDetail(text: string, at: number): boolean {
  return startsWith(DETAIL, text, at);
}

function startsWith(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
