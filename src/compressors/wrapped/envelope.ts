/** What agents and their tools put around an output: a header, a pair of tags, a reminder at the end. @module */

/** A text in a wrapper. */
export interface Envelope {
  /** Where the inner text starts. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** Number of the inner text's first line in the whole. */
  readonly firstLine: number;
}

/** A header of lines that say how a command went, then the line `Output:`. */
const HEADER =
  /^(?:(?:Chunk ID|Command|Exit code|Wall time|Process exited|Process running|Original token count|Total output lines|Session ID|Status|Duration)\b[^\n]{0,400}\n{1,2}){1,8}(?:Output|Stdout):[ \t]*\n/;
/** The line that Claude Code writes above the output of a command that failed. */
const FAILED = /^(?:Error: )?[Ee]xit code:? -?\d{1,3}\n/;
/** Tags of which one pair holds the output. */
const OPENING =
  /^\s{0,8}(?:<(returncode|exit_code|exitcode|exit)>\s{0,4}-?\d{1,6}\s{0,4}<\/\1>\s{0,4})?<(output|stdout|stderr|tool_result|result|bash-stdout|bash-stderr|local-command-stdout|function_results|response|content|file|document|contents)(?: [^<>\n]{0,200})?>\n?/;
/** A reminder that a client appends to a result. */
const REMINDER = "<system-reminder>";
const REMINDER_END = "</system-reminder>";
/** Longest reminder, in UTF-16 units, and how many there may be. */
const MAX_REMINDER = 4000;
const MAX_REMINDERS = 8;
/** Longest text behind a closing tag, in UTF-16 units. */
const MAX_TAIL = 400;

/** Finds the wrapper of `text`; `undefined` when it has none or nothing is in it. O(n). */
export function envelopeOf(text: string): Envelope | undefined {
  const end = beforeReminder(text);
  const head = text.slice(0, 4096);
  const start = (HEADER.exec(head) ?? FAILED.exec(head))?.[0].length;
  const inner = start !== undefined
    ? { start, end }
    : tagged(text, end) ?? { start: 0, end };
  if (inner.start === 0 && inner.end === text.length) return undefined;
  if (text.slice(inner.start, inner.end).trim() === "") return undefined;
  return { ...inner, firstLine: 1 + newlinesIn(text, inner.start) };
}

/** Offset of the reminders that end the text, and of the blank lines before them. */
function beforeReminder(text: string): number {
  let end = text.length;
  for (let i = 0; i < MAX_REMINDERS; i++) {
    const trimmed = text.slice(Math.max(0, end - MAX_REMINDER), end).trimEnd();
    if (!trimmed.endsWith(REMINDER_END)) return end;
    const at = trimmed.lastIndexOf(REMINDER);
    const start = Math.max(0, end - MAX_REMINDER) + at;
    if (at < 0 || start === 0) return end;
    end = start;
    while (end > 0 && text[end - 1] === "\n") end--;
  }
  return end;
}

function tagged(
  text: string,
  limit: number,
): { readonly start: number; readonly end: number } | undefined {
  const match = OPENING.exec(text.slice(0, 1024));
  if (match === null) return undefined;
  const closing = `</${match[2]}>`;
  const close = text.lastIndexOf(closing, limit);
  const start = match[0].length;
  if (close < start || limit - close > closing.length + MAX_TAIL) {
    return undefined;
  }
  // Another pair inside would be cut in two.
  const inside = text.indexOf(closing, start);
  if (inside !== close) return undefined;
  return { start, end: text[close - 1] === "\n" ? close - 1 : close };
}

function newlinesIn(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end;) {
    count++;
    at = text.indexOf("\n", at + 1);
  }
  return count;
}
