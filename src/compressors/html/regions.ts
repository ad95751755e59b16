/** Which parts of a page are told of in a note instead of being written out. @module */
import type { Region } from "./hints.ts";
import {
  HAS_ENTRY,
  HAS_FIELD,
  HAS_TITLE,
  IS_HIDDEN,
  IS_UNSEEN,
  type Measures,
  proseOf,
} from "./measure.ts";
import { attributeOf, type Page } from "./page.ts";
import { BLOCKS, HEADINGS, TEXT } from "./tags.ts";

/** A part that is shorter than this when written out is not worth a note. UTF-16 units. */
const LEAST_WRITTEN = 120;
const LEAST_SHARE = 50;
/** What a link costs besides its text. UTF-16 units. */
const LINK_COST = 20;
/** What fields cost. UTF-16 units. */
const FIELD_COST = 60;
/** A part with a larger share of all text may be the main text, whatever it is called. */
const MOST_SHARE = 0.6;
/** Share of a part's text that stands in links. */
const MOSTLY_LINKS = 0.5;
const NEARLY_LINKS = 0.7;
/** Links that a part without a name needs to be a group of links. */
const LEAST_LINKS = 4;

/** Text outside links, in characters, that a part beside the main element may have and still be left out. */
const MOST_PROSE: Readonly<Partial<Record<Region, number>>> = {
  nav: 400,
  contents: 400,
  header: 400,
  sidebar: 1000,
  footer: 1000,
  banner: 1500,
  share: 100,
  related: 600,
  promotion: 400,
};

const BY_TAG: Readonly<Record<string, Region>> = {
  nav: "nav",
  footer: "footer",
  aside: "sidebar",
  header: "header",
};
const BY_ROLE: Readonly<Record<string, Region>> = {
  navigation: "nav",
  contentinfo: "footer",
  complementary: "sidebar",
  banner: "header",
};
/** Their names say nothing about what they are part of. */
const NEVER = new Set(
  ["html", "body", "main", "article", "p", "pre", "tr", "tbody", "thead"],
);
/** Inside the main element only these are left out. */
const IN_MAIN: ReadonlySet<Region> = new Set<Region>(
  ["nav", "contents", "share", "promotion", "related", "sidebar", "banner"],
);

/** The parts to leave out, by their node. */
export type Plan = ReadonlyMap<number, Region>;

/**
 * Decides for every part of the page; what is not sure to be beside the main text stays. O(nodes).
 *
 * @param main The element with the main text; 0 when unknown.
 */
export function planRegions(
  page: Page,
  measures: Measures,
  main: number,
): Plan {
  const plan = new Map<number, Region>();
  const mainEnd = main === 0 ? 0 : page.ends[main]!;
  for (let i = 1; i < page.tags.length;) {
    const holdsMain = main > 0 && i <= main && page.ends[i]! >= mainEnd;
    const place = { isInMain: main > 0 && i > main && i < mainEnd, main };
    const region = holdsMain ? undefined : regionAt(page, measures, i, place);
    if (region !== undefined) plan.set(i, region);
    i = region !== undefined || page.tags[i] === TEXT ? page.ends[i]! : i + 1;
  }
  return plan;
}

interface Place {
  readonly isInMain: boolean;
  readonly main: number;
}

function regionAt(
  page: Page,
  measures: Measures,
  node: number,
  place: Place,
): Region | undefined {
  const tag = page.tags[node]!;
  if (tag === TEXT || measures.state[node]! & IS_UNSEEN) return undefined;
  // Hidden elements hold no visible text: what they hold is told by the note itself.
  if (measures.state[node]! & IS_HIDDEN) return "hidden";
  if (!BLOCKS.has(tag) && tag !== "other") return undefined;
  if (NEVER.has(tag) || HEADINGS.has(tag)) return undefined;
  const text = measures.text[node]!;
  const links = measures.links[node]!;
  const fields = measures.holds[node]! & HAS_FIELD ? FIELD_COST : 0;
  const named = nameOf(page, measures, node);
  const least = named === "share" ? LEAST_SHARE : LEAST_WRITTEN;
  if (text + LINK_COST * links + fields < least) return undefined;
  if (text > MOST_SHARE * measures.text[0]! && place.main === 0) {
    return undefined;
  }
  if (named === undefined) {
    return place.main > 0 && !place.isInMain && isLinkGroup(measures, node)
      ? "links"
      : undefined;
  }
  return isAside(measures, node, { ...place, region: named })
    ? named
    : undefined;
}

function nameOf(
  page: Page,
  { hints }: Measures,
  node: number,
): Region | undefined {
  const tag = page.tags[node]!;
  const role = attributeOf(page, node, "role") ?? "";
  const own = BY_TAG[tag] ??
    (Object.hasOwn(BY_ROLE, role) ? BY_ROLE[role] : undefined);
  const named = hints[node]?.region;
  // `<aside class="toc">` is told as what its class says.
  return own === undefined || own === "sidebar" ? named ?? own : own;
}

function isLinkGroup(measures: Measures, node: number): boolean {
  return measures.links[node]! >= LEAST_LINKS &&
    measures.linked[node]! >= NEARLY_LINKS * measures.text[node]!;
}

function isAside(
  measures: Measures,
  node: number,
  { region, isInMain, main }: Place & { region: Region },
): boolean {
  if (measures.holds[node]! & HAS_ENTRY) return false;
  const text = measures.text[node]!;
  const prose = proseOf(measures, node);
  const isLinks = measures.linked[node]! >= MOSTLY_LINKS * text;
  const isLinkless = region === "banner" || region === "promotion" ||
    region === "share";
  if (region === "header" && measures.holds[node]! & HAS_TITLE) return false;
  if (isInMain) {
    if (!IN_MAIN.has(region) || text > MOSTLY_LINKS * measures.text[main]!) {
      return false;
    }
    return isLinks || (isLinkless && prose < MOST_PROSE[region]!);
  }
  if (isLinks) return true;
  if (main === 0 && !isLinkless && region !== "footer") return false;
  const most = MOST_PROSE[region] ?? 0;
  return prose < (main === 0 ? most / 2 : most);
}
