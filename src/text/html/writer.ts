/** Writes lines of Markdown-like text: white space, indents, links and rows of tables. @module */

/** Lists and quotes nested deeper get no further indent; spans opened in more of them have no effect. */
const DEEPEST = 8;
/** Where two words meet that only look apart; a link's end is no letter. */
const WORD_END = /[\p{L}\p{N})\]]$/u;
const WORD_START = /^\p{Lu}/u;

/** A stretch of text with something before and after it, such as a link. */
export interface Span {
  /** Index of its first part; -1 before its first text in a line. */
  at: number;
  /** Makes what is before and after the text; called once a line that the span has text in. */
  readonly wrap: (text: string) => readonly [string, string];
}

/** Collects inline text into lines. No line is empty. */
export class Writer {
  /** The finished lines. */
  readonly lines: string[] = [];
  #parts: string[] = [];
  /** Whether the line, or the cell, has more than blanks. */
  #hasText = false;
  #isSeam = false;
  /** White space before the next text. */
  #space = "";
  #spans: Span[] = [];
  #indents: string[] = [];
  /** What is before the first text of the next line: a bullet, a heading's signs. */
  #lead = "";
  /** Texts of the finished cells of the row that is being written. */
  #row: string[] | undefined;
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

  /** Adds text with its runs of white space as one space. */
  text(text: string): void {
    const collapsed = text.replace(/[ \t\n\r\f]+/g, " ");
    if (collapsed === "") return;
    const isApart = collapsed.startsWith(" ");
    const isLast = collapsed.endsWith(" ");
    if (isApart) this.#space ||= " ";
    const said = collapsed.slice(
      isApart ? 1 : 0,
      isLast ? -1 : collapsed.length,
    );
    if (said === "") return;
    this.#put(this.#plain(said));
    if (isLast) this.#space ||= " ";
  }

  /** Lets a space be before the next text if it is a capital letter right after a word. */
  seam(): void {
    this.#isSeam = true;
  }

  /** Adds text whose white space counts; each newline ends the line. */
  exact(text: string): void {
    for (const [i, line] of text.split("\n").entries()) {
      if (i > 0) this.break();
      if (line.trim() !== "") this.#put(line.replaceAll("\u00a0", " "));
      else this.#space += line;
    }
  }

  /** Opens a span around the following text. */
  open(wrap: Span["wrap"]): Span {
    const span = { at: -1, wrap };
    if (this.#spans.length < DEEPEST) this.#spans.push(span);
    return span;
  }

  /** Closes a span and those that were opened in it. */
  close(span: Span): void {
    const index = this.#spans.lastIndexOf(span);
    if (index >= 0) {
      for (const open of this.#spans.splice(index).reverse()) {
        this.#finish(open);
      }
    }
  }

  /** Ends the line, or in a cell the line there. */
  break(): void {
    this.#space = "";
    if (this.#row !== undefined) {
      this.#isCellBroken = true;
      return;
    }
    const text = this.#take().trimEnd();
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

  /** Ends a cell of the row. */
  endCell(): void {
    this.#row?.push(this.#take().trim());
    this.#space = "";
    this.#isCellBroken = false;
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

  /** What is written of the line or cell. */
  #take(): string {
    for (const span of this.#spans.toReversed()) this.#finish(span);
    const text = this.#parts.join("");
    this.#parts = [];
    this.#hasText = false;
    return text;
  }

  /** No-break spaces are kept at the start of a line only. */
  #plain(text: string): string {
    if (!text.includes("\u00a0")) return text;
    const kept = this.#hasText
      ? 0
      : text.length - text.replace(/^\u00a0+/, "").length;
    return " ".repeat(kept) +
      text.slice(kept).replace(/ *\u00a0[ \u00a0]*/g, " ");
  }

  #put(text: string): void {
    if (
      this.#isSeam && WORD_START.test(text) &&
      WORD_END.test(this.#parts.at(-1) ?? "")
    ) this.#space ||= " ";
    this.#isSeam = false;
    if (this.#isCellBroken) this.#space = this.#hasText ? " / " : "";
    this.#isCellBroken = false;
    // White space at the start of a line counts only where it is exact.
    if (
      this.#space !== "" && (this.#parts.length > 0 || this.#space.length > 1)
    ) this.#parts.push(this.#space);
    this.#space = "";
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
    // The lead of a list's item is in the item's own indent.
    const isItem = /^(?:[-*]|\d+\.) /.test(this.#lead);
    const depth = Math.min(DEEPEST, this.#indents.length - (isItem ? 1 : 0));
    return this.#indents.slice(0, depth).join("") + this.#lead;
  }
}
