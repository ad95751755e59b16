/** Golden inputs and small pages for the tests of the HTML compressor. @module */
import { contextOf } from "../goldens.ts";
import { htmlKind } from "../../../src/compressors/html/kind.ts";
import { type Page, parseHtml, within } from "../../../src/text/html/parse.ts";
import type { Node } from "../../../src/text/html/parse.ts";
import { measurePage } from "../../../src/compressors/html/regions.ts";
import { renderPage } from "../../../src/compressors/html/render.ts";
import { entryOf } from "../../../src/engine/compressor.ts";

/** The compressor of web pages. */
export const { compressor: htmlCompressor } = entryOf(htmlKind);

/** The elided form of a page; throws for any other outcome. */
export function elided(html: string, query = ""): string {
  const outcome = htmlCompressor.compress(html, contextOf(true, query));
  if (outcome.type !== "elided") throw new Error(JSON.stringify(outcome));
  return outcome.text;
}

/** Lines that some HTML is written as when nothing is left out. */
export function linesOf(html: string): string[] {
  const page = parseHtml(html);
  measurePage(page);
  return renderPage({ page, plan: new Map(), terms: [], written: new Set() });
}

/** The first element of a name in a measured page. */
export function elementOf(html: string, tag: string): Node {
  const page = parseHtml(html);
  measurePage(page);
  return first(page, tag);
}

/** The first element of a name, or the first text for `#text`. */
export function first({ root }: Page, tag: string): Node {
  const found = [...within(root)].find((node) => node.tag === tag);
  if (found === undefined) throw new Error(`No ${tag}`);
  return found;
}

/** A sentence that makes a page large enough to be worth a marker. */
export const FILLER = `<script>${
  "window.q=window.q||[];q.push(['init',{v:2}]);".repeat(30)
}</script>`;

/** Paragraphs of main text, all different. */
export function paragraphs(count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) =>
      `<p>Meter ${i} in street ${i * 7} counted ${
        i * 813
      } litres, which the works checked by hand on day ${i % 28}.</p>`,
  );
}

/** A page with navigation, a sidebar and a footer around its main text. */
export function pageOf(main: string): string {
  const links = (names: string) =>
    names.split(" ").map((name) => `<a href="/${name}">${name}</a>`).join(" ");
  return `<!DOCTYPE html><html lang="en"><head><title>Works</title>${FILLER}</head><body>
<nav>${
    links("Home Meters Bills Users Settings Reports Archive Help Imprint")
  }</nav>
<main>${main}</main>
<aside class="sidebar">${
    links("Older Newer Popular Random Feed Mail Phone")
  }</aside>
<footer>${
    links("Terms Privacy Cookies Jobs Press Contact Legal")
  }</footer></body></html>`;
}
