/** Parses HTML, however broken, into a tree. @module */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Stands for every element whose name is not in HTML. */
export const OTHER = "other";
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

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Elements that begin and end a line of their own. */
export const BLOCKS: ReadonlySet<string> = words(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset " +
    "h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody td " +
    "tfoot th thead tr ul",
);
/** Elements that no reader sees. */
export const UNSEEN: ReadonlySet<string> = words(
  "base datalist head link meta noembed noframes noscript param script source style template track",
);
/** `h1` to `h6`. */
export const HEADINGS: ReadonlySet<string> = words("h1 h2 h3 h4 h5 h6");

const VOIDS = words(
  "area base basefont bgsound br col embed frame hr img input link meta param source track wbr",
);
const INLINE = words(
  "a abbr acronym audio b bdi bdo big button canvas cite code data del dfn em font i iframe ins kbd label map mark marquee math meter nobr " +
    "object output picture progress q rp rt ruby s samp select slot small span strike strong sub sup svg text textarea time title tt u var " +
    "video xmp",
);
const KNOWN = new Map(
  [BLOCKS, UNSEEN, VOIDS, INLINE].flatMap((names) =>
    [...names].map((name) => [name, name] as const)
  ),
);
/** Attributes that are of use, besides long ones with data. */
const ATTRIBUTES = words(
  "class id role href src alt title name type value content property itemprop rel lang hidden style aria-label placeholder checked selected " +
    "disabled required multiple action method datetime colspan rowspan start data-lang data-language data-nosnippet http-equiv label open data encoding",
);
const ENDS_PARAGRAPH = words(
  "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hgroup hr li main menu nav ol p pre section summary table ul",
);
const IN_HEAD = words("base link meta noscript script style template title");
/** An end tag of another element does not end these. */
const CELLS = words("td th caption table");
const IN_TABLES = words("td th tr tbody thead tfoot caption table");
const SECTION = "thead tbody tfoot tr td th caption colgroup";
/** Which open elements an element ends, and ancestors behind which nothing ends. */
const IMPLIED = new Map<
  string,
  readonly [ReadonlySet<string>, ReadonlySet<string>]
>(
  ([
    ["li", "li", "ul ol menu dir table td th"],
    ["dt", "dt dd", "dl table td th"],
    ["dd", "dt dd", "dl table td th"],
    ["tr", "tr td th", "table"],
    ["td", "td th", "tr table"],
    ["th", "td th", "tr table"],
    ["thead", SECTION, "table"],
    ["tbody", SECTION, "table"],
    ["tfoot", SECTION, "table"],
    ["option", "option", "select datalist"],
    ["optgroup", "option optgroup", "select"],
    ["a", "a", "table td th"],
  ] as const).map(([tag, ends, within]) => [tag, [words(ends), words(within)]]),
);
const PARAGRAPH = [
  words("p"),
  words("table td th caption button object"),
] as const;
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

/** The canonical name of an element, whatever its capitals. */
function tagOf(name: string): string {
  return KNOWN.get(name) ?? KNOWN.get(name.toLowerCase()) ?? OTHER;
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
