/** Which part of a page is its main text, and which parts are only described. @module */
import { type Node, type Page, TEXT, valueOf } from "../../text/html/parse.ts";
import { BLOCKS, HEADINGS, OTHER, UNSEEN } from "../../text/html/tags.ts";

/** The subtree holds a table, a heading, a listing, a field, a first heading, an alert, a picture, a field for a text; not counting its root. */
export const HAS_TABLE = 1;
const HAS_HEADING = 2;
export const HAS_LISTING = 4;
const HAS_FIELD = 8;
const HAS_TITLE = 16;
export const HAS_GRAPHIC = 64;
const HAS_ENTRY = 128;
/** What makes a table a frame for blocks. */
export const HAS_BLOCKS: number = HAS_TABLE | HAS_HEADING | HAS_LISTING;

/** The node is not seen, in a link, hidden until something happens, or in preformatted text. */
export const IS_UNSEEN = 1;
const IS_LINKED = 2;
export const IS_HIDDEN = 4;
export const IS_EXACT = 8;
/** It says that something failed; it is a line number beside code; its code did not run. */
export const IS_ALERT = 16;
export const IS_GUTTER = 32;
export const IS_MISSED = 64;
/** Its own bits, not those of its parent. */
const OWN = IS_ALERT | IS_GUTTER | IS_MISSED;

/** A part of a page that usually is not its main text, as a note names it. */
export type Region = keyof typeof REGIONS;

/** Text outside links, in characters, that such a part may have beside the main element, and what its names hold. */
const REGIONS = {
  "cookie banner": [1500, "cookies?|consent|gdpr|ccpa|onetrust"],
  "share buttons": [100, "share|sharing|social|socials|addthis|sharethis"],
  promotion: [
    400,
    "ads?|advert|advertisement|adverts|sponsor|sponsored|promo|newsletter|subscribe|popup",
  ],
  related: [
    600,
    "related|recommended|recommendations|trending|popular|outbrain|taboola",
  ],
  "table of contents": [
    400,
    "toc|tableofcontents|table-of-contents|on-this-page|outline-nav|subnav",
  ],
  sidebar: [1000, "sidebar|sidenav|sidemenu|rail|widgets?|sphinxsidebar"],
  nav: [
    400,
    "nav|navbar|navigation|navigator|menu|menubar|topbar|breadcrumbs?|topnav|masthead",
  ],
  footer: [1000, "footer|colophon|siteinfo|site-info"],
  header: [400, "site-header|topheader|global-header|page-top"],
  hidden: [0, ""],
  links: [0, ""],
} as const;
const PATTERNS = (Object.keys(REGIONS) as Region[])
  .filter((region) => REGIONS[region][1] !== "")
  .map((region) => [region, part(REGIONS[region][1])] as const);
const BY_NAME: ReadonlyMap<string, Region> = new Map([
  ["nav", "nav"],
  ["footer", "footer"],
  ["aside", "sidebar"],
  ["header", "header"],
  ["navigation", "nav"],
  ["contentinfo", "footer"],
  ["complementary", "sidebar"],
  ["banner", "header"],
]);
const CONTENT = part(
  "content|main|article|post|entry|markdown|markdown-body|story|document|body|prose|readme",
);
const ALERT = part(
  "alert|alerts|error|errors|danger|flash|exception|failure|fatal|errormessage|notice-error",
);
const GUTTER = whole(
  "linenos|linenodiv|lineno|line-numbers|line-numbers-rows|gutter|blob-num|rouge-gutter|hljs-ln-numbers|linenum|code-line-number|" +
    "react-line-number|headerlink|header-anchor|anchorjs-link|hash-link",
);
const MISSED = whole(
  "mis|nc|bnc|cline-no|cstat-no|fstat-no|cbranch-no|uncovered|missed-line|pc|bpc|par|line-no-cov",
);
const CODE_LINE = whole(
  "pln|run|mis|exc|par|blob-code|blob-code-inner|hljs-ln-code|code-line|view-line|react-code-text",
);
const ROWS: ReadonlySet<string> = new Set(["tr", "tbody"]);
const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Longer lists of names are not read. UTF-16 units. */
const LONGEST_NAMES = 400;
/** Names that are remembered. */
const MOST_KNOWN = 20_000;
const FIELDS = new Set(["input", "select", "textarea", "button"]);
/** Their names say nothing about what they are part of. */
const NEVER = new Set([
  "html",
  "body",
  "main",
  "article",
  "p",
  "pre",
  "tr",
  "tbody",
  "thead",
]);
const NAMEABLE = new Set(["div", "section", "td", "article", "main", "center"]);
const OUTERMOST = new Set(["html", "body", "frameset", OTHER]);
/** Inside the main element these stay. */
const NOT_IN_MAIN: ReadonlySet<Region> = new Set<Region>(["header", "footer"]);
/** They need no links to be what their name says. */
const LINKLESS: ReadonlySet<Region> = new Set<Region>([
  "cookie banner",
  "promotion",
  "share buttons",
]);

