/** HTML pages: their main text with links, tables, code and fields, without markup, scripts and what surrounds it. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { queryTerms } from "../../text/relevance.ts";
import { headLines } from "./head.ts";
import { LinkWriter, shortTarget, targetsOf } from "./links.ts";
import { findMain } from "./main_text.ts";
import { measurePage, type Measures } from "./measure.ts";
import { attributeOf, type Page, plainTextOf } from "./page.ts";
import { writeData, type WrittenData } from "./page_data.ts";
import { parseHtml } from "./parse.ts";
import { isFragment, pageStart } from "./recognise.ts";
import { planRegions } from "./regions.ts";
import { type RenderJob, renderPage } from "./render.ts";
import { counted, grouped } from "./text_size.ts";

/** UTF-16 units that leaving markup out must save, to pay for the marker. */
const LEAST_SAVED = 300;
/** A form above this share of the text's length is weighed in tokens. */
const SURE_SHARE = 0.6;
/** Tokens that a form must save, for the marker. */
const LEAST_TOKENS = 60;
/** Less main text than this, or this share of the visible text, is not believed. UTF-16 units. */
const LEAST_MAIN = 200;
const LEAST_MAIN_SHARE = 0.01;
/** A page that shows less may wait for its scripts. Characters. */
const LEAST_VISIBLE = 100;
/** Scripts and frames of such a page that are named. */
const MOST_SCRIPTS = 20;
const SOURCES = new Set(["script", "frame", "iframe"]);

/** Writes the main text of a page, with a note in place of each part that is left out. */
export const htmlCompressor: Compressor = {
  id: "html",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const start = pageStart(text);
    if (start < 0 && !isFragment(text)) {
      return { type: "unchanged", reason: "not_html" };
    }
    if (!context.mayElide) {
      return { type: "unchanged", reason: "nothing_to_fold" };
    }
    const preamble = text.slice(0, Math.max(0, start));
    const form = preamble + extract(text.slice(preamble.length), context);
    if (!isWorth(form, text, context)) {
      return { type: "unchanged", reason: "nothing_to_gain" };
    }
    const count = text.length - form.length;
    return {
      type: "elided",
      text: form,
      omitted: { count, total: text.length, unit: "characters" },
    };
  },
};

function isWorth(
  form: string,
  text: string,
  { countTokens }: CompressContext,
): boolean {
  if (text.length - form.length < LEAST_SAVED) return false;
  return form.length < SURE_SHARE * text.length ||
    countTokens(form) + LEAST_TOKENS < countTokens(text);
}

function extract(source: string, context: CompressContext): string {
  const page = parseHtml(source);
  const measures = measurePage(page);
  const data = writeData(page, measures, context.compressPart);
  const size = grouped(source.length);
  const terms = queryTerms(context.query);
  const body = { page, measures, terms, written: data.nodes };
  const plan = planRegions(page, measures, findMain(page, measures));
  const main = writeBody({ ...body, plan });
  if (!main.some(isText)) return scriptPage(page, data, size);
  const isMain = isEnough(main, measures);
  const hidden = new Map([...plan].filter(([, region]) => region === "hidden"));
  const lines = isMain ? main : writeBody({ ...body, plan: hidden });
  const what = isMain ? "main text, with links," : "visible text";
  const scripts = measures.text[0]! < LEAST_VISIBLE ? scriptLines(page) : [];
  return [
    `[${what} of ${size} characters of HTML; markup left out]`,
    ...headLines(page, lines),
    ...lines,
    ...scripts,
    ...data.lines,
  ].join("\n");
}

function writeBody(body: Omit<RenderJob, "links">): string[] {
  const { page, measures, plan } = body;
  const targets = targetsOf(page, measures, (node) => plan.has(node));
  const links = new LinkWriter(targets);
  const lines = renderPage({ ...body, links });
  return links.start === "" ? lines : [`links: ~ = ${links.start}`, ...lines];
}

/** Notes do not count as text. */
function isText(line: string): boolean {
  return !line.startsWith("… ");
}

function isEnough(body: readonly string[], { text }: Measures): boolean {
  const length = body.filter(isText)
    .reduce((sum, line) => sum + line.length, 0);
  const visible = text[0]!;
  if (length < LEAST_MAIN_SHARE * visible) return false;
  return length >= LEAST_MAIN || length >= visible / 2;
}

/** A page that scripts fill: what it says without them, and which they are. */
function scriptPage(page: Page, data: WrittenData, size: string): string {
  let characters = 0;
  for (let i = 1; i < page.tags.length; i++) {
    if (page.tags[i] !== "script" || data.nodes.has(i)) continue;
    characters += page.to[i]! - page.from[i]!;
  }
  return [
    `[${size} characters of HTML; markup left out]`,
    ...headLines(page, []),
    ...scriptLines(page),
    `… no visible text; ${grouped(characters)} characters of scripts omitted`,
    ...data.lines,
  ].join("\n");
}

/** What a page says to readers without scripts, and where its scripts and frames come from. */
function scriptLines(page: Page): string[] {
  const said: string[] = [];
  const sources: string[] = [];
  for (let i = 1; i < page.tags.length;) {
    const tag = page.tags[i]!;
    if (SOURCES.has(tag)) {
      const source = attributeOf(page, i, "src");
      if (source) sources.push(`${tag}: ${shortTarget(source)}`);
    } else if (tag === "noscript") said.push(plainTextOf(page, i));
    i = tag === "noscript" ? page.ends[i]! : i + 1;
  }
  const left = sources.length - MOST_SCRIPTS;
  return [
    ...said.filter((text) => text !== "").map((text) => `noscript: ${text}`),
    ...sources.slice(0, MOST_SCRIPTS),
    ...(left > 0 ? [`… ${counted(left, "more source")} omitted`] : []),
  ];
}
