/** TypeScript source without comments, and on demand without the contents of strings. @module */

/** What to keep. */
export interface CodeTextOptions {
  /** Whether string contents stay; the quotes always do. */
  readonly strings: boolean;
}

/** After one of these a slash starts a regular expression, not a division. */
const BEFORE_REGEX =
  /(?:^|[-+*/%=(,:;!?&|^~<>{}[]|\b(?:return|typeof|case|in|of|void|throw|else|do))$/;

/**
 * Replaces comments, regular expressions and (unless kept) string contents by
 * spaces. Line breaks stay, so line numbers do too. Code inside `${}` of a template is code.
 *
 * A scanner for well-formatted source, not a parser.
 */
export function codeText(source: string, options: CodeTextOptions): string {
  return new CodeScanner(source, options).run();
}

class CodeScanner {
  readonly #source: string;
  readonly #strings: boolean;
  #out = "";
  #at = 0;

  constructor(source: string, options: CodeTextOptions) {
    this.#source = source;
    this.#strings = options.strings;
  }

  run(): string {
    this.#code(undefined);
    return this.#out;
  }

  /** Copies code up to the end, or over the brace that closes a template's `${`. */
  #code(closing: "}" | undefined): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at]!;
      if (char === "{") depth++;
      if (char === "}" && depth-- === 0 && closing) return this.#take(1, true);
      if (char === '"' || char === "'") this.#quoted(char);
      else if (char === "`") this.#template();
      else if (char === "/") this.#slash();
      else this.#take(1, true);
    }
  }

  #slash(): void {
    const rest = this.#source.slice(this.#at, this.#at + 2);
    if (rest === "//") return this.#until(this.#source.indexOf("\n", this.#at));
    if (rest === "/*") {
      return this.#until(this.#source.indexOf("*/", this.#at) + 2);
    }
    if (!BEFORE_REGEX.test(this.#out.slice(-80).trimEnd())) {
      return this.#take(1, true);
    }
    const regex = /\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\//y;
    regex.lastIndex = this.#at;
    const found = regex.exec(this.#source);
    this.#take(found === null ? 1 : found[0].length, found === null);
  }

  #quoted(quote: string): void {
    this.#take(1, true);
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === quote || char === "\n") return this.#take(1, true);
      this.#take(char === "\\" ? 2 : 1, this.#strings);
    }
  }

  #template(): void {
    this.#take(1, true);
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === "`") return this.#take(1, true);
      if (char === "$" && this.#source[this.#at + 1] === "{") {
        this.#take(2, true);
        this.#code("}");
      } else this.#take(char === "\\" ? 2 : 1, this.#strings);
    }
  }

  /** Blanks up to `end`; a negative or zero `end` means the end of the source. */
  #until(end: number): void {
    this.#take((end > this.#at ? end : this.#source.length) - this.#at, false);
  }

  #take(count: number, keep: boolean): void {
    const part = this.#source.slice(this.#at, this.#at + count);
    this.#out += keep ? part : part.replace(/[^\n]/g, " ");
    this.#at += count;
  }
}