/** A part shorter than this is not worth a note; what a link and fields cost. UTF-16 units. */
const LEAST_WRITTEN = 120;
const LINK_COST = 20;
const FIELD_COST = 60;

/** What the names of an element say. */
export interface Hint {
  readonly region: Region | undefined;
  readonly isContent: boolean;
  /** Bits of its state. */
  readonly state: number;
}
const NO_HINT: Hint = { region: undefined, isContent: false, state: 0 };

/** Reads the class and id of elements; remembers what it has read. */
export class Hints {
  readonly #known = new Map<string, Hint>();

  /** What they say of one element. */
  of(node: Node): Hint {
    const classes = valueOf(node, "class");
    const id = valueOf(node, "id");
    if (classes === "" && id === "") return NO_HINT;
    const key = id === "" ? classes : `${classes}\0${id}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const said = `${classes} ${id}`;
    if (said.length > LONGEST_NAMES) return NO_HINT;
    const names = said.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
    const hint = {
      region: PATTERNS.find(([, pattern]) => pattern.test(names))?.[0],
      isContent: CONTENT.test(names),
      state: (ALERT.test(names) ? IS_ALERT : 0) |
        (GUTTER.test(names) ? IS_GUTTER : 0) |
        (MISSED.test(names) ? IS_MISSED : 0) |
        (CODE_LINE.test(names) ? IS_EXACT : 0),
    };
    if (this.#known.size < MOST_KNOWN) this.#known.set(key, hint);
    return hint;
  }
}

/** One of the words as a part of a name: `page-nav`, `nav_list`, `nav`. */
function part(list: string): RegExp {
  return new RegExp(`(?:^|[\\s_-])(?:${list})(?=$|[\\s_-])`);
}

/** One of the words as a whole name, as tools give it. */
function whole(list: string): RegExp {
  return new RegExp(`(?:^|\\s)(?:${list})(?=$|\\s)`);
}

/** Counts text, links and structure of all nodes, in one pass down and one up. O(nodes). */
export function measurePage({ nodes }: Page): Hints {
  const hints = new Hints();
  for (const node of nodes) {
    const outer = (node.parent?.state ?? 0) & ~OWN;
    node.state = outer;
    if (node.tag !== TEXT) measureElement(node, hints);
    else if ((outer & (IS_UNSEEN | IS_HIDDEN)) === 0) {
      node.visible = node.text.trim().length;
      if (outer & IS_LINKED) node.linked = node.visible;
    }
  }
  for (let i = nodes.length - 1; i > 0; i--) {
    const node = nodes[i];
    const parent = node?.parent;
    if (node === undefined || parent === undefined) continue;
    if (node.visible === 0 && node.tag === "a") node.links = 0;
    parent.visible += node.visible;
    parent.linked += node.linked;
    parent.links += node.links;
    if ((node.state & (IS_UNSEEN | IS_HIDDEN)) === 0) {
      parent.holds |= node.holds | ownBit(node);
    }
  }
  return hints;
}

function measureElement(node: Node, hints: Hints): void {
  const { tag, attributes } = node;
  if (UNSEEN.has(tag)) node.state |= IS_UNSEEN;
  if (tag === "pre") node.state |= IS_EXACT;
  if (tag === "dialog" && !attributes.has("open")) node.state |= IS_HIDDEN;
  if (attributes.size === 0) return;
  node.state |= hints.of(node).state;
  // Panels behind tabs, and rows of tables, are content that one click shows.
  const isOff = attributes.has("hidden") ||
    HIDDEN_STYLE.test(valueOf(node, "style"));
  const isFolded = ROWS.has(tag) || valueOf(node, "role") === "tabpanel";
  if (isOff && !isFolded) node.state |= IS_HIDDEN;
  if (tag === "a" && attributes.has("href")) {
    node.state |= IS_LINKED;
    if ((node.state & (IS_UNSEEN | IS_HIDDEN)) === 0) node.links = 1;
  }
}

function ownBit(node: Node): number {
  const { tag } = node;
  if (tag === TEXT) {
    return node.state & IS_EXACT && node.text.includes("\n") ? HAS_LISTING : 0;
  }
  if (tag === "table") return HAS_TABLE;
  if (HEADINGS.has(tag)) return HAS_HEADING | (tag === "h1" ? HAS_TITLE : 0);
  if (tag === "img" || tag === "svg") return HAS_GRAPHIC;
  if (!FIELDS.has(tag)) return 0;
  const isEntry = tag === "textarea" || valueOf(node, "type") === "password";
  return HAS_FIELD | (isEntry ? HAS_ENTRY : 0);
}

function proseOf({ visible, linked }: Node): number {
  return visible - linked;
}

/**
 * The element with the main text; `undefined` when nothing marks one and all of the page may be it.
 * A marked element with little of the page's text is not believed. O(nodes).
 */
export function findMain(
  { root, nodes }: Page,
  hints: Hints,
): Node | undefined {
  const total = proseOf(root);
  const holds = (node: Node, share: number) =>
    node.visible > 0 && proseOf(node) >= share * total;
  const isMarked = (node: Node) =>
    node.tag === "main" || valueOf(node, "role") === "main";
  const [best] = nodes.filter(isMarked).sort((a, b) => b.visible - a.visible);
  if (best !== undefined && holds(best, 0.3)) return best;
  const articles = nodes.filter(({ tag }) => tag === "article");
  const around = commonAncestor(articles);
  if (
    around !== undefined && !OUTERMOST.has(around.tag) && holds(around, 0.5)
  ) return around;
  // The innermost one: outer elements of the same name are frames.
  return nodes.findLast((node) =>
    NAMEABLE.has(node.tag) && holds(node, 0.6) && hints.of(node).isContent
  );
}

/** The innermost element that holds all nodes. O(depth × few). */
function commonAncestor(nodes: readonly Node[]): Node | undefined {
  const last = nodes.at(-1);
  let node = nodes[0];
  if (last === undefined) return undefined;
  while (node !== undefined && node.to < last.to) node = node.parent;
  return node;
}

/** The parts that are described in a note; what is not sure to be beside the main text stays. O(nodes). */
export function planRegions(
  page: Page,
  main: Node | undefined,
  hints: Hints,
): Map<Node, Region> {
  const plan = new Map<Node, Region>();
  const around = new Set<Node>([page.root]);
  for (let node = main; node !== undefined; node = node.parent) {
    around.add(node);
  }
  const open = [page.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isInMain = main !== undefined && node.from > main.from &&
      node.to <= main.to;
    const region = around.has(node)
      ? undefined
      : regionOf(page, node, { main, isInMain, hints });
    if (region !== undefined) plan.set(node, region);
    else {
      for (let i = node.children.length - 1; i >= 0; i--) {
        const child = node.children[i];
        if (child !== undefined && child.tag !== TEXT) open.push(child);
      }
    }
  }
  return plan;
}

interface Place {
  readonly main: Node | undefined;
  readonly isInMain: boolean;
  readonly hints: Hints;
}

function regionOf(
  { root }: Page,
  node: Node,
  place: Place,
): Region | undefined {
  const { tag, visible, links, linked } = node;
  if (tag === TEXT || node.state & IS_UNSEEN) return undefined;
  // Hidden elements hold no visible text: what they hold is said by the note itself.
  if (node.state & IS_HIDDEN) return "hidden";
  if (
    (!BLOCKS.has(tag) && tag !== OTHER) || NEVER.has(tag) || HEADINGS.has(tag)
  ) return undefined;
  const size = visible + LINK_COST * links +
    (node.holds & HAS_FIELD ? FIELD_COST : 0);
  if (size < 50 || (visible > 0.6 * root.visible && place.main === undefined)) {
    return undefined;
  }
  const region = nameOf(node, place.hints);
  if (size < LEAST_WRITTEN && region !== "share buttons") return undefined;
  if (region !== undefined) {
    return isAside(root, node, { ...place, region }) ? region : undefined;
  }
  const isGroup = links >= 4 && linked >= 0.7 * visible;
  return isGroup && place.main !== undefined && !place.isInMain
    ? "links"
    : undefined;
}

/** `<aside class="toc">` is what its class says. */
function nameOf(node: Node, hints: Hints): Region | undefined {
  const own = BY_NAME.get(node.tag) ?? BY_NAME.get(valueOf(node, "role"));
  if (own !== undefined && own !== "sidebar") return own;
  return hints.of(node).region ?? own;
}

function isAside(
  root: Node,
  node: Node,
  { main, isInMain, region }: Place & { readonly region: Region },
): boolean {
  if (node.holds & HAS_ENTRY) return false;
  if (region === "header" && node.holds & HAS_TITLE) return false;
  const isLinks = node.linked >= 0.5 * node.visible;
  const isLinkless = LINKLESS.has(region);
  const prose = proseOf(node);
  if (isInMain) {
    if (
      NOT_IN_MAIN.has(region) || node.visible > 0.5 * (main ?? root).visible
    ) return false;
    return isLinks || (isLinkless && prose < REGIONS[region][0]);
  }
  if (isLinks) return true;
  if (main === undefined && !isLinkless && region !== "footer") return false;
  return prose <
    (main === undefined ? REGIONS[region][0] / 2 : REGIONS[region][0]);
}
