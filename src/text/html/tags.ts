/** Names of the elements and attributes of HTML, and which elements end which. @module */

/** Stands for every element whose name is not in HTML. */
export const OTHER = "other";

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

/** Elements of a form that a reader fills in or presses. */
export const FIELDS: ReadonlySet<string> = words(
  "input select textarea button",
);
/** Elements without content. */
export const VOIDS = words(
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
export const ATTRIBUTES = words(
  "class id role href src alt title name type value content property itemprop rel lang hidden style aria-label placeholder checked selected " +
    "disabled required multiple action method datetime colspan rowspan start data-lang data-language data-nosnippet http-equiv label open data encoding",
);
/** Elements that end an open paragraph. */
export const ENDS_PARAGRAPH = words(
  "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hgroup hr li main menu nav ol p pre section summary table ul",
);
/** Elements of a page's head. */
export const IN_HEAD = words(
  "base link meta noscript script style template title",
);
/** An end tag of another element does not end these. */
export const CELLS = words("td th caption table");
/** Elements of tables. */
export const IN_TABLES = words("td th tr tbody thead tfoot caption table");
const SECTION = "thead tbody tfoot tr td th caption colgroup";
/** Which open elements an element ends, and ancestors behind which nothing ends. */
export const IMPLIED = new Map<
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
/** The same for what ends a paragraph. */
export const PARAGRAPH = [
  words("p"),
  words("table td th caption button object"),
] as const;

/** The canonical name of an element, whatever its capitals. */
export function tagOf(name: string): string {
  return KNOWN.get(name) ?? KNOWN.get(name.toLowerCase()) ?? OTHER;
}
