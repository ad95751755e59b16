/** HTML pages: their main text with links, tables, code and fields, without markup, scripts and what surrounds it. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { ContentHint } from "../../core/detector.ts";
import type { Kind } from "../../core/kind.ts";
import { queryTerms } from "../../text/relevance.ts";
import { shortTarget } from "../../text/html/links.ts";
import { clipped, counted, grouped } from "../../text/html/phrases.ts";
import {
  type Node,
  type Page,
  parseHtml,
  plainTextOf,
  textOf,
  valueOf,
} from "../../text/html/parse.ts";
import { dataOf } from "./elements.ts";
import { findMain, measurePage, planRegions } from "./regions.ts";
import { renderPage } from "./render.ts";

/** Where the page starts in the text. */
interface View {
  readonly text: string;
  readonly start: number;
}

/** Web pages and parts of them. */
export const htmlKind: Kind<View> = {
  id: "html",
  unit: "characters",
  parse(text, hint) {
    const start = pageStart(text);
    if (start >= 0) {
      return TEMPLATE.test(text.slice(start, start + SAMPLE))
        ? undefined
        : { text, start };
    }
    return isFragment(text, hint) ? { text, start: 0 } : undefined;
  },
  render({ text, start }, context) {
    const form = text.slice(0, start) + extract(text.slice(start), context);
    const count = text.length - form.length;
    return {
      text: form,
      omitted: { count, total: text.length, unit: "characters" },
    };
  },
};

/** UTF-16 units looked at to recognise a page, and a part of one in each of three places. */
const SAMPLE = 4000;
const FRAGMENT_SAMPLE = 1500;
/** A part of a page is at least this long, with so many known tags. */
const LEAST_FRAGMENT = 500;
const LEAST_TAGS = 8;

/** Doctype or outermost elements. */
const START = /^(?:<!doctype\s+html|<(?:html|head|body)[\s>])/i;
const XML = /^<\?xml[^>]{0,200}\?>/;
/** Headers of a response or a mail, or what a client prints about a connection. */
const HEADER =
  /^(?:HTTP\/[\d.]+ \d{3}|[A-Za-z][\w-]{0,40}:(?: |\r?$)|[*<>{}](?: |\r?$)|[ \t]+\S|\d[\d.:kMG\s-]{0,80}\r?$|\s*$)/;
const FIRST_HEADER =
  /^\s*(?:HTTP\/[\d.]+ \d{3}|[*<>] |[A-Za-z][\w-]{0,40}: | {2}% Total )/;
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
  ("a abbr article aside b blockquote body br button caption center code col colgroup dd details div dl dt em fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input kbd label legend li link main meta nav noscript ol option p path " +
    "pre s samp script section select small span strong style sub summary sup svg table tbody td textarea tfoot th thead time title tr u ul var")
    .split(" "),
);

/** Offset where a page starts, after headers that may be before it; -1 if the text is no page. */
function pageStart(text: string): number {
  if (startsPage(text)) return 0;
  if (!FIRST_HEADER.test(text.slice(0, SAMPLE))) return -1;
  for (let at = 0; at < SAMPLE;) {
    const found = text.indexOf("\n", at);
    const newline = found < 0 ? text.length : found;
    const line = text.slice(at, Math.min(newline, at + SAMPLE));
    if (/^\s*<[!?hb]/i.test(line) && startsPage(text.slice(at))) return at;
    if (found < 0 || (line.trim() !== "" && !HEADER.test(line))) return -1;
    at = newline + 1;
  }
  return -1;
}

/** Whether nothing but white space and comments is before the first tag of a page. */
function startsPage(text: string): boolean {
  let rest = text.slice(0, SAMPLE).replace(/^\ufeff/, "").trimStart();
  rest = rest.replace(XML, "").trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->");
    if (end < 0) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return START.test(rest);
}

