/** A page as a flat tree: elements and texts in document order. @module */

/** Names of the attributes that are kept. */
const ATTRIBUTES = new Map(
  ("class id role href src alt title name type value content property itemprop rel lang hidden style aria-label " +
    "placeholder checked selected disabled required multiple action method datetime colspan rowspan start for " +
    "data-lang data-nosnippet http-equiv label open srcdoc data language encoding max")
    .split(" ").map((name) => [name, name] as const),
);

/** A long attribute that is not kept. */
export interface DataAttribute {
  /** Its element. */
  readonly node: number;
  /** Name of the attribute. */
  readonly name: string;
  readonly value: string;
}

/** Node 0 is the root; the nodes of a subtree follow each other. */
export interface Page {
  /** What was parsed. */
  readonly source: string;
  /** Canonical element names, `#text`, or `other`. */
  readonly tags: readonly string[];
  /** Index of the parent; the root's is 0. */
  readonly parents: readonly number[];
  /** Index after the last node of the subtree. */
  readonly ends: readonly number[];
  /** Offset in the source where the node starts. */
  readonly from: readonly number[];
  /** Offset in the source after the node's end tag. */
  readonly to: readonly number[];
  /** Characters of a text, entities decoded; empty for elements. */
  readonly texts: readonly string[];
  /** Names and values of kept attributes in turn. */
  readonly attributes: readonly (readonly string[] | undefined)[];
  /** Long attributes that may hold data, in order of their elements. */
  readonly blobs: readonly DataAttribute[];
  /** Length of all comments, in UTF-16 units. */
  readonly comments: number;
}

/** The name under which an attribute is kept; `undefined` if it is not. */
export function keptAttribute(name: string): string | undefined {
  return ATTRIBUTES.get(name) ?? ATTRIBUTES.get(name.toLowerCase());
}

/** Value of an attribute, trimmed; `undefined` if the element does not have it. */
export function attributeOf(
  page: Page,
  node: number,
  name: string,
): string | undefined {
  const list = page.attributes[node];
  if (list === undefined) return undefined;
  for (let i = 0; i < list.length; i += 2) {
    if (list[i] === name) return list[i + 1]!.trim();
  }
  return undefined;
}

/** All text in a subtree, as it stands. O(nodes). */
export function textOf(page: Page, node: number): string {
  const parts: string[] = [];
  for (let i = node; i < page.ends[node]!; i++) parts.push(page.texts[i]!);
  return parts.join("");
}

/** All text in a subtree with runs of white space as one space, trimmed. O(nodes). */
export function plainTextOf(page: Page, node: number): string {
  return textOf(page, node).replace(/\s+/g, " ").trim();
}

/** The first node with a tag in a subtree, `node` itself included; -1 if there is none. O(nodes). */
export function findTag(page: Page, node: number, tag: string): number {
  for (let i = node; i < page.ends[node]!; i++) {
    if (page.tags[i] === tag) return i;
  }
  return -1;
}
