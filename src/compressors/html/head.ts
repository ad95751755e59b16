/** What the head of a page says about it. @module */
import { shortTarget } from "./links.ts";
import { attributeOf, type Page, plainTextOf, textOf } from "./page.ts";
import { clipped } from "./text_size.ts";

const LONGEST = 400;
/** UTF-16 units of JSON-LD that are searched. */
const READ_OF_DATA = 20_000;

const AUTHOR = new Set([
  "author",
  "article:author",
  "dc.creator",
  "parsely-author",
  "citation_author",
]);
const DATE = new Set(
  [
    "date",
    "article:published_time",
    "datepublished",
    "dc.date",
    "pubdate",
    "publish-date",
    "last-modified",
    "citation_date",
  ],
);
const DESCRIPTION = new Set([
  "description",
  "og:description",
  "twitter:description",
]);

interface Head {
  title: string;
  url: string;
  lang: string;
  author: string;
  date: string;
  description: string;
  refresh: string;
}

/**
 * Lines with title, address, language, author, date and description, as far as the page has them. O(nodes).
 *
 * @param body Lines that follow; a title that is a heading there is not said twice.
 */
export function headLines(page: Page, body: readonly string[]): string[] {
  const head: Head = {
    title: "",
    url: "",
    lang: "",
    author: "",
    date: "",
    description: "",
    refresh: "",
  };
  for (let i = 1; i < page.tags.length; i++) {
    const tag = page.tags[i]!;
    if (tag === "html") head.lang ||= attributeOf(page, i, "lang") ?? "";
    else if (tag === "title" && page.tags[page.parents[i]!] === "head") {
      head.title ||= plainTextOf(page, i);
    } else if (tag === "meta") readMeta(page, i, head);
    else if (tag === "script") readData(page, i, head);
    else if (
      tag === "link" &&
      attributeOf(page, i, "rel")?.toLowerCase() === "canonical"
    ) head.url ||= attributeOf(page, i, "href") ?? "";
  }
  const about = [
    ["lang", head.lang],
    ["author", head.author],
    ["date", head.date],
  ].filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${clipped(value!, LONGEST)}`);
  const isSaid = body.includes(`# ${head.title}`);
  const lines = [
    isSaid || head.title === "" ? "" : `title: ${clipped(head.title, LONGEST)}`,
    head.url && `url: ${shortTarget(head.url)}`,
    about.join(" · "),
    head.description && `description: ${clipped(head.description, LONGEST)}`,
    head.refresh && `refresh: ${shortTarget(head.refresh)}`,
  ];
  return lines.filter((line) => line !== "");
}

function readMeta(page: Page, node: number, head: Head): void {
  const content = attributeOf(page, node, "content")
    ?.replace(/\s+/g, " ").trim();
  if (!content) return;
  const name = (attributeOf(page, node, "name") ??
    attributeOf(page, node, "property") ??
    attributeOf(page, node, "itemprop") ?? "").toLowerCase();
  if (AUTHOR.has(name)) head.author ||= content;
  else if (DATE.has(name)) head.date ||= content;
  else if (DESCRIPTION.has(name)) head.description ||= content;
  else if (name === "og:url") head.url ||= content;
  else if (name === "og:title") head.title ||= content;
  else if (
    attributeOf(page, node, "http-equiv")?.toLowerCase() === "refresh"
  ) head.refresh ||= content;
}

/** Author and date stand in JSON-LD where they stand in no `meta`. */
function readData(page: Page, node: number, head: Head): void {
  if (!/ld\+json/i.test(attributeOf(page, node, "type") ?? "")) return;
  const text = textOf(page, node).slice(0, READ_OF_DATA);
  head.date ||= /"datePublished"\s*:\s*"([^"\\]{4,40})"/.exec(text)?.[1] ?? "";
  head.author ||=
    /"author"\s*:\s*[[{\s]*[^}\]]{0,200}?"name"\s*:\s*"([^"\\]{1,80})"/
      .exec(text)?.[1] ?? "";
}
