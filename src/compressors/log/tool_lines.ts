/** Lines that builders, installers, linters and test runners write: which are theirs, which say only that all goes on as it should, and which state an outcome. @module */

/** Forms of lines by tool; each begins where the line does, blanks aside. */
const LINES: Readonly<Record<string, string>> = {
  npm:
    "npm (?:ERR!|WARN|error|warn|notice|http|info|verb|sill|timing)\\b|added \\d+ packages|found \\d+ vulnerabilit|\\d+ packages are looking",
  pnpm:
    "Progress: resolved \\d|Packages: [+-]\\d|\\+{5,}$|[+-] \\S+ \\d+\\.\\d\\S*$|Lockfile is up to date|Already up to date|ERR_PNPM|WARN ",
  yarn:
    "➤ YN\\d{4}:|yarn (?:install|run|add|build) v\\d|\\[\\d+/\\d+\\] \\S|Done in \\d|(?:success|info|warning) \\S+ ",
  pip:
    "Collecting \\S|Requirement already|Successfully (?:installed|built|tagged|uninstalled)|Installing (?:collected|build)|Building wheels?|Attempting uninstall|Found existing|Uninstalling \\S|Using cached|Preparing metadata|Getting requirements|Created wheel|Stored in directory",
  uv:
    "(?:Resolved|Prepared|Installed|Audited|Uninstalled) \\d+ packages?|[+-] [\\w.-]+==\\d|Using (?:CPython|Python) |Creating virtual",
  cargo:
    "(?:Compiling|Checking|Downloaded|Downloading|Finished|Running|Updating|Locking|Adding|Removing|Fresh|Documenting|Doc-tests|Blocking) (?!(?:on|the|an?|this|that|it|and|of|in|to|with|from|up|for) )\\S|(?:warning|error|note|help)(?:\\[\\w+\\])?: |= (?:note|help): |-+> \\S+:\\d|\\d* \\|(?: |$)|running \\d+ tests?|failures:$|thread '.*' .*panicked at",
  gradle:
    "> (?:Task :|Configure project|There |Could not |Process )|\\d+ actionable tasks?|\\* (?:What went wrong|Try|Exception is|Get more help)|FAILURE: Build|BUILD (?:SUCCESS|FAIL)|Starting a Gradle",
  bazel:
    "(?:Loading|Analyzing): |\\[\\d[\\d,]* / \\d[\\d,]*\\]|//\\S+ +(?:\\(cached\\) )?(?:PASSED|FAILED|TIMEOUT|FLAKY|NO STATUS)|Target //",
  make:
    "make(?:\\[\\d+\\])?: |(?:/\\S+/)?(?:gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|ld|ar|ranlib|javac|rustc|tsc) -|(?:CC|CXX|LD|AR|AS|GEN|HOSTCC|HOSTLD|LINK|CCLD) +\\S+$|checking (?:for|whether|if|how) .*\\.\\.\\.|libtool: |In file included from ",
  cmake:
    "\\[ *\\d+(?:%|/\\d+)\\] |-- (?:[A-Z][\\w -]+ (?:-|done|found|works|failed)|Detecting|Check|Looking|Found|Performing|Configuring|Generating|Build files|The \\S+ compiler|Could NOT|Up-to-date|Installing)|CMake (?:Error|Warning)|Scanning dependencies",
  tsc: "TS\\d+ \\[ERROR\\]: ",
  linter:
    "\\d+:\\d+ +(?:error|warning) {2,}|[A-Z]{1,4}\\d{3,4} (?:\\[\\*\\] )?\\S|Found \\d+ errors?|✖ \\d+ problem|\\[\\*\\] \\d+ fixable",
  terraform:
    'Terraform (?:will|has|used)|Plan: \\d+ to|(?:Apply|Destroy) complete!|# \\S+ (?:will|must) be |[-+~/]{1,3} resource "|- (?:Finding|Installing|Installed|Reusing|Using) ',
  ansible:
    "(?:PLAY|TASK|RUNNING HANDLER|PLAY RECAP|NO MORE HOSTS) ?[\\[*]|(?:ok|changed|skipping|fatal|failed|unreachable|included|rescued): \\[",
  helm:
    'Release "\\S+" has |LAST DEPLOYED: |(?:coalesce|install|client|upgrade|wait)\\.go:\\d+: ',
  tap:
    "TAP version \\d|1\\.\\.\\d+$|(?:not )?ok \\d+\\b|# (?:Subtest|tests|suites|pass|fail|skipped|todo|cancelled|duration_ms)\\b|duration_ms: ",
  runner:
    "[✓✔✕✗✘✖●×√] |PASS(?:ED)? +\\S|FAIL(?:ED)? +\\S|(?:ERROR|SKIPPED) \\S+|(?:ok|FAIL|\\?) ? {0,3}\\t\\S|--- (?:PASS|FAIL|SKIP): |=== (?:RUN|PAUSE|CONT|NAME) |={3,} .* ={3,}$|_{3,} .* _{3,}$|E {3}|Traceback \\(most|\\d+ (?:passing|failing|pending)\\b|Tests run: \\d|OK \\(\\d+ tests?|[│├└╷'+|─-][│├└─'+| -]*.*(?:\\[OK\\]|\\[X\\]|\\[S\\]|✔|✘)",
  frame:
    'at \\S.*:\\d+\\)?$|File ".*", line \\d|\\d+: +(?:0x[0-9a-f]+ - )?\\S*(?:::|_)\\S|stack backtrace:|goroutine \\d+ \\[|panic: |created by \\S|\\S{1,300}\\.go:\\d+(?::\\d+:|:| \\+0x|$)|exit status \\d|WARNING: DATA RACE|(?:Previous )?(?:[Rr]ead|[Ww]rite) at 0x|Goroutine \\d+ \\(',
  go:
    "WORK=/|mkdir -p \\$WORK|cat >\\S* <<|/\\S+/(?:compile|asm|link|cgo|pack|buildid|vet) ",
  ctest:
    "\\d+/\\d+ Test +#|Start +\\d+: |Test project /|\\d+% tests passed|The following tests FAILED|Total Test time",
  biome:
    "\\S+:\\d+:\\d+ (?:lint|format|assist|parse)\\S* |.{0,80}━{4}|[>\\s]*\\d* │",
  vitest:
    "RUN +v\\d|❯ \\S|⎯{3}|(?:Snapshots|Duration|Start at|Test Files|Tests) +\\S",
  shellcheck: "In \\S+ line \\d+:$|\\^-*\\^? SC\\d{4}",
  packages:
    "(?:Get|Hit|Ign):\\d|Unpacking|Setting up|Selecting previously|Preparing to unpack|Processing triggers|Reading package lists|Building dependency tree|Need to get|Fetched|go: (?:downloading|finding|extracting) ",
  docker:
    "#\\d+ (?:\\[|\\d+\\.\\d|DONE|CACHED|ERROR|sha256|extracting|transferring|exporting|naming|writing|resolve)|Step \\d+/\\d+ :|---> |Removing intermediate|Sending build context|=> (?:\\[|=> |CACHED|exporting|ERROR)|[0-9a-f]{12}: (?:Pull|Push|Wait|Down|Already|Layer|Verify|Prepar|Mount)",
  ci:
    "##\\[|::(?:group|endgroup|error|warning|notice|debug)|section_(?:start|end):\\d",
  steps:
    "(?:Fetching|Resolving|Linking|Bundling|Built|Building|Creating|Pulling|Extracting|Restored|Restoring) (?!(?:on|the|an?|this|that|it|and|of|in|to|with|from|up|for) )\\S",
  systemd:
    "(?:Started|Starting|Stopped|Stopping|Finished|Reached target|Listening on|Mounted|Closed|Created slice|Removed slice|Queued start job|Activating|Deactivated) \\S.*\\.$|pam_unix\\(|\\(\\w+\\) CMD \\(|(?:Failed|Accepted) (?:password|publickey) |Connection (?:closed|reset) by |Received disconnect from|Invalid user |checkpoint (?:starting|complete)|Out of memory: ",
  traces:
    "import time: +\\S|(?:\\[pid +\\d+\\] |\\d+ +)?(?:\\d[\\d:.]+ )?[a-z_]\\w*\\(.*\\) += (?:-?\\d|0x|\\?)|--- SIG[A-Z]+ |\\+\\+\\+ (?:exited|killed)",
};

