/** Is this text an HTML page or a part of one? @module */
import type { Recognise } from "../../core/detector.ts";

/** UTF-16 units looked at. */
const SAMPLE = 4_000;
/** UTF-16 units looked at in each of three places for a part of a page. */
const FRAGMENT_SAMPLE = 1_500;
/** UTF-16 units that headers of a response or a mail before the page may take. */
const LONGEST_PREAMBLE = 4_000;
/** A part of a page is at least this long, with so many known tags. */
const LEAST_FRAGMENT = 500;
const LEAST_TAGS = 8;
/** Share of the sample that markup takes, and of its tags that HTML has. */
const LEAST_MARKUP = 0.35;
const LEAST_KNOWN = 0.9;

const PAGE = 0.95;
const FRAGMENT = 0.85;

/** Doctype or outermost elements. */
const START = /^(?:<!doctype\s+html|<(?:html|head|body)[\s>])/i;
const MAYBE_PAGE = /^\s*<[!?hb]/i;
const XML = /^<\?xml[^>]{0,200}\?>/;
/** Headers of a response or a mail, or what a client prints about a connection. */
const HEADER =
  /^(?:HTTP\/[\d.]+ \d{3}|[A-Za-z][\w-]{0,40}:(?: |\r?$)|[*<>{}](?: |\r?$)|[ \t]+\S|\d[\d.:kMG\s-]{0,80}\r?$)/;
const FIRST_HEADER =
  /^(?:HTTP\/[\d.]+ \d{3}|[*<>] |[A-Za-z][\w-]{0,40}: | {2}% Total )/;
/** Signs of a template or a component: markup that is read to be edited. */
const TEMPLATE =
  /\{%-? *\w|<%[=\-#\s]|<\?(?:php|=)|\{\{[#/>^]|\{\{-? *(?:define|range|if|end|block|template|with|else|partial|include|\.)|\s(?:\*ng\w+|v-(?:if|for|else|bind|model|on)|th:\w+|x-slot)[\s=:>]/;
const COMPONENT =
  /\sclassName=|=\{|\{\/\*|\s(?:\(\w+\)|\[\w+\]|@\w+|:\w+)=|\{\{|^\s*(?:import|export) /m;
const FRAGMENT_START =
  /^\s*<(?:div|section|main|article|table|ul|ol|dl|nav|header|footer|aside|form|h[1-6]|p|center|fieldset|tbody|tr)[\s>]/i;
const MARKDOWN =
  /^(?:#{1,6} |```|~~~|\s*[-*+] \S|\s*\d+\. \S|> |\|.*\|)|\]\(\S+\)|!\[/m;
const TAG = /<\/?([a-zA-Z][\w:-]*)(?:\s[^<>]{0,500})?\/?>/g;
const KNOWN = new Set(
  ("a abbr address article aside b blockquote body br button caption center cite code col colgroup dd del details div dl dt " +
    "em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label " +
    "legend li link main mark meta nav noscript ol optgroup option p path picture pre q s samp script section select small " +
    "source span strong style sub summary sup svg table tbody td textarea tfoot th thead time title tr u ul use var video")
    .split(" "),
);

/** Confidence that a text is HTML: pages by how they start, parts by how dense their markup is. Reads a bounded start. */
export const recogniseHtml: Recognise = (text, hint) => {
  const start = pageStart(text);
  if (start >= 0) {
    return TEMPLATE.test(text.slice(start, start + SAMPLE)) ? 0 : PAGE;
  }
  return hint?.path === undefined && isFragment(text) ? FRAGMENT : 0;
};

/** Offset where a page starts, after headers that may stand before it; -1 if the text is no page. */
export function pageStart(text: string): number {
  const first = /\S/.exec(text.slice(0, 200))?.[0];
  if (first === undefined) return -1;
  if (first === "<" && startsPage(text)) return 0;
  return FIRST_HEADER.test(text.slice(0, SAMPLE)) ? afterHeaders(text) : -1;
}

/** Whether nothing but white space and comments stands before the first tag of a page. */
function startsPage(text: string): boolean {
  const head = text.slice(0, SAMPLE);
  let rest = head.replace(/^\ufeff/, "").trimStart();
  rest = rest.replace(XML, "").trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->");
    if (end < 0) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return START.test(rest);
}

/** Offset of the page after lines that all look like headers; those of a redirect may stand before its own. */
function afterHeaders(text: string): number {
  for (let at = 0; at < LONGEST_PREAMBLE;) {
    const found = text.indexOf("\n", at);
    const newline = found < 0 ? text.length : found;
    const line = text.slice(at, Math.min(newline, at + LONGEST_PREAMBLE));
    if (MAYBE_PAGE.test(line) && startsPage(text.slice(at, at + SAMPLE))) {
      return at;
    }
    if (line.trim() !== "" && !HEADER.test(line)) return -1;
    if (found < 0) return -1;
    at = newline + 1;
  }
  return -1;
}

/** Whether the text is a part of a page: dense markup that nothing else looks like. */
export function isFragment(text: string): boolean {
  if (text.length < LEAST_FRAGMENT) return false;
  const sample = text.slice(0, FRAGMENT_SAMPLE);
  if (!FRAGMENT_START.test(sample)) return false;
  if (TEMPLATE.test(sample) || COMPONENT.test(sample)) return false;
  let known = 0;
  let tags = 0;
  let markup = 0;
  for (const [tag, name] of sample.matchAll(TAG)) {
    tags++;
    markup += tag.length;
    if (KNOWN.has(name!.toLowerCase())) known++;
  }
  if (known < LEAST_TAGS || known < LEAST_KNOWN * tags) return false;
  if (markup < LEAST_MARKUP * sample.length) return false;
  return !hasMarkdown(text);
}

/** Markdown that starts with some HTML goes on without it. */
function hasMarkdown(text: string): boolean {
  const middle = text.length >>> 1;
  return [0, middle, text.length - FRAGMENT_SAMPLE].some((at) => {
    const part = text.slice(Math.max(0, at), Math.max(0, at) + FRAGMENT_SAMPLE);
    return MARKDOWN.test(part.replace(/<pre[\s>][^]*?<\/pre>/gi, ""));
  });
}
