/** The data of a page that is nearly nothing without its scripts. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Measures } from "./measure.ts";
import type { Page } from "./page.ts";
import { attributeData, type PageData, scriptData } from "./scripts.ts";

/** A page with more visible characters speaks for itself. */
const MOST_VISIBLE = 1_500;
/** Data is looked at if it is so many times as long as what is visible. */
const LEAST_RATIO = 2;
/** Data that is written out, largest first. */
const MOST_DATA = 2;
/** Longest text of it, compressed and as it is. UTF-16 units. */
const LONGEST = 12_000;
const LONGEST_PLAIN = 2_000;

/** Data that is written out and not told of. */
export interface WrittenData {
  /** Its elements. */
  readonly nodes: ReadonlySet<number>;
  readonly lines: readonly string[];
}

/** Writes out the data in which the content of a page stands, compressed as data is. O(n), and the cost of compressing it. */
export function writeData(
  page: Page,
  measures: Measures,
  compressPart: CompressContext["compressPart"],
): WrittenData {
  const nodes = new Set<number>();
  const lines: string[] = [];
  const visible = measures.text[0]!;
  if (visible > MOST_VISIBLE) return { nodes, lines };
  const all = page.blobs.map(attributeData).filter(({ text }) =>
    /^\s*[[{]/.test(text)
  );
  for (let i = 1; i < page.tags.length; i++) {
    const data = scriptData(page, i);
    if (data !== undefined) all.push(data);
  }
  const large = all.filter(({ text }) => text.length >= LEAST_RATIO * visible)
    .sort((a, b) => b.text.length - a.text.length || a.node - b.node);
  for (const data of large.slice(0, MOST_DATA)) {
    const text = shortened(data, compressPart);
    if (text === undefined) continue;
    nodes.add(data.node);
    lines.push(`${data.name}:`, text);
  }
  return { nodes, lines };
}

function shortened(
  { text }: PageData,
  compressPart: CompressContext["compressPart"],
): string | undefined {
  const plain = text.trim();
  const outcome = compressPart?.(plain, { path: "page.json" });
  if (outcome === undefined || outcome.type === "unchanged") {
    return plain.length <= LONGEST_PLAIN ? plain : undefined;
  }
  return outcome.text.length <= LONGEST ? outcome.text : undefined;
}
