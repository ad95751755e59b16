/** Is this text the output of a build, a test run or a service? @module */
import type { Recognise } from "../../core/detector.ts";
import { indexLines, type Lines, sampleOf } from "../../text/lines.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 50;
/** UTF-16 units looked at of one line. */
const WIDTH = 300;
/** Lines at each end where the first or last words of a known tool stand. */
const EDGE = 25;
/** Confidence with such words; without them it grows with the share of log lines. */
const SIGNED = 0.92;

/** A time at the start of a line, followed by more than a cell of a table. */
const TIMED =
  /^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?:[ \t|]|: |$)|\d\d:\d\d:\d\d(?:[.,]\d+)?\]?[ \t]|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d |[IWEF]\d{4} \d\d:\d\d:\d\d\.| *\d+\.\d{3,}\] |\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[)/;
/** A level where a logger writes it. */
const LEVELLED =
  /^\W{0,3}(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]:|]?[ \t]|\blevel=(?:trace|debug|info|warn|warning|error|fatal)\b|^\[(?:trace|debug|info|warn|warning|error|fatal)\]|^ts=\S+ /;
/** Verdicts of test runners, frames, reports. */
const TESTED =
  /^\S+::\S+.* (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL)\b|^(?:PASSED|FAILED|ERROR|SKIPPED) \S+|^\S.* \.\.\. (?:ok|FAILED|FAIL|ERROR|ignored|skipped)\b|^ *--- (?:PASS|FAIL|SKIP): |^=== (?:RUN|PAUSE|CONT|NAME) |^ *(?:PASS|FAIL) +\S+|^(?:ok|not ok|FAIL|---)\s+\S+.*\d|^\s*[✓✔✕✗✘✖●×] |^E {3,}|^Traceback \(most|^ +File ".*", line \d|^\s+at \S.*:\d+\)?$|^thread '.*' .*panicked at|^={3,} .* ={3,}$|^_{3,} .* _{3,}$|^\S+\.py .*\[ *\d+%\]$/;
/** Steps of builders, installers and compilers. */
const BUILT =
  /^npm (?:ERR!|WARN|error|warn|notice|http|info|verb|sill)|^ *(?:Compiling|Checking|Downloaded|Downloading|Finished|Running|Updating|Locking|Adding|Fresh|Documenting) \S+ ?|^(?:Collecting|Requirement already|Successfully (?:installed|built|tagged)|Installing collected|Building wheel|Get:\d|Hit:\d|Unpacking|Setting up|Selecting previously|Preparing to unpack|Processing triggers)|^#\d+ (?:\[|\d+\.\d|DONE|CACHED|ERROR|sha256|extracting|transferring|exporting|naming|writing)|^Step \d+\/\d+ :|^(?: ---> |Removing intermediate|Sending build context)|^make(?:\[\d+\])?: |^(?:\/\S+\/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|javac|rustc|tsc) -|^ *\[ *\d+(?:%|\/\d+)\] |^\S+:\d+(?::\d+)?: (?:warning|error|note|fatal error):|^\S+\(\d+,\d+\): (?:error|warning) |^(?:warning|error|note)(?:\[\w+\])?: |^ +--> \S+:\d+|^ *\d* \||^ += (?:note|help): |^> Task :|^\[(?:INFO|WARNING|ERROR)\] |^##\[|^::group|^(?:Fetching|Resolving|Linking|Bundling|Built|Building|Creating|Pulling|Extracting|Restored|Restoring) \S/;
/** First or last words of a known tool. */
const SIGNATURE =
  /^={3,} test session starts ={3,}|^={3,} .*\b\d+ (?:passed|failed|errors?|skipped|deselected)\b.* in [\d.]+s|^test result: (?:ok|FAILED)\.|^Tests: +\d.*\btotal|^ *Test Files +\d|^\d+ examples?, \d+ failures?|^(?:ok|FAILED) \| \d+ passed|^Test Suites: +\d|^(?:FAIL|ok {2})\t\S+|^FAIL$|^--- FAIL: |^error: could not compile|^ *Finished `|^npm ERR! |^npm error |^added \d+ packages|^make(?:\[\d+\])?: \*\*\*|^BUILD (?:SUCCESSFUL|FAILED)|^\[INFO\] BUILD |^Successfully (?:built|tagged|installed) |^#\d+ \[internal\] load|^Ran \d+ tests? in |^ *\d+ passing \(|^Found \d+ errors? in |^Process completed with exit code/;
/** Lines of code, of a document or of data. */
const CODE =
  /[;{}]\s*$|^\s*(?:import|export|from|def|class|function|const|let|var|return|public|private|protected|package|fn|impl|use|pub|struct|enum|func|#include|#define|if|for|while|else|elif|try|except)\b.*[:;{(]?\s*$|^\s*(?:\/\/|\/\*|\* |#!)/;
const DOCUMENT =
  /^#{1,6} \S|^\s*[-*] \S|^\s*```|^\s*\d+\. \S|^\s*>+ \S|^\|.*\|$/;
const DATA =
  /^\s*[{}[\]"]|^\s*\d+(?:\t|→|\|)|^[-dlbcps](?:[r-][w-][xsStT-]){3}|^[^\s,]+,[^\s,]*,[^\s,]*(?:,|$)|^<|^\s*[\w-]+: \S+$/;

// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]*m/g;

/** Share of a bounded sample of lines that only a log would hold, against those that only code, documents or data would. */
export const recogniseLog: Recognise = (text) => {
  const lines = indexLines(text);
  let logs = 0;
  let others = 0;
  let seen = 0;
  let signed = false;
  for (const i of sampleOf(lines.count, SAMPLE)) {
    const line = headOf(lines, i);
    if (line.trim() === "") continue;
    seen++;
    if (TIMED.test(line) || LEVELLED.test(line)) logs++;
    else if (TESTED.test(line) || BUILT.test(line)) logs++;
    else if (DOCUMENT.test(line) || DATA.test(line)) others += 1;
    else if (CODE.test(line)) others += 0.5;
    if (i < EDGE || i >= lines.count - EDGE) signed ||= SIGNATURE.test(line);
  }
  if (seen < 3) return 0;
  const share = logs / seen;
  const against = others / seen;
  if (signed && share >= 0.1 && against <= 0.35) return SIGNED;
  if (against > 0.25 || against * 2 > share) return share * 0.5;
  return Math.min(1, 0.5 + share * 0.75);
};

/** The start of a line without colours. */
function headOf(lines: Lines, index: number): string {
  const start = lines.starts[index]!;
  const end = lines.starts[index + 1]! - 1;
  const head = lines.text.slice(start, Math.min(end, start + WIDTH)).trimEnd();
  return head.includes("\x1b") ? head.replace(COLOUR, "") : head;
}
