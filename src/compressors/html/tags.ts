/** What the name of an element alone says. @module */

/** Stands for every element whose name is not in HTML. */
export const OTHER = "other";
/** Stands for a run of text. */
export const TEXT = "#text";

const words = (list: string): readonly string[] => list.split(" ");

/** Begins and ends a line of its own. */
const BLOCK_NAMES = words(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre " +
    "search section summary table tbody td tfoot th thead tr ul",
);
const VOID_NAMES = words(
  "area base basefont bgsound br col embed frame hr img input link meta param source track wbr",
);
const UNSEEN_NAMES = words(
  "base datalist head link meta noembed noframes noscript param script source style template track",
);
const INLINE_NAMES = words(
  "a abbr acronym annotation audio b bdi bdo big button canvas cite code data datalist del desc dfn em font foreignobject i " +
    "iframe ins kbd label map mark marquee math mfrac mi mn mo mrow msub msubsup msup mtext math meter nobr noembed noframes " +
    "noscript object output picture progress q rp rt ruby s samp script select semantics slot small span strike strong style " +
    "sub sup svg template text textarea time title tt u var video xmp",
);

const KNOWN = new Map(
  [BLOCK_NAMES, VOID_NAMES, UNSEEN_NAMES, INLINE_NAMES].flat()
    .map((name) => [name, name] as const),
);

/** Elements that begin and end a line of their own. */
export const BLOCKS: ReadonlySet<string> = new Set(BLOCK_NAMES);
/** Elements without an end tag. */
export const VOIDS: ReadonlySet<string> = new Set(VOID_NAMES);
/** Elements that no reader sees. */
export const UNSEEN: ReadonlySet<string> = new Set(UNSEEN_NAMES);
/** `h1` to `h6`. */
export const HEADINGS: ReadonlySet<string> = new Set(
  words("h1 h2 h3 h4 h5 h6"),
);

/** Elements that end an open paragraph. */
const ENDS_PARAGRAPH = new Set(
  words(
    "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 " +
      "h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table ul",
  ),
);

/** Which open elements an element ends, and where the search for them stops. */
export interface Implied {
  /** Open elements that end. */
  readonly ends: ReadonlySet<string>;
  /** Ancestors behind which nothing ends. */
  readonly within: ReadonlySet<string>;
}

const PARAGRAPH: readonly Implied[] = [{
  ends: new Set(["p"]),
  within: new Set(words("table td th caption button object")),
}];
const IMPLIED: ReadonlyMap<string, readonly Implied[]> = new Map([
  implied("li", "li", "ul ol menu dir table td th"),
  implied("dt", "dt dd", "dl table td th"),
  implied("dd", "dt dd", "dl table td th"),
  implied("tr", "tr td th", "table"),
  implied("td", "td th", "tr table"),
  implied("th", "td th", "tr table"),
  implied("thead", "thead tbody tfoot tr td th caption colgroup", "table"),
  implied("tbody", "thead tbody tfoot tr td th caption colgroup", "table"),
  implied("tfoot", "thead tbody tfoot tr td th caption colgroup", "table"),
  implied("option", "option", "select datalist"),
  implied("optgroup", "option optgroup", "select"),
  implied("a", "a", "table td th"),
]);
const NOTHING: readonly Implied[] = [];

/** The canonical name of an element, whatever its capitals; {@linkcode OTHER} if HTML does not have it. */
export function tagOf(name: string): string {
  return KNOWN.get(name) ?? KNOWN.get(name.toLowerCase()) ?? OTHER;
}

/** What the start of an element ends; empty for most. */
export function impliedBy(tag: string): readonly Implied[] {
  return IMPLIED.get(tag) ?? (ENDS_PARAGRAPH.has(tag) ? PARAGRAPH : NOTHING);
}

function implied(
  tag: string,
  ends: string,
  within: string,
): [string, readonly Implied[]] {
  const own = { ends: new Set(words(ends)), within: new Set(words(within)) };
  return [tag, ENDS_PARAGRAPH.has(tag) ? [own, ...PARAGRAPH] : [own]];
}