/** Whether the text is a part of a page: dense markup that nothing else looks like. */
function isFragment(text: string, { path }: ContentHint): boolean {
  const sample = text.slice(0, FRAGMENT_SAMPLE);
  if (
    path !== undefined || text.length < LEAST_FRAGMENT ||
    !FRAGMENT_START.test(sample)
  ) return false;
  if (TEMPLATE.test(sample) || COMPONENT.test(sample)) return false;
  const tags = [...sample.matchAll(TAG)];
  const known =
    tags.filter(([, name = ""]) => KNOWN.has(name.toLowerCase())).length;
  const markup = tags.reduce((sum, [tag]) => sum + tag.length, 0);
  if (
    known < LEAST_TAGS || known < 0.9 * tags.length ||
    markup < 0.35 * sample.length
  ) return false;
  // Markdown that starts with some HTML goes on without it.
  return [0, text.length >>> 1, Math.max(0, text.length - FRAGMENT_SAMPLE)]
    .every((at) => {
      const part = text.slice(at, at + FRAGMENT_SAMPLE);
      return !MARKDOWN.test(part.replace(/<pre[\s>][^]*?<\/pre>/gi, ""));
    });
}

/** Less main text than this, or this share of the visible text, is not believed. UTF-16 units. */
const LEAST_MAIN = 200;
const LEAST_MAIN_SHARE = 0.01;
/** A page that shows less may wait for its scripts: they are named, and its data is written out. Characters. */
const LEAST_VISIBLE = 100;
const MOST_VISIBLE = 1500;
const MOST_SCRIPTS = 20;
/** Pieces of data that are written out, largest first, and their longest text, compressed and as it is. UTF-16 units. */
const MOST_DATA = 2;
const LONGEST_DATA = 12_000;
const LONGEST_PLAIN = 2000;
const SOURCES = new Set(["script", "frame", "iframe"]);

function extract(source: string, context: CompressContext): string {
  const page = parseHtml(source);
  const hints = measurePage(page);
  const { root } = page;
  const data = writeData(page, context);
  const size = grouped(source.length);
  const terms = queryTerms(context.query);
  const job = { page, terms, written: new Set(data.keys()) };
  const plan = planRegions(page, findMain(page, hints), hints);
  const main = renderPage({ ...job, plan });
  const length = main.filter(isText).join("").length;
  const scripts = root.visible < LEAST_VISIBLE ? scriptLines(page) : [];
  const added = [...data.values()].flat();
  if (length === 0) {
    const left = page.nodes
      .filter((node) => node.tag === "script" && !data.has(node))
      .reduce((sum, { from, to }) => sum + to - from, 0);
    return [
      `[${size} characters of HTML; markup left out]`,
      ...headLines(page, []),
      ...scripts,
      `… no visible text; ${grouped(left)} characters of scripts omitted`,
      ...added,
    ].join("\n");
  }
  const isMain = length >= LEAST_MAIN_SHARE * root.visible &&
    (length >= LEAST_MAIN || length >= root.visible / 2);
  const hidden = new Map([...plan].filter(([, region]) => region === "hidden"));
  const lines = isMain ? main : renderPage({ ...job, plan: hidden });
  const what = isMain ? "main text, with links," : "visible text";
  const first = `[${what} of ${size} characters of HTML; markup left out]`;
  return [first, ...headLines(page, lines), ...lines, ...scripts, ...added]
    .join("\n");
}

/** Notes do not count as text. */
function isText(line: string): boolean {
  return !line.startsWith("… ");
}

/** What a page says to readers without scripts, and where its scripts and frames come from. */
function scriptLines({ nodes }: Page): string[] {
  const said = nodes.filter(({ tag }) => tag === "noscript").map(plainTextOf)
    .filter((text) => text !== "");
  const sources = nodes.filter(({ tag, attributes }) =>
    SOURCES.has(tag) && attributes.get("src")
  );
  const left = sources.length - MOST_SCRIPTS;
  return [
    ...said.map((text) => `noscript: ${text}`),
    ...sources.slice(0, MOST_SCRIPTS).map((node) =>
      `${node.tag}: ${shortTarget(valueOf(node, "src"))}`
    ),
    ...(left > 0 ? [`… ${counted(left, "more source")} omitted`] : []),
  ];
}

