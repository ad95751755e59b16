/** Writes lines of Markdown-like text: white space, indents, links and rows of tables. @module */

/** Lists and quotes nested deeper get no further indent. */
const DEEPEST = 8;
/** Spans open at once; those opened in more have no effect. */
const MOST_SPANS = 8;

/** Where two words meet that only look apart; a link's end is no letter. */
const WORD_END = /[\p{L}\p{N})\]]$/u;
const WORD_START = /^\p{Lu}/u;

/** A stretch of text with something before and after it, such as a link. */
export interface Span {
  /** Index of its first part; -1 before its first text in a line. */
  at: number;
  /** Makes what stands before and after the text; called once a line that the span has text in. */
  readonly wrap: (text: string) => readonly [string, string];
}

/** Collects inline text into lines. No line is empty. */
export class Writer {
  /** The finished lines. */
  readonly lines: string[] = [];
  /** The line that is being written. */
  #parts: string[] = [];
  /** Whether the line, or the cell, has more than blanks. */
  #hasText = false;
  #isSeam = false;
  /** White space that stands before the next text. */
  #space = "";
  #spans: Span[] = [];
  #indents: string[] = [];
  /** What stands before the first text of the next line: a bullet, a heading's signs. */
  #lead = "";
  /** Texts of the finished cells of the row that is being written. */
  #row: string[] | undefined;
  /** Whether the next text in a cell begins a new line there. */
  #isCellBroken = false;

  /** Whether a row of a table is being written. */
  get isInRow(): boolean {
    return this.#row !== undefined;
  }

  /** Whether nothing of a line is written yet, also no bullet. */
  get isFresh(): boolean {
    return this.#row === undefined && this.#parts.length === 0 &&
      this.#lead === "";
  }

  /** Adds text with its runs of white space as one space; only no-break spaces at the start of a line are all kept. */
  text(text: string): void {
    const collapsed = text.replace(/[ \t\n\r\f]+/g, " ");
    if (collapsed === "") return;
    if (collapsed === " ") {
      this.#space ||= " ";
      return;
    }
    const start = collapsed.startsWith(" ") ? 1 : 0;
    const end = collapsed.length - (collapsed.endsWith(" ") ? 1 : 0);
    if (start > 0) this.#space ||= " ";
    this.#put(this.#withSpaces(collapsed.slice(start, end)));
    if (end < collapsed.length) this.#space ||= " ";
  }

  /** Lets a space stand before the next text if it is a capital letter right after a word. */
  seam(): void {
    this.#isSeam = true;
  }

  /** Adds text whose white space counts; each newline ends the line. */
  exact(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      this.#putExact(text.slice(from, at));
      this.break();
      from = at + 1;
    }
    this.#putExact(text.slice(from));
  }

  /** Opens a span around the following text. */
  open(wrap: Span["wrap"]): Span {
    const span = { at: -1, wrap };
    if (this.#spans.length < MOST_SPANS) this.#spans.push(span);
    return span;
  }

  /** Closes a span and those that were opened in it. */
  close(span: Span): void {
    const index = this.#spans.lastIndexOf(span);
    if (index < 0) return;
    for (let i = this.#spans.length - 1; i >= index; i--) {
      this.#finish(this.#spans[i]!);
    }
    this.#spans.length = index;
  }

  /** Ends the line, or in a cell the line there. */
  break(): void {
    this.#space = "";
    if (this.#row !== undefined) {
      this.#isCellBroken = true;
      return;
    }
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      this.#finish(this.#spans[i]!);
    }
    const text = this.#parts.join("").trimEnd();
    this.#parts = [];
    this.#hasText = false;
    if (text.trim() === "") return;
    this.lines.push(this.#prefix() + text);
    this.#lead = "";
  }

  /** Ends the line and adds finished ones as they are. */
  raw(lines: readonly string[]): void {
    this.break();
    if (lines.length === 0) return;
    if (this.#lead.trim() !== "") this.lines.push(this.#prefix().trimEnd());
    this.#lead = "";
    for (const line of lines) this.lines.push(line);
  }

  /** Puts a bullet or a heading's signs before the next line. */
  lead(lead: string): void {
    this.#lead += lead;
  }

  /** Forgets a lead that found no text. */
  clearLead(): void {
    this.#lead = "";
  }

  /** Ends the line and indents the following ones. */
  indent(by: string): void {
    this.break();
    this.#indents.push(by);
  }

  /** Ends the line and takes the last indent back. */
  outdent(): void {
    this.break();
    this.#indents.pop();
  }

  /** Ends the line and begins a row. */
  startRow(): void {
    this.break();
    this.#row = [];
  }

  /** Ends a cell of the row; returns its text. */
  endCell(): string {
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      this.#finish(this.#spans[i]!);
    }
    const text = this.#parts.join("").trim();
    this.#parts = [];
    this.#hasText = false;
    this.#space = "";
    this.#isCellBroken = false;
    this.#row?.push(text);
    return text;
  }

  /** Ends the row; returns its cells, and writes nothing. */
  endRow(): readonly string[] {
    if (this.#parts.length > 0) this.endCell();
    const row = this.#row ?? [];
    this.#row = undefined;
    this.#space = "";
    this.#isCellBroken = false;
    return row;
  }

  #withSpaces(text: string): string {
    if (!text.includes("\u00a0")) return text;
    const kept = !this.#hasText ? /^\u00a0+/.exec(text)?.[0].length ?? 0 : 0;
    return " ".repeat(kept) +
      text.slice(kept).replace(/ *\u00a0[ \u00a0]*/g, " ");
  }

  #putExact(text: string): void {
    if (text.trim() !== "") this.#put(text.replaceAll("\u00a0", " "));
    else this.#space += text;
  }

  #put(text: string): void {
    if (this.#isSeam) {
      const last = this.#parts.at(-1) ?? "";
      if (WORD_END.test(last) && WORD_START.test(text)) this.#space ||= " ";
      this.#isSeam = false;
    }
    if (this.#isCellBroken) {
      this.#space = this.#hasText ? " / " : "";
      this.#isCellBroken = false;
    }
    if (this.#space !== "") {
      // White space at the start of a line counts only where it is exact.
      if (this.#parts.length > 0 || this.#space.length > 1) {
        this.#parts.push(this.#space);
      }
      this.#space = "";
    }
    for (const span of this.#spans) {
      if (span.at < 0) span.at = this.#parts.push("") - 1;
    }
    this.#parts.push(text);
    this.#hasText ||= text.trim() !== "";
  }

  #finish(span: Span): void {
    if (span.at < 0) return;
    const [before, after] = span.wrap(this.#parts.slice(span.at + 1).join(""));
    this.#parts[span.at] = before;
    this.#parts.push(after);
    span.at = -1;
  }

  #prefix(): string {
    const indent = this.#indents.slice(0, DEEPEST).join("");
    if (this.#lead === "") return indent;
    // The lead of a list's item stands in the item's own indent.
    const outer = /^(?:[-*]|\d+\.) /.test(this.#lead)
      ? this.#indents.slice(0, Math.min(DEEPEST, this.#indents.length - 1))
        .join("")
      : indent;
    return outer + this.#lead;
  }
}