/** First and last words of a tool: where one stands, fewer lines need be known. */
const ENDS =
  "={3,} test session starts ={3,}|={3,} .*\\b\\d+ (?:passed|failed|errors?|skipped|deselected)\\b.* in [\\d.]+s|test result: (?:ok|FAILED)\\.|Tests: +\\d.*\\btotal|Test Files +\\d|Test Suites: +\\d|" +
  "\\d+ examples?, \\d+ failures?|\\d+ passing \\(|\\d+ (?:errors?|warnings?)(?: generated\\.)?$|\\d+ failed, \\d+ passed in |\\d+ upgraded, \\d+ newly installed|(?:ok|FAILED) \\| \\d+ passed|(?:FAIL|ok {2})\\t\\S+|FAIL$|Finished [`a-z]+ |Found \\d+ errors?\\b|" +
  "error: could not compile|error: Type checking failed|added \\d+ packages|npm (?:ERR!|error) |Ran \\d+ tests? in |Process completed with exit code|BUILD (?:SUCCESS|FAIL)|Successfully (?:built|tagged|installed) |--- FAIL: |\\[INFO\\] BUILD |#\\d+ \\[internal\\] load|make(?:\\[\\d+\\])?: \\*\\*\\*|✖ \\d+ problems? \\(|" +
  "\\d+% tests passed|goroutine \\d+ \\[|WORK=/tmp/go-|stack backtrace:|TAP version \\d|PLAY \\[|PLAY RECAP|Plan: \\d+ to|(?:Apply|Destroy) complete!|\\d+ actionable tasks?|FAILURE: Build|Done in [\\d.]+ ?m?s|➤ YN0000: |(?:Resolved|Installed|Audited) \\d+ packages? in|OK \\(\\d+ tests?\\)|FAILURES!!!|\\[ *\\d+ tests (?:successful|failed)|LAST DEPLOYED: |-- (?:Configuring|Generating) |import time: self|\\+\\+\\+ exited with|Lockfile is up to date|Executed \\d+ out of \\d+ tests";

