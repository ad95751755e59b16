/** Text whose white space counts: listings of code and their language. @module */
import { IS_UNSEEN, type Measures } from "./measure.ts";
import { attributeOf, type Page } from "./page.ts";
import { BLOCKS, TEXT } from "./tags.ts";

/** Stands before code that a coverage report marks as not run, by a colour only. */
export const MISSED = "[missed] ";

/** Elements around a listing that are asked for its language. */
const LEVELS = 3;
const LANGUAGE =
  /(?:^|\s)(?:(?:language|lang|highlight-source|highlight|source)-|brush:\s*)([a-z][\w+#]{0,20})(?=$|[\s;])/i;
const NO_LANGUAGE = new Set(
  [
    "text",
    "plain",
    "plaintext",
    "none",
    "default",
    "nohighlight",
    "block",
    "wrapper",
    "code",
    "container",
    "toolbar",
    "notranslate",
  ],
);

/** The text of a listing as a reader sees it, without line numbers and buttons beside it. O(nodes). */
export function exactTextOf(
  page: Page,
  measures: Measures,
  node: number,
): string {
  const parts: string[] = [];
  /** Ends of open blocks: each ends a line. */
  const blocks: number[] = [];
  let isLineStart = true;
  const endLine = () => {
    if (!isLineStart) parts.push("\n");
    isLineStart = true;
  };
  for (let i = node; i < page.ends[node]!;) {
    while (blocks.length > 0 && blocks.at(-1)! <= i) {
      blocks.pop();
      endLine();
    }
    const tag = page.tags[i]!;
    if (i !== node && isBeside(page, measures, i)) {
      i = page.ends[i]!;
      continue;
    }
    if (tag === TEXT) {
      parts.push(page.texts[i]!);
      if (page.texts[i] !== "") isLineStart = page.texts[i]!.endsWith("\n");
    } else if (tag === "br") {
      parts.push("\n");
      isLineStart = true;
    } else if (i !== node && BLOCKS.has(tag)) {
      endLine();
      blocks.push(page.ends[i]!);
    }
    if (measures.hints[i]?.isMissed) parts.push(MISSED);
    i++;
  }
  return parts.join("").replaceAll("\u00a0", " ").replaceAll("\r\n", "\n");
}

/** Language of a listing, from its own element, the first in it or those around; empty when unknown. */
export function languageOf(page: Page, node: number): string {
  const places = [node];
  if (page.tags[node + 1] === "code") places.unshift(node + 1);
  let at = node;
  for (let level = 0; level < LEVELS; level++) {
    at = page.parents[at]!;
    places.push(at);
  }
  for (const place of places) {
    const named = attributeOf(page, place, "data-lang") ??
      attributeOf(page, place, "data-language") ??
      attributeOf(page, place, "language");
    const found = named ??
      LANGUAGE.exec(attributeOf(page, place, "class")?.slice(0, 300) ?? "")
        ?.[1];
    if (found && /^[\w+#-]{1,20}$/.test(found)) {
      const language = found.toLowerCase();
      return NO_LANGUAGE.has(language) ? "" : language;
    }
  }
  return "";
}

/** A listing between fences that do not occur in it; no line for a blank one. */
export function fenced(text: string, language: string): readonly string[] {
  const body = text.replace(/^\r?\n/, "").trimEnd();
  if (body.trim() === "") return [];
  let longest = 2;
  for (const [run] of body.matchAll(/`{3,}/g)) {
    longest = Math.max(longest, run.length);
  }
  const fence = "`".repeat(longest + 1);
  return [fence + language, body, fence];
}

/** Line numbers, buttons, scripts. */
function isBeside(page: Page, measures: Measures, node: number): boolean {
  const tag = page.tags[node]!;
  return tag === "button" || tag === "svg" ||
    (measures.state[node]! & IS_UNSEEN) !== 0 ||
    measures.hints[node]?.isGutter === true ||
    (page.attributes[node] !== undefined &&
      attributeOf(page, node, "data-nosnippet") !== undefined);
}
