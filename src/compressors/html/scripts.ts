/** What scripts hold, told in a few words. @module */
import { attributeOf, type DataAttribute, type Page, textOf } from "./page.ts";
import { grouped } from "./text_size.ts";

/** Keys that are named, and UTF-16 units of one. */
const MOST_KEYS = 8;
const LONGEST_KEY = 40;
/** Smaller data is counted with the other scripts. UTF-16 units. */
const LEAST_DATA = 200;

/** Data that a page brings along for its scripts. */
export interface PageData {
  /** The script, or the element whose attribute it is. */
  readonly node: number;
  /** `JSON __NEXT_DATA__`, `attribute data-state`. */
  readonly name: string;
  readonly text: string;
}

/** The data in a script; `undefined` for a script that runs, and for a short one. */
export function scriptData(page: Page, node: number): PageData | undefined {
  if (page.tags[node] !== "script") return undefined;
  const type = attributeOf(page, node, "type") ?? "";
  if (!/json/i.test(type)) return undefined;
  const text = textOf(page, node);
  if (text.length < LEAST_DATA) return undefined;
  const id = attributeOf(page, node, "id");
  const kind = /ld\+json/i.test(type) ? "JSON-LD" : "JSON";
  return { node, name: id ? `${kind} ${id}` : kind, text };
}

/** The data in a long attribute. */
export function attributeData(
  { node, name, value }: DataAttribute,
): PageData {
  return { node, name: `attribute ${name}`, text: value };
}

/** `JSON __NEXT_DATA__, 12,345 characters (keys props, page)`. O(data). */
export function dataText({ name, text }: PageData): string {
  const keys = topKeys(text);
  return `${name}, ${grouped(text.length)} characters` +
    (keys.length === 0 ? "" : ` (keys ${keys.join(", ")})`);
}

/** Names of the first keys of a JSON object; `…` at the end if there may be more. Never throws. O(text). */
export function topKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  let isKey = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = stringEnd(text, i);
      if (depth === 1 && isKey) {
        if (keys.length === MOST_KEYS) return [...keys, "…"];
        keys.push(text.slice(i + 1, Math.min(end, i + 1 + LONGEST_KEY)));
        isKey = false;
      }
      i = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth++;
      if (depth === 1) isKey = code === OPEN_OBJECT;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
    else if (code === COMMA && depth === 1) isKey = true;
  }
  return keys;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Offset of the quotation mark that ends the string. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return text.length;
}