/** Forms that begin with anything, and what a text with such lines holds. */
const WITHIN: readonly (readonly [cue: RegExp, form: string])[] = [
  [
    /\d(?: -|:) (?:fatal )?(?:error|warning|note|info)\b/,
    "[^\\s:(]{1,200}(?::\\d+){1,2}(?: -|:) (?:fatal )?(?:error|warning|note|info)\\b",
  ],
  [/\): /, "\\S+\\(\\d+(?:,\\d+)?\\): (?:error|warning) "],
  [/:\d+: \[?[A-Z]{1,5}\d/, "\\S+:\\d+: \\[?[A-Z]{1,5}\\d{2,5}\\b"],
  [
    /: In /,
    "\\S+: In (?:function|instantiation|substitution|member|static|constructor|lambda)",
  ],
  [/ \.\.\. /, "\\S.* \\.\\.\\. (?:ok|FAILED|FAIL|ERROR|ignored|skipped)\\b"],
  [
    / (?:PASS|FAIL|SKIP|ERR|XFAIL|STANDARD_)/,
    "\\S+(?:::\\S+.*| > .*) (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|STANDARD_\\w+)\\b",
  ],
  [/%\]/, "\\S+\\.py .*\\[ *\\d+%\\]$"],
  [/ok=/, "\\S+ +: ok=\\d"],
  [/install/, "\\S+ (?:pre|post)?install[$:]"],
  [
    /: (?:Creat|Refresh|Modif|Destr|Still|Read)/,
    "\\S+: (?:Creating|Refreshing state|Modifying|Destroying|Still \\w+|\\w+ complete|Reading)\\b",
  ],
  [
    /\.(?:service|timer|scope|socket|mount|slice): /,
    "\\S+\\.(?:service|timer|scope|socket|mount|slice): ",
  ],
];

