/** How much text, links and structure each part of a page has. @module */
import { type Hint, HintReader } from "./hints.ts";
import { attributeOf, type Page } from "./page.ts";
import { HEADINGS, TEXT, UNSEEN } from "./tags.ts";

/** The subtree holds a table, not counting its root. */
export const HAS_TABLE = 1;
/** It holds a heading. */
export const HAS_HEADING = 2;
/** It holds preformatted text of several lines. */
export const HAS_LISTING = 4;
/** It holds a field of a form. */
export const HAS_FIELD = 8;
/** It holds a heading of the first level. */
export const HAS_TITLE = 16;
/** It holds something that tells of a failure. */
export const HAS_ALERT = 32;
/** It holds a picture. */
export const HAS_GRAPHIC = 64;
/** It holds a field for a password or a longer text. */
export const HAS_ENTRY = 128;

/** No reader sees it. */
export const IS_UNSEEN = 1;
/** It stands in a link. */
const IS_LINKED = 2;
/** It or what it stands in is hidden until something happens. */
export const IS_HIDDEN = 4;
/** It stands in preformatted text. */
export const IS_EXACT = 8;

/** Numbers per node; those of texts are in visible characters, white space at the ends not counted. */
export interface Measures {
  /** Visible characters in the subtree. */
  readonly text: Uint32Array;
  /** Those of them that stand in links. */
  readonly linked: Uint32Array;
  /** Visible links with a target and a text. */
  readonly links: Uint32Array;
  /** `HAS_` bits of what the subtree holds. */
  readonly holds: Uint8Array;
  /** `IS_` bits of the node. */
  readonly state: Uint8Array;
  /** What the names of each element say. */
  readonly hints: (Hint | undefined)[];
}

const FIELDS = new Set(["input", "select", "textarea", "button"]);
const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Measures all nodes in one pass down and one up. O(nodes). */
export function measurePage(page: Page): Measures {
  const count = page.tags.length;
  const measures: Measures = {
    text: new Uint32Array(count),
    linked: new Uint32Array(count),
    links: new Uint32Array(count),
    holds: new Uint8Array(count),
    state: new Uint8Array(count),
    hints: new Array<Hint | undefined>(count).fill(undefined),
  };
  const { text, linked, links, holds, state } = measures;
  const reader = new HintReader();
  for (let i = 1; i < count; i++) {
    if (page.tags[i] === TEXT) measureText(page, measures, i);
    else measureElement(page, measures, { node: i, reader });
  }
  for (let i = count - 1; i > 0; i--) {
    const parent = page.parents[i]!;
    if (text[i] === 0 && page.tags[i] === "a") links[i] = 0;
    text[parent]! += text[i]!;
    linked[parent]! += linked[i]!;
    links[parent]! += links[i]!;
    if ((state[i]! & (IS_UNSEEN | IS_HIDDEN)) === 0) {
      holds[parent]! |= holds[i]! | ownBit(page, measures, i);
    }
  }
  return measures;
}

/** Text that is not in links. */
export function proseOf({ text, linked }: Measures, node: number): number {
  return text[node]! - linked[node]!;
}

function measureText(page: Page, measures: Measures, node: number): void {
  const { state, text, linked } = measures;
  state[node] = state[page.parents[node]!]!;
  if (state[node]! & (IS_UNSEEN | IS_HIDDEN)) return;
  text[node] = page.texts[node]!.trim().length;
  if (state[node]! & IS_LINKED) linked[node] = text[node]!;
}

function measureElement(
  page: Page,
  { state, links, hints }: Measures,
  { node, reader }: { node: number; reader: HintReader },
): void {
  const tag = page.tags[node]!;
  let own = state[page.parents[node]!]!;
  if (UNSEEN.has(tag)) own |= IS_UNSEEN;
  if (tag === "pre") own |= IS_EXACT;
  if (tag === "dialog" && attributeOf(page, node, "open") === undefined) {
    own |= IS_HIDDEN;
  }
  if (page.attributes[node] !== undefined) {
    hints[node] = reader.read(
      attributeOf(page, node, "class"),
      attributeOf(page, node, "id"),
    );
    if (hints[node].isCodeLine) own |= IS_EXACT;
    if (isHidden(page, node)) own |= IS_HIDDEN;
    if (tag === "a" && attributeOf(page, node, "href") !== undefined) {
      own |= IS_LINKED;
      if ((own & (IS_UNSEEN | IS_HIDDEN)) === 0) links[node] = 1;
    }
  }
  state[node] = own;
}

/** Panels behind tabs are content that one click shows. */
function isHidden(page: Page, node: number): boolean {
  const style = attributeOf(page, node, "style");
  const isOff = attributeOf(page, node, "hidden") !== undefined ||
    (style !== undefined && HIDDEN_STYLE.test(style));
  return isOff && attributeOf(page, node, "role") !== "tabpanel";
}

function ownBit(page: Page, { hints, state }: Measures, node: number): number {
  const tag = page.tags[node]!;
  const alert = hints[node]?.isAlert ? HAS_ALERT : 0;
  if (tag === "table") return alert | HAS_TABLE;
  if (HEADINGS.has(tag)) {
    return alert | HAS_HEADING | (tag === "h1" ? HAS_TITLE : 0);
  }
  if (FIELDS.has(tag)) {
    return alert | HAS_FIELD | (isEntry(page, node) ? HAS_ENTRY : 0);
  }
  if (tag === "img" || tag === "svg") return alert | HAS_GRAPHIC;
  if (tag !== TEXT) return alert;
  const isListing = (state[node]! & IS_EXACT) !== 0 &&
    page.texts[node]!.includes("\n");
  return isListing ? HAS_LISTING : 0;
}

function isEntry(page: Page, node: number): boolean {
  return page.tags[node] === "textarea" ||
    attributeOf(page, node, "type") === "password";
}
