/** The note in the place of a part that is not the main text, and the lines of it that stay. @module */
import { bestLines } from "../../text/relevance.ts";
import { indexLines } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { FIELD_TAGS } from "./fields.ts";
import type { Region } from "./hints.ts";
import { attributeOf, type Page, plainTextOf } from "./page.ts";
import { clipped, counted, grouped } from "./text_size.ts";

/** Names in a note, and UTF-16 units of one. */
const MOST_NAMES = 5;
const LONGEST_NAME = 32;
const MOST_FIELDS = 6;
/** Beginning of a text without links. UTF-16 units. */
const LONGEST_START = 60;
/** Lines that stay because they fit the query. */
const MOST_RELEVANT = 8;
/** A longer line that tells of a failure is prose about failures. UTF-16 units. */
const LONGEST_FAILURE = 400;
/** A part whose lines are this short is written out. UTF-16 units. */
const SHORT_PART = 60;

const LABELS: Readonly<Record<Region, string>> = {
  nav: "nav",
  contents: "table of contents",
  header: "header",
  footer: "footer",
  sidebar: "sidebar",
  banner: "cookie banner",
  share: "share buttons",
  related: "related",
  promotion: "promotion",
  hidden: "hidden",
  links: "links",
};

/** A part of a page, written out. */
export interface Group {
  readonly page: Page;
  readonly node: number;
  readonly region: Region;
  /** Its text as lines; {@linkcode alerts} are the indexes of those in an alert. */
  readonly lines: readonly string[];
  readonly alerts: ReadonlySet<number>;
  /** Words of the query. */
  readonly terms: readonly string[];
}

/** What is said of a part. */
export interface GroupNote {
  /** `nav, 48 links (Home, Docs, …)`; `undefined` when the part is written out whole. */
  readonly note: string | undefined;
  /** Lines that stay. */
  readonly kept: readonly string[];
}

/** Tells of a part, keeping lines that report a failure or fit the query. O(part). */
export function describeGroup(group: Group): GroupNote {
  const { lines } = group;
  const note = noteOf(group);
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (group.region !== "hidden" && length <= note.length + SHORT_PART) {
    return { note: undefined, kept: lines };
  }
  const keep = keptLines(group);
  const kept = lines.filter((_, i) => keep.has(i));
  return kept.length === lines.length
    ? { note: undefined, kept }
    : { note, kept };
}

function keptLines({ lines, alerts, region, terms }: Group): Set<number> {
  // A hidden message has not been shown to anyone.
  const keep = new Set(region === "hidden" ? [] : alerts);
  const joined = indexLines(
    lines.map((line) => line.replaceAll("\n", " ")).join("\n"),
  );
  if (region !== "hidden") {
    severities(joined).forEach((flags, i) => {
      const line = lines[i]!;
      if (
        flags & ERROR && line.length <= LONGEST_FAILURE && !line.includes("](")
      ) keep.add(i);
    });
  }
  for (const { line } of bestLines(joined, terms, MOST_RELEVANT)) {
    keep.add(line);
  }
  return keep;
}

function noteOf({ page, node, region, lines }: Group): string {
  const names: string[] = [];
  const fields: string[] = [];
  let links = 0;
  for (let i = node; i < page.ends[node]!; i++) {
    const tag = page.tags[i]!;
    if (tag === "a" && attributeOf(page, i, "href") !== undefined) {
      links++;
      if (names.length < MOST_NAMES) names.push(...namesOf(page, i));
    } else if (FIELD_TAGS.has(tag) && tag !== "button") {
      const name = attributeOf(page, i, "name") ?? "";
      if (name !== "" && fields.length < MOST_FIELDS) fields.push(name);
    }
  }
  const parts: string[] = [LABELS[region]];
  if (links > 0) parts.push(linksText(links, names));
  else parts.push(proseText(lines));
  if (fields.length > 0) parts.push(`fields ${fields.join(" ")}`);
  return parts.join(", ");
}

function namesOf(page: Page, node: number): string[] {
  const text = plainTextOf(page, node) ||
    (attributeOf(page, node, "aria-label") ?? "");
  return text === "" ? [] : [clipped(text, LONGEST_NAME)];
}

function linksText(links: number, names: readonly string[]): string {
  const more = links > names.length ? ", …" : "";
  return counted(links, "link") +
    (names.length > 0 ? ` (${names.join(", ")}${more})` : "");
}

function proseText(lines: readonly string[]): string {
  const text = lines.join(" ");
  return `${grouped(text.length)} characters ("${
    clipped(text, LONGEST_START)
  }")`;
}