const LINE = starting(Object.values(LINES));
const WITHIN_LINES = WITHIN.map(([cue, form]) => ({
  cue,
  form: starting([form]),
}));
const END = starting([ENDS]);

/**
 * Tells of the lines of a text whether they are such as a known tool writes; a line of prose may be, as one of many.
 *
 * @param text Looked at when the first line is not known by how it begins. O(text).
 */
export function toolLinesOf(text: string): (line: string) => boolean {
  let within: readonly RegExp[] | undefined;
  return (line) => {
    if (LINE.test(line)) return true;
    within ??= WITHIN_LINES.filter(({ cue }) => cue.test(text))
      .map(({ form }) => form);
    return within.some((form) => form.test(line));
  };
}

/** Whether a line holds the first or last words of a known tool. */
export function isToolEnd(line: string): boolean {
  return END.test(line);
}

function starting(forms: readonly string[]): RegExp {
  return new RegExp(`^[ \\t]*(?:${forms.join("|")})`);
}

/** What a line of a tool says, as far as its wording gives it away. */
export type Wording =
  | "detail"
  | "lack"
  | "nothing"
  | "outcome"
  | "passed"
  | "step";

/** Tests that passed; of some the verdict is behind the name, and a time behind that. */
const PASSED =
  /^[ \t]*(?:--- PASS: |PASS(?:\s|$)|[✓✔√] |ok \d+\b(?!.*# (?:SKIP|TODO))|\d+\/\d+ Test .* Passed )|^[ │├└╷─|+'-]*[│├└|+'].{1,300} (?:✔|\[OK\])$|^.{1,300} \.\.\. ok(?: \(\d+(?:\.\d+)?[mµ]?s\))?$/i;
/** Steps that every run takes. */
const STEPS = starting([
  "(?:\\[INFO\\] +|#\\d+ \\d+\\.\\d+ )?(?:" + [
    "Download(?:ing|ed)?:? |Collecting \\S|Using cached |Requirement already |Installing collected |Preparing metadata|Getting requirements|Installing build dep|Building wheels? for|Created wheel|Stored in directory|Attempting uninstall|Found existing|Uninstalling \\S",
    "(?:Get|Hit|Ign):\\d+ |\\(Reading database |Selecting previously |Preparing to unpack |Unpacking |Reading (?:package lists|state information)|Building dependency tree|Processing triggers ",
    "cachedir: |configfile: |testpaths: |plugins: |asyncio: |scheduling tests via|created: \\d+/\\d+ workers",
    "Using '[^'\\n]*' encoding |skip non existing |Copying \\d+ resource|-+[<[] \\S+ [>\\]]-+$|--- \\S+:\\S+:\\S+ \\(|Nothing to compile|Using auto detected provider |Scanning for projects|Changes detected - recompiling",
    "Compiling \\S+ v\\d|Checking \\S+ v\\d|Fresh \\S|Fetching |Resolving |Locking \\d|Updating (?:crates|git)|Adding \\S+ v\\d|Running (?:unittests|tests/)|Doc-tests \\S|running 0 tests",
    "go: (?:downloading|finding|extracting) |=== (?:RUN|PAUSE|CONT|NAME)\\b|Check file:|running \\d+ tests? from |Start +\\d+: ",
    "npm (?:http|timing|sill|verb|notice) |Progress: resolved|\\+{5,}$|\\[\\d/\\d\\] \\S+ing |➤ YN0000: [┌│└]",
    "[0-9a-f]{12}: |#\\d+ (?:sha256:|extracting |transferring |resolve |CACHED|DONE |\\[internal\\])|---> |Removing intermediate ",
    "> Task \\S+(?: (?:UP-TO-DATE|NO-SOURCE|SKIPPED|FROM-CACHE))?$|> Configure project|Starting a Gradle|\\S+: (?:Refreshing state|Still \\w+|Reading)\\b",
    "\\[ *\\d+%\\] (?:Build|Generat|Link|Built|Copy)|(?:CC|CXX|LD|AR|AS|GEN|HOSTCC) {2,}\\S|(?:/\\S*/)?(?:gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|ar|ranlib|ld|rustc|javac|cmake|g?make) -|g?make(?:\\[\\d+\\])?: (?:Entering|Leaving|Nothing)|Consolidate compiler|Scanning dependencies|cd \\S+ && |-- (?:Detecting|Looking for|Check|Performing|The \\S+ compiler|Found)",
    "# Subtest: |(?:ok|skipping|included): \\[|duration_ms: ",
  ].join("|") + ")",
]);
/** What was looked for before a build, and is not there. */
const LACK =
  /^[ \t]*(?:-- (?:Looking for|Performing|Check) .* - (?:not found|[Ff]ailed)|checking .*\.{3} (?:\(cached\) )?(?:no|none|not found))$/;
/** Bars and percentages of something under way. */
const BAR = /^(?!\S+:\d+:\d+ ).*[━█▇▆▓]{4}|\[[=#>. -]{8,}\]|\d%\|/;
/** A level, a rule or the name of a tool with nothing after it, and advice below every failure of a tool. */
const NOTHING =
  /^[ \t]*(?:\[(?:INFO|WARNING|ERROR|DEBUG)\]|npm (?:error|ERR!|warn|WARN)(?: \d{3}| E\w+)?)?[-=_*~#.─━═⎯ \t]*(?:\[\d+\/\d+\][─━═⎯]*)?$|^\[ERROR\] (?:To see the full stack trace|Re-run Maven using|For more information about|\[Help \d+\]|-> \[Help|Please refer to dump files)|^npm (?:error|ERR!) (?:\d{3} )?(?:A complete log|Note that you can also|tarball, folder)|^> (?:Run with --|Get more help|Try:)|^\* (?:Try|Get more help)/;
/** Totals, versions and times that are no sentence with a count. */
const OUTCOME =
  /^[ \t]*(?:\[INFO\] +)?(?:Successfully (?:installed|built|tagged) |Setting up \S|\d+ upgraded, |Need to get |Fetched \d|added \d+ packages|(?:collecting .*)?collected \d+ items|BUILD (?:SUCCESS|FAIL)|Total (?:Test )?time|Finished [`a-z]|Done in |(?:real|user|sys)\t|TOTAL\s|Tests run:|\d+ (?:errors?|warnings?)(?: generated)?\.?$|Found \d+ |Ran \d+ |(?:ok {2}|FAIL|\? {3})\t\S|Created symlink |make: |(?:Resolved|Installed|Audited) \d+ packages?)/;
/** What a compiler says besides: notes, where a template was used, what includes what. */
const DETAIL =
  /^(?:\S{1,300}:\d+(?::\d+)?: +(?:note:|required )|\S{1,300}: In (?:substitution|instantiation) of |In file included from )/;
/** UTF-16 units of a line that are looked at. */
const WIDTH = 300;

/** Says what the wording of a line gives away; a line that begins with a time says nothing so. */
export function wordingOf(line: string): Wording | undefined {
  const said = line.slice(0, WIDTH).trimEnd();
  if (DETAIL.test(said)) return "detail";
  if (NOTHING.test(said)) return "nothing";
  if (OUTCOME.test(said)) return "outcome";
  if (PASSED.test(said)) return "passed";
  if (LACK.test(said)) return "lack";
  return STEPS.test(said) || BAR.test(said) ? "step" : undefined;
}