/** The data of a page that is nearly nothing without its scripts, compressed as data is, by element. */
function writeData(
  { root, nodes }: Page,
  { compressPart }: CompressContext,
): Map<Node, string[]> {
  const written = new Map<Node, string[]>();
  if (root.visible > MOST_VISIBLE) return written;
  const all = nodes.flatMap((node) =>
    dataOf(node).map(([name, data]) => ({ node, name, data: data.trim() }))
  )
    .filter(({ data }) =>
      /^[[{]/.test(data) && data.length >= Math.max(200, 2 * root.visible)
    )
    .sort((a, b) => b.data.length - a.data.length);
  for (const { node, name, data } of all.slice(0, MOST_DATA)) {
    const outcome = compressPart?.(data, { path: "page.json" });
    const text = outcome === undefined || outcome.type === "unchanged"
      ? data
      : outcome.text;
    if (text.length > (text === data ? LONGEST_PLAIN : LONGEST_DATA)) continue;
    written.set(node, [...written.get(node) ?? [], `${name}:`, text]);
  }
  return written;
}

/** Fields of `meta` elements, and their names there. */
const META = [
  ["author", "author article:author dc.creator citation_author"],
  ["date", "date article:published_time datepublished dc.date last-modified"],
  ["description", "description og:description twitter:description"],
  ["url", "og:url"],
  ["title", "og:title"],
  ["refresh", "refresh"],
] as const;
const FIELD_OF: ReadonlyMap<string, string> = new Map(
  META.flatMap(([field, names]) =>
    names.split(" ").map((name) => [name, field])
  ),
);
const LINKED_DATA = [
  ["date", /"datePublished"\s*:\s*"([^"\\]{4,40})"/],
  [
    "author",
    /"author"\s*:\s*[[{\s]*[^}\]]{0,200}?"name"\s*:\s*"([^"\\]{1,80})"/,
  ],
] as const;
const NAMES = ["name", "property", "itemprop", "http-equiv"];

/** Lines with title, address, language, author, date and description, as far as the page has them; a title that is a heading in `body` is not repeated. */
function headLines({ nodes }: Page, body: readonly string[]): string[] {
  const head = new Map<string, string>();
  const set = (name: string, value: string) => {
    const said = clipped(value.replace(/\s+/g, " ").trim(), 400);
    if (said !== "" && !head.has(name)) head.set(name, said);
  };
  for (const node of nodes) {
    if (node.attributes.size === 0 && node.tag !== "title") continue;
    const rel = valueOf(node, "rel").toLowerCase();
    if (node.tag === "html") set("lang", valueOf(node, "lang"));
    else if (node.tag === "title" && node.parent?.tag === "head") {
      set("title", plainTextOf(node));
    } else if (node.tag === "link" && rel === "canonical") {
      set("url", shortTarget(valueOf(node, "href")));
    } else if (node.tag === "meta") {
      const names = NAMES.map((name) => valueOf(node, name).toLowerCase());
      const field = names.map((name) => FIELD_OF.get(name)).find(Boolean);
      if (field !== undefined) set(field, valueOf(node, "content"));
    } else if (/ld\+json/i.test(valueOf(node, "type"))) {
      const data = textOf(node).slice(0, 20_000);
      for (const [name, sign] of LINKED_DATA) {
        set(name, sign.exec(data)?.[1] ?? "");
      }
    }
  }
  if (body.includes(`# ${head.get("title")}`)) head.delete("title");
  const line = (...names: string[]) => {
    const said = names.filter((name) => head.has(name))
      .map((name) => `${name}: ${head.get(name)}`);
    return said.length === 0 ? [] : [said.join(" · ")];
  };
  return [
    ...line("title"),
    ...line("url"),
    ...line("lang", "author", "date"),
    ...line("description"),
    ...line("refresh"),
  ];
}
