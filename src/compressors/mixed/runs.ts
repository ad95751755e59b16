/** Runs of lines in a user's text that nobody types. What is left out of them was printed, not said. @module */
import { lineAt, lineEnd, type Lines, lineStart } from "../../text/lines.ts";

/** A stretch of a text. */
export interface Stretch {
  /** Offset of its first UTF-16 unit. */
  readonly start: number;
  /** Offset behind its last one. */
  readonly end: number;
  /** Index of its first line, from 0. */
  readonly line: number;
  /** File that it comes from; empty when unknown. */
  readonly path: string;
}

/** Whether a line was typed, as far as it tells. */
type Sign = "blank" | "printed" | "words" | "speech";

/** UTF-16 units of a line that are looked at. */
const HEAD = 300;
/** Paragraphs of fewer lines are no part of a run that they begin or end: they may be a user's. */
const FEW_LINES = 3;
/** Share of signs and digits from which a line is no sentence. */
const SIGNS = 0.22;

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,3}[.)])\s+\S/;
/** How printed lines begin. */
const PRINTED =
  /^(?:\s+\S|\t|[[\]{}|]|<\/?[a-zA-Z!?]|@@ |[+-](?![\s-])|(?:diff --git|index [0-9a-f]{7}|---|\+\+\+) |at [\w$.<(]+[.(]|File "|Traceback \(|Caused by: |During handling of |The above exception |[\w.$]+(?:Error|Exception)\b|\d{2,4}[-/:.]\d\d|(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|PASS|FAIL|ok|not ok)\b[ :[\]]|[\w./\\@-]+:\d+[:-])/;
/** A word of loggers, columns, or cells. */
const COLUMNS =
  /\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|ERR!)|\S {2,}\S+ {2,}\S|\t|(?:,(?=\S)[^,]*){3}|^\S+(?:,\S+| {2,}\S+)$/;
/** What people say, and programs hardly do. */
const SPEECH =
  /[?:]\s*$|^\s*(?:please|pls|why|how|what|can you|could you|would you|help|hi|hello|thanks|i|i'm|i've|we|my|our|you|here|fix|explain|tell me|look|see)\b[ ,'’]|\b(?:please|can you|could you)\b|\bI (?=[a-z])/;
const SIGN = /[^\p{L}\p{M}\s]/gu;

/** Says who may have written a line. */
export function signOf(line: string): Sign {
  const head = line.slice(0, HEAD);
  if (head.trim() === "") return line.trim() === "" ? "blank" : "printed";
  if (LIST_ITEM.test(head)) return SPEECH.test(head) ? "speech" : "words";
  if (PRINTED.test(head) || COLUMNS.test(head)) return "printed";
  if (SPEECH.test(head)) return "speech";
  const signs = head.match(SIGN)?.length ?? 0;
  return signs >= SIGNS * head.replace(/\s/g, "").length ? "printed" : "words";
}

/** Lines of a run that follow each other without a blank one. */
interface Paragraph {
  readonly first: number;
  readonly last: number;
}

/** Collects lines, one behind the other, and cuts them into runs. Each begins and ends with a printed line. */
export class Runs {
  readonly #lines: Lines;
  readonly #closed: Stretch[] = [];
  #paragraphs: Paragraph[] = [];
  /** The paragraph that is being read: its printed lines, and whether something else stands before or behind them. */
  #first = -1;
  #last = -1;
  #hasWords = false;
  #path = "";
  readonly #hunk = new Hunk();

  /** Cuts `lines`. */
  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Adds a line of the document `path`. */
  add(line: number, path: string): void {
    this.#take(line, signOf(lineAt(this.#lines, line)), path);
  }

  /** Adds a line of the document `path` if it is one of a change in a diff, whatever it looks like. @returns Whether it is. */
  addChange(line: number, path: string): boolean {
    const isChange = this.#hunk.takes(lineAt(this.#lines, line));
    if (isChange) this.#take(line, "printed", path);
    return isChange;
  }

  /** Adds lines that are known to be printed. */
  addAll(from: number, to: number, path: string): void {
    for (let line = from; line <= to; line++) this.#take(line, "printed", path);
  }

  /** Ends the run at a line that is none of it. @returns The runs since the last call. */
  close(): readonly Stretch[] {
    this.#endParagraph();
    this.#endRun();
    return this.#closed.splice(0);
  }

  #take(line: number, sign: Sign, path: string): void {
    if (path !== this.#path) {
      this.#endParagraph();
      this.#endRun();
      this.#path = path;
    }
    switch (sign) {
      case "blank":
        this.#endParagraph();
        return;
      case "speech":
        this.#endParagraph();
        this.#endRun();
        return;
      case "words":
        // Words before the first printed line of a paragraph end the run before them.
        if (this.#first < 0) this.#endRun();
        this.#hasWords = true;
        return;
      case "printed":
        if (this.#first < 0) this.#first = line;
        this.#last = line;
        this.#hasWords = false;
    }
  }

  #endParagraph(): void {
    const hasWords = this.#hasWords;
    if (this.#first >= 0) {
      this.#paragraphs.push({ first: this.#first, last: this.#last });
    }
    this.#first = this.#last = -1;
    this.#hasWords = false;
    if (hasWords) this.#endRun();
  }

  #endRun(): void {
    const paragraphs = this.#paragraphs;
    this.#paragraphs = [];
    const isLong = ({ first, last }: Paragraph) =>
      last - first + 1 >= FEW_LINES;
    const from = paragraphs.find(isLong) ?? paragraphs[0];
    const to = paragraphs.findLast(isLong) ?? paragraphs.at(-1);
    if (from === undefined || to === undefined) return;
    const start = lineStart(this.#lines, from.first);
    const end = lineEnd(this.#lines, to.last);
    this.#closed.push({ start, end, line: from.first, path: this.#path });
  }
}

/** Lines of a change, which may be sentences: its header says how many there are. */
class Hunk {
  #old = 0;
  #new = 0;

  /** Takes the next line. @returns Whether it belongs to a change. */
  takes(line: string): boolean {
    const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (header !== null) {
      this.#old = Number(header[1] ?? 1);
      this.#new = Number(header[2] ?? 1);
      return true;
    }
    if (this.#old <= 0 && this.#new <= 0) return false;
    const [sign = " "] = line;
    const isChange = /[ +\\-]/.test(sign);
    this.#old = isChange ? this.#old - (/[ -]/.test(sign) ? 1 : 0) : 0;
    this.#new = isChange ? this.#new - (/[ +]/.test(sign) ? 1 : 0) : 0;
    return isChange;
  }
}
