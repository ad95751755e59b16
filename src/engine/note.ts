/**
 * The notes that stand for what was left out, of all kinds: how they are written, and finding them again.
 *
 *     … line 7 omitted
 *     … lines 3-9 omitted (2 warnings)
 *     text … [2 sentences omitted] … text
 *     … (repeated 12 times)
 *
 * @module
 */

/** What a note says is missing. */
export interface Missing {
  /** First one missing, as a reader counts. */
  readonly first: number;
  /** Last one missing. */
  readonly last: number;
  /** What is counted, in the plural; default `lines`. */
  readonly noun?: string;
}

/** `lines 3-9`, `line 7`, `rows 1-40`. */
export function rangeText({ first, last, noun = "lines" }: Missing): string {
  return first === last
    ? `${noun.slice(0, -1)} ${first}`
    : `${noun} ${first}-${last}`;
}

/** A note that takes a line of its own. @param missing What is missing, or in which words. @param label What is in the gap; may be empty. */
export function lineNote(missing: Missing | string, label = ""): string {
  const said = label === "" ? "" : ` (${label})`;
  const what = typeof missing === "string" ? missing : rangeText(missing);
  return `… ${what} omitted${said}`;
}

/** A note within a line. @param what As {@linkcode rangeText} or {@linkcode countText} say it. */
export function inlineNote(what: string, label = ""): string {
  const said = label === "" ? "" : ` (${label})`;
  return `… [${what} omitted${said}]`;
}

/** `1 sentence`, `3 sentences`, `41,234 characters`. */
export function countText(count: number, noun: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${digits} ${count === 1 ? noun.slice(0, -1) : noun}`;
}

/** A note on a line of its own about lines that follow from others: `… (repeated 3 times)`. */
export function foldNote(said: string): string {
  return `… (${said})`;
}

/** `… (repeated 3 times)`: the line before it, so often in all. */
export function repeatedNote(times: number): string {
  return foldNote(`repeated ${times} times`);
}

/** Lines that were there before. */
export interface Again extends Missing {
  /** How often they come now. */
  readonly times: number;
  /** How they begin, in words; empty where their numbers say enough. */
  readonly quoted: string;
}

/** `… (lines 3-9 again, 2 times)`, `… (line 7 again: "how it begins")`: lines that were there before. */
export function againNote({ times, quoted, ...missing }: Again): string {
  const again = `${rangeText(missing)} again`;
  const said = times === 1 ? again : `${again}, ${times} times`;
  return foldNote(quoted === "" ? said : `${said}: "${quoted}"`);
}

/** A note about lines, read back. */
export type LineNote =
  | { readonly type: "omitted"; readonly first: number; readonly last: number }
  | { readonly type: "repeated"; readonly times: number }
  | {
    readonly type: "again";
    readonly first: number;
    readonly last: number;
    readonly times: number;
  };

const OMITTED = /… lines? (\d+)(?:-(\d+))? omitted/;
const REPEATED = /^… \(repeated (\d+) times\)$/;
const AGAIN =
  /^… \(lines? (\d+)(?:-(\d+))? again(?:, (\d+) times)?(?:: ".*")?\)$/;

/** Reads the note in a line, as {@linkcode lineNote}, {@linkcode repeatedNote} and {@linkcode againNote} write it; `undefined` where none is. */
export function readLineNote(line: string): LineNote | undefined {
  if (!line.includes("… ")) return undefined;
  const repeated = REPEATED.exec(line);
  if (repeated !== null) {
    return { type: "repeated", times: Number(repeated[1]) };
  }
  const again = AGAIN.exec(line);
  const [, first, last = first, times = 1] = again ?? OMITTED.exec(line) ?? [];
  if (first === undefined) return undefined;
  const range = { first: Number(first), last: Number(last) };
  return again === null
    ? { type: "omitted", ...range }
    : { type: "again", ...range, times: Number(times) };
}

/** Any of these, at the start of a line or within one, and a marker of ours or of another producer. */
const NOTE =
  /^[ \t]*(?:(?:#|\/\/|\*|--)[ \t]*)?… (?:\(|(?:(?:the )?(?:(?:(?:old )?lines?|rows?|items?|keys?) )?\d|omitted: |[\w ,]{1,40} \d+ paths))|… \[?(?:lines? [\d-]+|[\d,]+ \w+) omitted|^@@+ .*… \d+ (?:unchanged|context lines?)$|Retrieve more: hash=|<<ccr:/gm;
/** A marker in the last line: the text is a form already. */
const SEALED = /retrieve [a-z ]{1,20}: hash=|<<ccr:/i;

/** Offsets of the notes and markers that a text holds before it is compressed, ascending, at most one a line. O(n). */
export function notesIn(text: string): readonly number[] {
  if (
    !text.includes("… ") && !text.includes("hash=") && !text.includes("<<ccr:")
  ) {
    return [];
  }
  const found: number[] = [];
  for (const { index } of text.matchAll(NOTE)) found.push(index);
  return found;
}

/** Whether a text is a form already: its notes and its marker are one, and none of it may change. */
export function isSealed(text: string): boolean {
  const last = text.trimEnd();
  return SEALED.test(last.slice(last.lastIndexOf("\n") + 1));
}
