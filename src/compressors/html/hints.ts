/** What the names of classes and ids say about an element. @module */

/** A part of a page that usually is not its main text. */
export type Region =
  | "nav"
  | "contents"
  | "header"
  | "footer"
  | "sidebar"
  | "banner"
  | "share"
  | "related"
  | "promotion"
  | "hidden"
  | "links";

/** What is known from the names of one element. */
export interface Hint {
  /** The part it may be. */
  readonly region: Region | undefined;
  /** Whether it may hold the main text. */
  readonly isContent: boolean;
  /** Whether it tells of a failure. */
  readonly isAlert: boolean;
  /** Whether it is the numbers beside a listing of code. */
  readonly isGutter: boolean;
  /** Whether a coverage report says that its code did not run. */
  readonly isMissed: boolean;
  /** Whether its white space counts. */
  readonly isCodeLine: boolean;
  /** Whether it is the number before a line of code. */
  readonly isLineNumber: boolean;
}

const NOTHING: Hint = {
  region: undefined,
  isContent: false,
  isAlert: false,
  isGutter: false,
  isMissed: false,
  isCodeLine: false,
  isLineNumber: false,
};

const REGIONS: readonly (readonly [Region, RegExp])[] = [
  ["banner", part("cookies?|consent|gdpr|ccpa|onetrust")],
  ["share", part("share|sharing|social|socials|addthis|sharethis")],
  [
    "promotion",
    part(
      "ad|ads|advert|advertisement|adverts|sponsor|sponsored|promo|newsletter|subscribe|popup",
    ),
  ],
  [
    "related",
    part(
      "related|recommended|recommendations|trending|popular|outbrain|taboola",
    ),
  ],
  [
    "contents",
    part(
      "toc|tableofcontents|table-of-contents|on-this-page|outline-nav|subnav",
    ),
  ],
  ["sidebar", part("sidebar|sidenav|sidemenu|rail|widgets?|sphinxsidebar")],
  [
    "nav",
    part(
      "nav|navbar|navigation|navigator|menu|menubar|topbar|breadcrumbs?|topnav|masthead",
    ),
  ],
  ["footer", part("footer|colophon|siteinfo|site-info")],
  ["header", part("site-header|topheader|global-header|page-top")],
];
const CONTENT = part(
  "content|main|article|post|entry|markdown|markdown-body|story|document|body|prose|readme",
);
const ALERT = part(
  "alert|alerts|error|errors|danger|flash|exception|failure|fatal|errormessage|notice-error",
);
/** Names that tools give, as a whole. */
const GUTTER = names(
  "linenos linenodiv lineno line-numbers line-numbers-rows gutter blob-num rouge-gutter hljs-ln-numbers linenum " +
    "code-line-number react-line-number headerlink header-anchor anchorjs-link hash-link",
);
const MISSED = names(
  "mis nc bnc cline-no cstat-no fstat-no cbranch-no lineNoCov uncovered missed-line",
);
const PARTLY = names("pc bpc par");
const CODE_LINE = names(
  "pln run mis exc par blob-code blob-code-inner hljs-ln-code code-line CodeMirror-line view-line react-code-text",
);

/** Names remembered at once; more are read anew. */
const MOST_REMEMBERED = 20_000;
/** Longer lists of names are not read. UTF-16 units. */
const LONGEST = 400;

/** Reads the names of elements; remembers what it has read. */
export class HintReader {
  readonly #known = new Map<string, Hint>();

  /** What the `class` and `id` of an element say. */
  read(classes: string | undefined, id: string | undefined): Hint {
    if (!classes && !id) return NOTHING;
    const key = `${classes ?? ""} ${id ?? ""}`;
    if (key.length > LONGEST) return NOTHING;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const hint = hintOf(key);
    if (this.#known.size < MOST_REMEMBERED) this.#known.set(key, hint);
    return hint;
  }
}

function hintOf(key: string): Hint {
  const spaced = key.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  const tokens = key.split(/\s+/);
  const has = (list: ReadonlySet<string>) => tokens.some((t) => list.has(t));
  return {
    region: REGIONS.find(([, pattern]) => pattern.test(spaced))?.[0],
    isContent: CONTENT.test(spaced),
    isAlert: ALERT.test(spaced),
    isGutter: has(GUTTER),
    isMissed: has(MISSED) || has(PARTLY),
    isCodeLine: has(CODE_LINE),
    isLineNumber: key === "n ",
  };
}

/** One of the words as a part of a name: `page-nav`, `nav_list`, `nav`. */
function part(words: string): RegExp {
  return new RegExp(`(?:^|[\\s_-])(?:${words})(?=$|[\\s_-])`);
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
