/** What the classes and ids of elements say of them. @module */
import { type Node, valueOf } from "../../text/html/parse.ts";
import { IS_ALERT, IS_EXACT, IS_GUTTER, IS_MISSED } from "./node_bits.ts";

/** A part of a page that usually is not its main text, as a note names it. */
export type Region = keyof typeof REGIONS;

/** Text outside links, in characters, that such a part may have beside the main element, and what its names hold. */
export const REGIONS = {
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
/** Longer lists of names are not read. UTF-16 units. */
const LONGEST_NAMES = 400;
/** Names that are remembered. */
const MOST_KNOWN = 20_000;

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
