/** JSON that a tool cut off: complete elements closed with brackets, what follows kept as it is, and back. @module */
import { skipSpace } from "./layout.ts";
import { endOfNumber, endOfString } from "../../text/json/tokens.ts";

/** Shorter texts are not worth it, and too easily something else. */
const MIN_CHARS = 200;
/** Share of the text that may follow its last complete element. */
const MAX_REST = 0.3;
const MAX_DEPTH = 60;
/** Characters that a notice may have, what stands before it on its line included. */
const MAX_NOTICE = 300;
/** What tools write where they cut. */
const NOTICE =
  /^[\s,]*(?:\.{3}|…|[[(<]{1,3}[^\n]{0,40}(?:truncat|cut|omit|more)|truncated)[^\n]{0,200}\s*$/i;
const ADDED = "\n// cut off here; ";
const ADDED_END = " added above to close it. It went on:\n";

/** A text that was cut off. */
export interface CutOff {
  /** Valid JSON: the complete elements, and brackets that close what was open. */
  readonly closed: string;
  /** The brackets. */
  readonly brackets: string;
  /** What follows the last complete element. */
  readonly rest: string;
}

/** Closes a text that ends in the middle of JSON; `undefined` when it is anything else. Linear, not recursive. */
export function closeCutOff(text: string): CutOff | undefined {
  if (text.length < MIN_CHARS || text.includes(ADDED)) return undefined;
  const walk = new Walk(text);
  if (!walk.run() || walk.open.length > MAX_DEPTH) return undefined;
  const isNear = (end: number) =>
    end > 0 && text.length - end <= text.length * MAX_REST;
  const list = walk.ends.findIndex((end, depth) =>
    isNear(end) && walk.open[depth - 1] !== OBJECT
  );
  const depth = list < 0 ? walk.ends.findIndex(isNear) : list;
  if (depth < 0) return undefined;
  const end = walk.ends[depth]!;
  const [, newline = "", indent = ""] =
    /^\s{0,9}[[{](\r?\n)([ \t]{1,8})/.exec(text) ?? [];
  let closed = text.slice(0, end);
  let brackets = "";
  for (let level = depth - 1; level >= 0; level--) {
    const bracket = walk.open[level] === OBJECT ? "}" : "]";
    closed += newline + indent.repeat(newline === "" ? 0 : level) + bracket;
    brackets += bracket;
  }
  return { closed, brackets, rest: text.slice(end) };
}

/** A form of the closed text, and what followed. */
export function withRest(form: string, { brackets, rest }: CutOff): string {
  return `${form}${ADDED}${brackets || "nothing"}${ADDED_END}${rest}`;
}

/** Takes a text of {@linkcode withRest} apart; `undefined` when nothing was cut off. */
export function splitRest(
  form: string,
): { form: string; brackets: number; rest: string } | undefined {
  const at = form.lastIndexOf(ADDED);
  const start = at + ADDED.length;
  const end = at < 0 ? -1 : form.indexOf(ADDED_END, start);
  if (end < 0) return undefined;
  const brackets = form.slice(start, end);
  return {
    form: form.slice(0, at),
    brackets: brackets === "nothing" ? 0 : brackets.length,
    rest: form.slice(end + ADDED_END.length),
  };
}

/** Takes `count` brackets and the white space before each off the end of a text. */
export function withoutBrackets(text: string, count: number): string {
  let end = text.length;
  for (let i = 0; i < count; i++) {
    end--;
    while (text.charCodeAt(end - 1) <= 32) end--;
  }
  return text.slice(0, end);
}

const OBJECT = 0x7b;
const ARRAY = 0x5b;

/** Walks over JSON to where it breaks off. */
class Walk {
  /** Opening brackets of the containers that are open at the end. */
  readonly open: number[] = [];
  /** By depth: offset after the last complete element; 0 for none. */
  readonly ends: number[] = [0];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the text is JSON up to a place where it ends or a notice says so. */
  run(): boolean {
    const text = this.#text;
    for (;;) {
      this.#at = skipSpace(text, this.#at);
      if (this.#at === text.length) return this.open.length > 0;
      const depth = this.open.length;
      const isClosing = depth > 0 &&
        text.charCodeAt(this.#at) ===
          (this.open[depth - 1] === OBJECT ? 0x7d : 0x5d);
      if (isClosing) {
        this.#at++;
        this.open.pop();
        this.ends.pop();
        this.ends[depth - 1] = this.#at;
        continue;
      }
      if (!this.#element(depth)) {
        return this.open.length > 0 && this.#isCut();
      }
    }
  }

  /** Walks over a comma, a key and a value, or over the opening bracket of one. */
  #element(depth: number): boolean {
    const text = this.#text;
    if (depth > 0 && this.ends[depth]! > 0 && !this.#takes(0x2c)) return false;
    if (this.open[depth - 1] === OBJECT) {
      const end = Math.abs(endOfString(text, this.#at));
      if (text.charCodeAt(this.#at) !== 0x22 || end === 0) return false;
      this.#at = skipSpace(text, end);
      if (!this.#takes(0x3a)) return false;
    }
    const code = text.charCodeAt(this.#at);
    if (code === OBJECT || code === ARRAY) {
      this.#at++;
      this.open.push(code);
      this.ends.push(0);
      return this.open.length < 200;
    }
    if (depth === 0) return false;
    const end = code === 0x22
      ? Math.abs(endOfString(text, this.#at))
      : this.#endOfWord();
    if (end === 0) return false;
    this.#at = this.ends[depth] = end;
    return true;
  }

  #takes(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at = skipSpace(this.#text, this.#at + 1);
    return true;
  }

  /** A number or literal counts only if something follows that ends it. */
  #endOfWord(): number {
    const text = this.#text;
    const word = ["true", "false", "null"].find((one) =>
      text.startsWith(one, this.#at)
    );
    const end = word === undefined
      ? endOfNumber(text, this.#at)
      : this.#at + word.length;
    return /[\s,\]}]/.test(text.charAt(end)) ? end : 0;
  }

  /** Whether what cannot be read reaches the end of the text, a notice aside. */
  #isCut(): boolean {
    const text = this.#text;
    const at = this.#at;
    if (at === text.length) return true;
    if (text.charCodeAt(at) === 0x22) {
      const end = endOfOpenString(text, at);
      return end === text.length ||
        NOTICE.test(text.slice(end, end + MAX_NOTICE));
    }
    const rest = text.slice(at, at + MAX_NOTICE);
    return at + rest.length === text.length &&
      (/^[-+.\w]{0,40}\s*$/.test(rest) || NOTICE.test(rest));
  }
}

/** Offset of the line break or of the end of the text that a string runs into; 0 when it has an end. */
function endOfOpenString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return 0;
    if (code === 0x5c) at++;
    else if (code === 0x0a) return at;
  }
  return text.length;
}
