/** Links and headings of a Markdown text, as pages of a repository show them. @module */

/** A link to another place of the repository. */
export interface RelativeLink {
  /** Path from the page's directory; empty for the page itself. */
  readonly path: string;
  /** Heading it leads to, as in an address; `undefined` for the whole page. */
  readonly heading: string | undefined;
}

/** `[text](target)` and `![text](target)`. */
const LINK = /!?\[[^\]]*\]\(([^()\s]+)\)/g;
/** Fenced blocks and code in a line: what looks like a link in there is none. */
const CODE = /^ *(```|~~~)[^]*?^ *\1|`[^`\n]*`/gm;

/** The links to files and headings, in their order; addresses elsewhere are left out. */
export function relativeLinks(markdown: string): RelativeLink[] {
  const targets = [...markdown.replace(CODE, "").matchAll(LINK)]
    .map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target))
    .map((target) => {
      const [path = "", heading] = target.split("#", 2);
      return { path, heading };
    });
}

/** Names under which the headings of a page are reached. */
export function headingNames(markdown: string): ReadonlySet<string> {
  const names = new Set<string>();
  const fenced = /^ *(```|~~~)[^]*?^ *\1/gm;
  for (
    const [, text] of markdown.replace(fenced, "").matchAll(/^#+ +(.+)$/gm)
  ) {
    const name = text!.trim().toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let unique = name;
    for (let n = 1; names.has(unique); n++) unique = `${name}-${n}`;
    names.add(unique);
  }
  return names;
}
