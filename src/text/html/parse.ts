/** Parses HTML, however broken, into a tree. @module */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import {
  ATTRIBUTES,
  CELLS,
  ENDS_PARAGRAPH,
  IMPLIED,
  IN_HEAD,
  IN_TABLES,
  OTHER,
  PARAGRAPH,
  tagOf,
  VOIDS,
} from "./tags.ts";

/** Stands for a run of text. */
export const TEXT = "#text";

/** An element or a run of text. */
export interface Node {
  /** Canonical element name, {@linkcode TEXT} or {@linkcode OTHER}. */
  readonly tag: string;
  /** Absent for the root. */
  readonly parent: Node | undefined;
  readonly children: Node[];
  /** Names in small letters, values trimmed; empty for most elements. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Characters of a text, entities decoded; empty for elements. */
  text: string;
  /** Offsets in the source: of its start, and after its end tag. */
  readonly from: number;
  to: number;
  /** Visible characters in it, and those of them in links. */
  visible: number;
  linked: number;
  /** Visible links with a target and a text. */
  links: number;
  /** Bits of what it holds and of what it is, as `regions.ts` names them. */
  holds: number;
  state: number;
}

/** A parsed page. */
export interface Page {
  readonly source: string;
  readonly root: Node;
  /** All nodes in document order, the root first. */
  readonly nodes: readonly Node[];
  /** Length of all comments, in UTF-16 units. */
  readonly comments: number;
}

/** Open elements that are looked at for the one that an end tag ends, and that a start tag ends; deeper ones stay open. */
const FARTHEST_END = 200;
const FARTHEST_IMPLIED = 32;
/** An attribute, or JSON in a script, of this length is data that is named. UTF-16 units. */
export const LEAST_DATA = 500;
const NONE: ReadonlyMap<string, string> = new Map();

/** Builds the tree. Tags that are missing or crossed are repaired nearly as browsers do it. O(n), whatever the nesting. */
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
  readonly #nodes: Node[] = [];
  /** The innermost open element, and those around it, the root first. */
  #top: Node;
  readonly #open: Node[] = [];
  /** How many of each element are open. */
  readonly #openCount = new Map<string, number>();
  #comments = 0;
  #name = "";
  #isKept = false;
  #value = "";
  /** Open `svg` and `math` elements. */
  #foreign = 0;

  constructor(source: string) {
    this.#source = source;
    this.#top = this.#add(OTHER, undefined, 0);
  }

  finish(): Page {
    const [root = this.#top] = this.#nodes;
    while (this.#open.length > 0) this.#pop(this.#source.length);
    root.to = this.#source.length;
    return {
      source: this.#source,
      root,
      nodes: this.#nodes,
      comments: this.#comments,
    };
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  onopentagname(start: number, end: number): void {
    const tag = tagOf(this.#source.slice(start, end));
    if (!IN_HEAD.has(tag) && this.#top.tag === "head") this.#pop(start - 1);
    const own = IMPLIED.get(tag);
    if (own !== undefined) this.#endImplied(own, start - 1);
    if (ENDS_PARAGRAPH.has(tag)) this.#endImplied(PARAGRAPH, start - 1);
    const node = this.#add(tag, this.#top, start - 1);
    this.#openCount.set(tag, (this.#openCount.get(tag) ?? 0) + 1);
    this.#open.push(this.#top);
    this.#top = node;
    if (tag === "svg" || tag === "math") this.#foreign++;
  }

  onattribname(start: number, end: number): void {
    const name = this.#source.slice(start, end);
    this.#name = ATTRIBUTES.has(name) ? name : name.toLowerCase();
    this.#isKept = ATTRIBUTES.has(this.#name);
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const isData = this.#value.length >= LEAST_DATA;
    if (!this.#isKept && !(isData && this.#name.startsWith("data-"))) return;
    const node = this.#top as { attributes: ReadonlyMap<string, string> };
    const attributes = node.attributes === NONE
      ? new Map<string, string>()
      : node.attributes as Map<string, string>;
    if (!attributes.has(this.#name)) {
      attributes.set(this.#name, this.#value.trim());
    }
    node.attributes = attributes;
  }

  onopentagend(end: number): void {
    if (VOIDS.has(this.#top.tag)) this.#pop(end + 1);
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
    let depth = 1;
    for (
      let node: Node | undefined = this.#top;
      node && depth <= FARTHEST_END;
      node = node.parent
    ) {
      if (node.tag === tag && node.parent !== undefined) {
        while (depth-- > 0) this.#pop(to);
        return;
      }
      if (!crossesCells && CELLS.has(node.tag)) return;
      depth++;
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

  #addText(text: string, from: number, to: number): void {
    if (this.#top.tag === "head" && text.trim() !== "") this.#pop(from);
    const last = this.#top.children.at(-1);
    if (last?.tag === TEXT) {
      last.text += text;
      last.to = to;
      return;
    }
    const node = this.#add(TEXT, this.#top, from);
    node.text = text;
    node.to = to;
  }

  #add(tag: string, parent: Node | undefined, from: number): Node {
    const node: Node = {
      tag,
      parent,
      from,
      to: from,
      children: [],
      attributes: NONE,
      text: "",
      visible: 0,
      linked: 0,
      links: 0,
      holds: 0,
      state: 0,
    };
    parent?.children.push(node);
    this.#nodes.push(node);
    return node;
  }

  #pop(to: number): void {
    const node = this.#top;
    const outer = this.#open.pop();
    if (outer === undefined) return;
    node.to = to;
    this.#top = outer;
    this.#openCount.set(node.tag, (this.#openCount.get(node.tag) ?? 1) - 1);
    if (node.tag === "svg" || node.tag === "math") this.#foreign--;
  }

  #endImplied(
    [ends, within]: readonly [ReadonlySet<string>, ReadonlySet<string>],
    to: number,
  ): void {
    let depth = 0;
    let outermost = 0;
    for (
      let node: Node | undefined = this.#top;
      node && depth < FARTHEST_IMPLIED;
      node = node.parent
    ) {
      if (within.has(node.tag)) break;
      depth++;
      if (ends.has(node.tag)) outermost = depth;
    }
    while (outermost-- > 0) this.#pop(to);
  }
}

/** The nodes of a subtree in document order, its root first. O(nodes). */
export function* within(root: Node): Generator<Node> {
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i];
      if (child !== undefined) open.push(child);
    }
  }
}

/** All text in a subtree, as it is. O(nodes). */
export function textOf(node: Node): string {
  const parts: string[] = [];
  for (const { text } of within(node)) if (text !== "") parts.push(text);
  return parts.join("");
}

/** All text in a subtree with runs of white space as one space, trimmed. O(nodes). */
export function plainTextOf(node: Node): string {
  return textOf(node).replace(/\s+/g, " ").trim();
}

/** Value of an attribute; empty when the element has none. */
export function valueOf(node: Node, name: string): string {
  return node.attributes.get(name) ?? "";
}
