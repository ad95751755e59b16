/** A shell line cut into its commands, unread. @module */

/** Words read of one command; the word splitter's cost grows with their square. */
const MAX_WORDS = 64;
/** Longest piece that is handed to the word parser, in UTF-16 units: its cost grows with the square. */
const MAX_PIECE = 2048;

/** Cuts a line at its operators; quotes and substitutions stay whole. */
export class Splitter {
  readonly #text: string;
  #at = 0;
  #piece = "";
  #words = 0;
  #pipeline: string[] = [];
  #pipelines: string[][] = [];
  #heredocs: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  split(): readonly (readonly string[])[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endPipeline();
    return this.#pipelines;
  }

  #step(): void {
    const char = this.#text[this.#at]!;
    if (char === "'" || char === "`") this.#take(this.#quoted(char));
    else if (char === '"') this.#take(doubleQuoted(this.#text, this.#at));
    else if (char === "\\") this.#escape();
    else if ("$<>".includes(char)) this.#special(char);
    else if (char === "#") this.#comment();
    else if ("\n;|&()".includes(char)) this.#operator(char);
    else this.#plain(char);
  }

  #take(end: number): void {
    this.#add(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #add(text: string): void {
    if (this.#words < MAX_WORDS && this.#piece.length < MAX_PIECE) {
      this.#piece += text.slice(0, MAX_PIECE);
    }
  }

  #plain(char: string): void {
    const isSpace = /\s/.test(char);
    if (isSpace && !this.#atWordStart()) this.#words++;
    this.#add(isSpace ? " " : char);
    this.#at++;
  }

  #atWordStart(): boolean {
    return this.#piece === "" || this.#piece.endsWith(" ");
  }

  #quoted(quote: string): number {
    const end = this.#text.indexOf(quote, this.#at + 1);
    return end < 0 ? this.#text.length : end + 1;
  }

  #escape(): void {
    if (this.#text[this.#at + 1] === "\n") this.#at += 2;
    else this.#take(this.#at + 2);
  }

  /** `$(…)`, `<(…)`, redirections and here-documents. */
  #special(char: string): void {
    if (this.#text[this.#at + 1] === "(") {
      // What a substitution prints is not what the command prints.
      this.#add(char === "$" ? "$_" : "-");
      this.#at = closingParenthesis(this.#text, this.#at + 1);
    } else if (this.#text.startsWith("<<<", this.#at)) this.#take(this.#at + 3);
    else if (this.#text.startsWith("<<", this.#at)) this.#heredoc();
    else if (char === "$") this.#take(this.#at + 1);
    else {
      const follow = /^(?:>>|>&|<&|>\||[<>])/.exec(this.#rest())![0];
      this.#words++;
      this.#add(follow.replace("|", ""));
      this.#at += follow.length;
    }
  }

  #rest(): string {
    return this.#text.slice(this.#at, this.#at + 100);
  }

  #heredoc(): void {
    const match = /^<<-?[ \t]*(?:'([^']*)'|"([^"]*)"|\\?([^\s;&|<>()'"]+))/
      .exec(this.#rest());
    const delimiter = match?.slice(1).find((text) => text !== undefined);
    if (delimiter !== undefined) this.#heredocs.push(delimiter);
    this.#at += match?.[0].length ?? 2;
  }

  #comment(): void {
    if (!this.#atWordStart()) {
      // The word splitter would take the rest for a comment.
      this.#add("\\#");
      this.#at++;
      return;
    }
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #operator(char: string): void {
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (two === "&>") {
      this.#add(" >");
      this.#at += this.#text[this.#at + 2] === ">" ? 3 : 2;
    } else if (char === "|" && two !== "||") {
      this.#endPiece();
      this.#at += two === "|&" ? 2 : 1;
    } else if (char === "\n") this.#endLine();
    else {
      this.#endPipeline();
      this.#at += two === "||" || two === "&&" ? 2 : 1;
    }
  }

  /** A line feed after `|` goes on with the pipeline; then the bodies of here-documents are passed over. */
  #endLine(): void {
    if (this.#piece.trim() !== "") this.#endPipeline();
    this.#at++;
    for (const delimiter of this.#heredocs) {
      while (this.#at < this.#text.length) {
        if (this.#nextLine().trim() === delimiter) break;
      }
    }
    this.#heredocs = [];
  }

  #nextLine(): string {
    const start = this.#at;
    const end = this.#text.indexOf("\n", start);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return this.#text.slice(start, end < 0 ? undefined : end);
  }

  #endPiece(): void {
    if (this.#piece.trim() !== "") this.#pipeline.push(this.#piece);
    this.#piece = "";
    this.#words = 0;
  }

  #endPipeline(): void {
    this.#endPiece();
    if (this.#pipeline.length > 0) this.#pipelines.push(this.#pipeline);
    this.#pipeline = [];
  }
}

/** Index behind the quote that closes the one at `start`. */
function doubleQuoted(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

/** Index behind the parenthesis that closes the one at `start`. */
function closingParenthesis(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (char === '"') i = doubleQuoted(text, i) - 1;
    else if (char === "'") {
      const end = text.indexOf("'", i + 1);
      i = end < 0 ? text.length : end;
    } else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return i + 1;
  }
  return text.length;
}
