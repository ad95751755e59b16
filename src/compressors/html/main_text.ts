/** Finds the element that holds the main text of a page. @module */
import { type Measures, proseOf } from "./measure.ts";
import { attributeOf, type Page } from "./page.ts";

/** Share of all text outside links that the main element must hold. */
const LEAST_MARKED = 0.3;
const LEAST_ARTICLE = 0.5;
const LEAST_NAMED = 0.6;

/** Elements that hold nearly everything and say nothing. */
const OUTERMOST = new Set(["html", "body", "frameset"]);
const NAMEABLE = new Set(["div", "section", "td", "article", "main", "center"]);

/**
 * Index of the element with the main text, or 0 when nothing marks one and all of the page may be it.
 * A marked element with little of the page's text is not believed. O(nodes).
 */
export function findMain(page: Page, measures: Measures): number {
  const total = proseOf(measures, 0);
  const holds = (node: number, share: number) =>
    measures.text[node]! > 0 && proseOf(measures, node) >= share * total;
  const marked: number[] = [];
  const articles: number[] = [];
  const named: number[] = [];
  for (let i = 1; i < page.tags.length; i++) {
    const tag = page.tags[i]!;
    if (tag === "main" || attributeOf(page, i, "role") === "main") {
      marked.push(i);
    } else if (tag === "article") articles.push(i);
    else if (measures.hints[i]?.isContent && NAMEABLE.has(tag)) named.push(i);
  }
  const best = largest(measures, marked);
  if (best > 0 && holds(best, LEAST_MARKED)) return best;
  const ancestor = commonAncestor(page, articles);
  if (isInner(page, ancestor) && holds(ancestor, LEAST_ARTICLE)) {
    return ancestor;
  }
  // The innermost one: outer elements of the same name are frames.
  return named.findLast((node) =>
    holds(node, LEAST_NAMED) && isInner(page, node)
  ) ?? 0;
}

function isInner(page: Page, node: number): boolean {
  return node > 0 && !OUTERMOST.has(page.tags[node]!);
}

function largest({ text }: Measures, nodes: readonly number[]): number {
  let best = 0;
  for (const node of nodes) {
    if (best === 0 || text[node]! > text[best]!) best = node;
  }
  return best;
}

/** The innermost element that holds all nodes; 0 for none. O(depth + nodes). */
function commonAncestor(page: Page, nodes: readonly number[]): number {
  const first = nodes[0];
  if (first === undefined) return 0;
  const last = nodes.at(-1)!;
  let node = first;
  while (node > 0 && page.ends[node]! <= last) node = page.parents[node]!;
  return node;
}
