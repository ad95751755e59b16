/** Pictures, players and formulas: what a reader can know of them from text. @module */
import {
  attributeOf,
  findTag,
  type Page,
  plainTextOf,
  textOf,
} from "./page.ts";
import { shortTarget } from "./links.ts";
import { OTHER, TEXT } from "./tags.ts";
import { clipped, counted } from "./text_size.ts";

/** Words of a drawing that are written out. UTF-16 units. */
const MOST_LABELS = 600;
const LONGEST_ALT = 300;
/** Frames around formulas whose later parts need a sign before them. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  msup: ["^"],
  msub: ["_"],
  mfrac: ["/"],
  msubsup: ["_", "^"],
};

/** A text in the place of a picture, and the characters that are left out with it. */
export interface Graphic {
  /** Empty when nothing is known. */
  readonly text: string;
  /** UTF-16 units of the source. */
  readonly left: number;
}

/** Tells what a picture, player or frame shows. O(nodes). */
export function graphicText(page: Page, node: number): Graphic {
  const tag = page.tags[node]!;
  const size = page.to[node]! - page.from[node]!;
  if (tag === "svg") return { text: drawingText(page, node), left: size };
  if (tag === "img" || tag === "canvas") {
    const alt = attributeOf(page, node, "alt") ||
      attributeOf(page, node, "aria-label");
    const source = attributeOf(page, node, "src") ?? "";
    return {
      text: alt ? `[image: ${clipped(alt, LONGEST_ALT)}]` : "",
      left: source.startsWith("data:") ? source.length : 0,
    };
  }
  const sourceAt = findTag(page, node, "source");
  const source = attributeOf(page, node, "src") ??
    attributeOf(page, node, "data") ??
    (sourceAt < 0 ? undefined : attributeOf(page, sourceAt, "src"));
  const title = attributeOf(page, node, "title");
  const label = title ? `${tag}: ${title}` : tag;
  return {
    text: source && source !== "about:blank"
      ? `[${label}](${shortTarget(source)})`
      : "",
    left: 0,
  };
}

/** Title and words of a drawing. */
function drawingText(page: Page, node: number): string {
  const titleAt = findTag(page, node, "title");
  const title = attributeOf(page, node, "aria-label") ||
    (titleAt < 0 ? "" : plainTextOf(page, titleAt));
  const labels: string[] = [];
  let length = 0;
  let more = 0;
  for (let i = node + 1; i < page.ends[node]!; i++) {
    if (page.tags[i] !== TEXT || !isLabel(page, i)) continue;
    const label = page.texts[i]!.replace(/\s+/g, " ").trim();
    if (label === "") continue;
    length += label.length;
    if (length > MOST_LABELS) more++;
    else labels.push(label);
  }
  if (more > 0) labels.push(`… ${counted(more, "more word")}`);
  const said = [title, labels.join(" · ")].filter((part) => part !== "");
  return said.length === 0 ? "" : `[drawing: ${said.join(": ")}]`;
}

/** Whether a text in a drawing is shown. */
function isLabel(page: Page, node: number): boolean {
  const parent = page.parents[node]!;
  const tag = page.tags[parent]!;
  // A `tspan` is an element that HTML does not have.
  return tag === "text" ||
    (tag === OTHER && page.tags[page.parents[parent]!] === "text");
}

/** A formula: as TeX where the page has it, else its characters with `^`, `_` and `/` between its parts. O(nodes). */
export function mathText(page: Page, node: number): string {
  const source = findTag(page, node, "annotation");
  if (
    source >= 0 && /tex/i.test(attributeOf(page, source, "encoding") ?? "tex")
  ) {
    return `$${textOf(page, source).trim()}$`;
  }
  const parts: string[] = [];
  const counts = new Map<number, number>();
  for (let i = node + 1; i < page.ends[node]!; i++) {
    const parent = page.parents[i]!;
    const signs = SIGNS[page.tags[parent]!];
    if (signs !== undefined && page.tags[i] !== TEXT) {
      const count = counts.get(parent) ?? 0;
      counts.set(parent, count + 1);
      if (count > 0) parts.push(signs[count - 1] ?? " ");
    }
    parts.push(page.texts[i]!.replace(/\s+/g, " "));
  }
  return parts.join("").replace(/ {2,}/g, " ").trim();
}
