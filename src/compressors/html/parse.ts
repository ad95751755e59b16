/** Parses HTML, however broken, into a flat tree. @module */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { type DataAttribute, keptAttribute, type Page } from "./page.ts";
import { impliedBy, OTHER, tagOf, TEXT, VOIDS } from "./tags.ts";

/** Open elements that are looked at for the one that an end tag ends; deeper ones stay open. */
const FARTHEST_END = 200;
/** Open elements that are looked at for one that a start tag ends. */
const FARTHEST_IMPLIED = 32;
/** A data attribute of this length is told of. UTF-16 units. */
const LEAST_DATA = 500;
/** An end tag of another element does not end these. */
const CELLS = new Set(["td", "th", "caption", "table"]);
/** Anything else ends the head of a page. */
const IN_HEAD = new Set(
  "base link meta noscript script style template title".split(" "),
);
const IN_TABLES = new Set([
  "td",
  "th",
  "tr",
  "tbody",
  "thead",
  "tfoot",
  "caption",
  "table",
]);

/**
 * Builds the tree. Tags that are missing or crossed are repaired nearly as browsers do it. O(n) time, whatever the nesting.
 *
 * @param source HTML; a fragment will do.
 */
export function parseHtml(source: string): Page {
  const isXhtml = /^\s*(?:<\?xml|<!DOCTYPE[^>]{0,80}XHTML)/i.test(
    source.slice(0, 400),
  );
  const builder = new TreeBuilder(source);
  const tokenizer = new Tokenizer({
    decodeEntities: true,
    recognizeSelfClosing: isXhtml,
  }, builder);
  tokenizer.write(source);
  tokenizer.end();
  return builder.finish();
}

class TreeBuilder implements TokenizerCallbacks {
  readonly #source: string;
  readonly #tags: string[] = [OTHER];
  readonly #parents: number[] = [0];
  readonly #ends: number[] = [0];
  readonly #from: number[] = [0];
  readonly #to: number[] = [0];
  readonly #texts: string[] = [""];
  readonly #attributes: (string[] | undefined)[] = [undefined];
  /** Open elements, the root first. */
  readonly #open: number[] = [0];
  /** How many of each element are open. */
  readonly #openCount = new Map<string, number>();
  readonly #blobs: DataAttribute[] = [];
  #comments = 0;
  /** Name of the attribute that is being read, if it is of use. */
  #name: string | undefined;
  #value = "";
  /** Open `svg` and `math` elements. */
  #foreign = 0;

  constructor(source: string) {
    this.#source = source;
  }

  finish(): Page {
    while (this.#open.length > 0) this.#pop(this.#source.length);
    return {
      source: this.#source,
      tags: this.#tags,
      parents: this.#parents,
      ends: this.#ends,
      from: this.#from,
      to: this.#to,
      texts: this.#texts,
      attributes: this.#attributes,
      blobs: this.#blobs,
      comments: this.#comments,
    };
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  onopentagname(start: number, end: number): void {
    const tag = tagOf(this.#source.slice(start, end));
    if (!IN_HEAD.has(tag)) this.#endHead(start - 1);
    for (const { ends, within } of impliedBy(tag)) {
      this.#endImplied(ends, within, start - 1);
    }
    this.#push(tag, start - 1);
    this.#openCount.set(tag, (this.#openCount.get(tag) ?? 0) + 1);
    this.#open.push(this.#tags.length - 1);
    if (tag === "svg" || tag === "math") this.#foreign++;
  }

  onattribname(start: number, end: number): void {
    const name = this.#source.slice(start, end);
    this.#name = keptAttribute(name) ??
      (name.startsWith("data-") ? name : undefined);
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#name !== undefined) this.#value += this.#source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#name !== undefined) {
      this.#value += String.fromCodePoint(codePoint);
    }
  }

  onattribend(): void {
    const name = this.#name;
    if (name === undefined) return;
    const node = this.#open.at(-1)!;
    if (keptAttribute(name) !== undefined) {
      (this.#attributes[node] ??= []).push(name, this.#value);
    } else if (this.#value.length >= LEAST_DATA) {
      this.#blobs.push({ node, name, value: this.#value });
    }
    this.#name = undefined;
    this.#value = "";
  }

  onopentagend(end: number): void {
    if (VOIDS.has(this.#tags[this.#open.at(-1)!]!)) this.#pop(end + 1);
  }

  onselfclosingtag(end: number): void {
    this.#pop(end + 1);
  }

  onclosetag(start: number, end: number): void {
    const tag = tagOf(this.#source.slice(start, end));
    const close = this.#source.indexOf(">", end);
    const to = close < 0 ? this.#source.length : close + 1;
    if ((this.#openCount.get(tag) ?? 0) === 0) return;
    const crossesCells = IN_TABLES.has(tag);
    const last = Math.max(1, this.#open.length - FARTHEST_END);
    for (let i = this.#open.length - 1; i >= last; i--) {
      const open = this.#tags[this.#open[i]!]!;
      if (open === tag) {
        while (this.#open.length > i) this.#pop(to);
        return;
      }
      if (!crossesCells && CELLS.has(open)) return;
    }
  }

  ontext(start: number, end: number): void {
    this.#addText(this.#source.slice(start, end), start, end);
  }

  ontextentity(codePoint: number, end: number): void {
    this.#addText(String.fromCodePoint(codePoint), end, end);
  }

  oncdata(start: number, end: number, offset: number): void {
    this.ontext(start, end - offset);
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#comments += end - offset - start + "<!---->".length;
  }

  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  /** The end tag of a head may be missing. */
  #endHead(to: number): void {
    if (this.#tags[this.#open.at(-1)!] === "head") this.#pop(to);
  }

  #addText(text: string, from: number, to: number): void {
    if (this.#tags[this.#open.at(-1)!] === "head" && text.trim() !== "") {
      this.#endHead(from);
    }
    const last = this.#tags.length - 1;
    if (
      this.#tags[last] === TEXT && this.#parents[last] === this.#open.at(-1)
    ) {
      this.#texts[last]! += text;
      this.#to[last] = to;
      return;
    }
    this.#push(TEXT, from);
    this.#texts[last + 1] = text;
    this.#ends[last + 1] = last + 2;
    this.#to[last + 1] = to;
  }

  #push(tag: string, from: number): void {
    this.#tags.push(tag);
    this.#parents.push(this.#open.at(-1)!);
    this.#ends.push(0);
    this.#from.push(from);
    this.#to.push(0);
    this.#texts.push("");
    this.#attributes.push(undefined);
  }

  #pop(to: number): void {
    const node = this.#open.pop()!;
    const tag = this.#tags[node]!;
    this.#ends[node] = this.#tags.length;
    this.#to[node] = to;
    if (node === 0) return;
    this.#openCount.set(tag, this.#openCount.get(tag)! - 1);
    if (tag === "svg" || tag === "math") this.#foreign--;
  }

  #endImplied(
    ends: ReadonlySet<string>,
    within: ReadonlySet<string>,
    to: number,
  ): void {
    const last = Math.max(1, this.#open.length - FARTHEST_IMPLIED);
    let outermost = -1;
    for (let i = this.#open.length - 1; i >= last; i--) {
      const tag = this.#tags[this.#open[i]!]!;
      if (within.has(tag)) break;
      if (ends.has(tag)) outermost = i;
    }
    if (outermost < 0) return;
    while (this.#open.length > outermost) this.#pop(to);
  }
}
