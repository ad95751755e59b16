/** Which part of a page is its main text, and which parts are only described. @module */
import { type Node, type Page, TEXT, valueOf } from "../../text/html/parse.ts";
import {
  BLOCKS,
  FIELDS,
  HEADINGS,
  OTHER,
  UNSEEN,
} from "../../text/html/tags.ts";
import { Hints, type Region, REGIONS } from "./names.ts";
import {
  HAS_ENTRY,
  HAS_FIELD,
  HAS_GRAPHIC,
  HAS_HEADING,
  HAS_LISTING,
  HAS_TABLE,
  HAS_TITLE,
  IS_EXACT,
  IS_HIDDEN,
  IS_LINKED,
  IS_UNSEEN,
  OWN,
} from "./node_bits.ts";

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
const ROWS: ReadonlySet<string> = new Set(["tr", "tbody"]);
const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
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
  const { tag, visible } = node;
  if (tag === TEXT || node.state & IS_UNSEEN) return undefined;
  // Hidden elements hold no visible text: what they hold is said by the note itself.
  if (node.state & IS_HIDDEN) return "hidden";
  if (!mayBePart(tag)) return undefined;
  const size = costOf(node);
  if (size < 50 || (visible > 0.6 * root.visible && place.main === undefined)) {
    return undefined;
  }
  const region = nameOf(node, place.hints);
  if (size < LEAST_WRITTEN && region !== "share buttons") return undefined;
  if (region !== undefined) {
    return isAside(root, node, { ...place, region }) ? region : undefined;
  }
  const isBeside = place.main !== undefined && !place.isInMain;
  return isBeside && isOfLinks(node) ? "links" : undefined;
}

function isOfLinks({ visible, links, linked }: Node): boolean {
  return links >= 4 && linked >= 0.7 * visible;
}

/** What a part is worth, in UTF-16 units of text. */
function costOf({ visible, links, holds }: Node): number {
  return visible + LINK_COST * links + (holds & HAS_FIELD ? FIELD_COST : 0);
}

function mayBePart(tag: string): boolean {
  return (BLOCKS.has(tag) || tag === OTHER) && !NEVER.has(tag) &&
    !HEADINGS.has(tag);
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
