/** What of a page is left out, and the notes that say so. @module */
import {
  type Node,
  plainTextOf,
  valueOf,
  within,
} from "../../text/html/parse.ts";
import { clipped, counted, grouped } from "../../text/html/phrases.ts";
import { FIELDS } from "../../text/html/tags.ts";
import type { Writer } from "../../text/html/writer.ts";
import type { Region } from "./names.ts";

/** They are among the text; a note at each would be in its way. */
const AMONG_TEXT = new Set(["svg", "img", "canvas", "hidden"]);
/** Characters of others that make a note due. */
const DUE = 2000;
/** Names in a note, and UTF-16 units of one. */
const MOST_NAMES = 5;
const LONGEST_NAME = 32;
/** UTF-16 units of the start of a text that a note quotes. */
export const LONGEST_START = 60;

/** Collects what is left out until a note says so. */
export class Omissions {
  readonly #writer: Writer;
  /** What was left out since the last note: in words, and characters by element. */
  #told: string[] = [];
  #dropped = new Map<string, number>();
  #characters = 0;
  /** Those of them that may not go on without a note. */
  #due = 0;

  /** @param writer Gets the notes. */
  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Takes what is left out in words: a note is due. */
  tell(what: string): void {
    this.#told.push(what);
  }

  /** Takes the characters of an element. */
  drop(name: string, characters: number): void {
    if (characters <= 0) return;
    this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1);
    this.#characters += characters;
    if (!AMONG_TEXT.has(name)) this.#due += characters;
  }

  /** Writes what was left out, where it is much and no line is begun. @param isLast However little it is. */
  note(isLast = false): void {
    if (!isLast && this.#told.length === 0 && this.#due < DUE) return;
    if (!this.#writer.isFresh) return;
    const kinds = [...this.#dropped].map(([name, count]) =>
      count === 1 ? name : `${grouped(count)} ${name}`
    );
    const count = this.#characters > 0
      ? [`${counted(this.#characters, "character")} of ${kinds.join(", ")}`]
      : [];
    const parts = [...this.#told, ...count];
    if (parts.length > 0) this.#writer.raw([`… omitted: ${parts.join("; ")}`]);
    this.#told = [];
    this.#dropped = new Map();
    this.#characters = 0;
    this.#due = 0;
  }
}

/** What is said of a part that is left out: `nav, 48 links (Home, Docs, …)`. @param lines What it would be written as. O(nodes). */
export function regionNote(
  node: Node,
  region: Region,
  lines: readonly string[],
): string {
  const inside = [...within(node)];
  const links = inside.filter(({ tag, attributes }) =>
    tag === "a" && attributes.has("href")
  );
  const names = links.slice(0, 2 * MOST_NAMES).map((link) =>
    plainTextOf(link) || valueOf(link, "aria-label")
  )
    .filter((name) => name !== "").slice(0, MOST_NAMES).map((name) =>
      clipped(name, LONGEST_NAME)
    );
  const fields = inside.filter(({ tag }) => FIELDS.has(tag) && tag !== "button")
    .map((field) => valueOf(field, "name")).filter((name) => name !== "").slice(
      0,
      MOST_NAMES,
    );
  const text = lines.join(" ");
  const more = links.length > names.length ? ", …" : "";
  const named = names.length > 0 ? ` (${names.join(", ")}${more})` : "";
  const said = links.length > 0
    ? counted(links.length, "link") + named
    : `${grouped(text.length)} characters ("${clipped(text, LONGEST_START)}")`;
  return `${region}, ${said}${
    fields.length > 0 ? `, fields ${fields.join(" ")}` : ""
  }`;
}
