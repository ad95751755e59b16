/** How elements of a page begin and end in the text that is written of it. @module */
import {
  exactTextOf,
  fieldText,
  formText,
  graphicText,
  isDataTable,
  listingOf,
  zippedRow,
} from "./elements.ts";
import { leadsAway, type Links } from "../../text/html/links.ts";
import { clipped } from "../../text/html/phrases.ts";
import { type Node, plainTextOf, valueOf } from "../../text/html/parse.ts";
import { Table } from "../../text/html/table.ts";
import { FIELDS, HEADINGS } from "../../text/html/tags.ts";
import type { Writer } from "../../text/html/writer.ts";
import { HAS_GRAPHIC, HAS_TABLE, IS_EXACT, IS_GUTTER } from "./node_bits.ts";
import type { Omissions } from "./omitted.ts";

const PERMALINK = /^[#¶§🔗]*$/u;
const SKIP_LINK = /^(?:skip|jump) to\b/i;
const ORDINAL = /^(?:st|nd|rd|th|tm|sm|®|™)$/i;
const GRAPHICS = new Set([
  "img",
  "svg",
  "iframe",
  "video",
  "audio",
  "object",
  "embed",
  "canvas",
]);
const AROUND: Readonly<Record<string, string>> = {
  del: "~~",
  s: "~~",
  strike: "~~",
  q: '"',
};

/** What follows an element; `skip`: its content is not written. */
export type Step = "skip" | (() => void) | undefined;

/** Writes the starts of elements, and says what is to be written at their ends. */
export class ElementStarts {
  readonly #writer: Writer;
  readonly #links: Links;
  readonly #omissions: Omissions;
  /** Next number of each open list; 0 for lists with bullets. */
  readonly #lists: number[] = [];
  /** Open tables; `undefined` for those that only frame blocks. */
  readonly #tables: ({ readonly table: Table; cells: Node[] } | undefined)[] =
    [];
  /** By the name of the element; all others have at most a time. */
  readonly #own: ReadonlyMap<string, (node: Node) => Step> = new Map<
    string,
    (node: Node) => Step
  >([
    ["a", (node) => this.#link(node)],
    ["br", () => this.#lineBreak()],
    ["pre", (node) => this.#listing(node)],
    ["code", (node) => this.#code(node)],
    ["samp", (node) => this.#code(node)],
    ["ul", (node) => this.#list(node)],
    ["menu", (node) => this.#list(node)],
    ["ol", (node) => this.#list(node)],
    ["li", () => this.#item()],
    ["dd", () => this.#indented("  ")],
    ["blockquote", () => this.#indented("> ")],
    ["form", (node) => this.#form(node)],
    ["sup", () => this.#raised("^")],
    ["sub", () => this.#raised("_")],
    ["table", (node) => this.#table(node)],
    ["tr", (node) => this.#row(node)],
    ["td", (node) => this.#cell(node)],
    ["th", (node) => this.#cell(node)],
  ]);

  /** Writes into `writer`; what is left out goes to `omissions`. */
  constructor(writer: Writer, links: Links, omissions: Omissions) {
    this.#writer = writer;
    this.#links = links;
    this.#omissions = omissions;
  }

  /** Writes the start of an element; what it says is done before or instead of its content. */
  start(node: Node): Step {
    const { tag } = node;
    if (HEADINGS.has(tag)) return this.#heading(tag);
    if (FIELDS.has(tag)) {
      // Spaces keep two fields in a row apart.
      this.#writer.text(` ${fieldText(node)} `);
      return "skip";
    }
    if (GRAPHICS.has(tag)) {
      const [text, left] = graphicText(node);
      this.#writer.text(text);
      this.#omissions.drop(tag, left);
      return "skip";
    }
    // The number before a line of code.
    const isNumber = valueOf(node, "class") === "n" &&
      ((node.parent?.state ?? 0) & IS_EXACT) !== 0;
    if (isNumber) return () => this.#writer.exact(" ");
    const sign = AROUND[tag];
    if (sign !== undefined) return this.#span(() => [sign, sign]);
    const own = this.#own.get(tag);
    return own === undefined ? this.#time(node) : own(node);
  }

  #heading(tag: string): Step {
    this.#writer.lead(`${"#".repeat(Number(tag.slice(1)))} `);
    return () => {
      this.#writer.break();
      this.#writer.clearLead();
    };
  }

  #lineBreak(): Step {
    this.#writer.break();
    return "skip";
  }

  #listing(node: Node): Step {
    if (node.holds & HAS_TABLE) return undefined;
    const { isInRow } = this.#writer;
    if (isInRow) this.#writer.exact(exactTextOf(node).trim());
    else this.#writer.raw(listingOf(node));
    return "skip";
  }

  /** Ticks around a link would hide it. */
  #code(node: Node): Step {
    return node.links > 0
      ? undefined
      : this.#span((text) => text.includes("`") ? ["", ""] : ["`", "`"]);
  }

  #list(node: Node): Step {
    const start = Number(valueOf(node, "start") || 1);
    this.#lists.push(node.tag === "ol" && start > 0 ? Math.floor(start) : 0);
    return () => this.#lists.pop();
  }

  #indented(by: string): Step {
    this.#writer.indent(by);
    return () => this.#writer.outdent();
  }

  #form(node: Node): Step {
    const text = formText(node);
    if (text !== "") this.#writer.raw([text]);
    return undefined;
  }

  #span(wrap: (text: string) => readonly [string, string]): Step {
    const span = this.#writer.open(wrap);
    return () => this.#writer.close(span);
  }

  #raised(sign: string): Step {
    return this.#span((text) => {
      if (ORDINAL.test(text)) return ["", ""];
      return /^[\w*+†‡-]{1,12}$|^\[.*\]$/.test(text)
        ? [sign, ""]
        : [`${sign}(`, ")"];
    });
  }

  #item(): Step {
    const number = this.#lists.at(-1) ?? 0;
    if (number > 0) this.#lists[this.#lists.length - 1] = number + 1;
    this.#writer.indent("  ");
    this.#writer.clearLead();
    this.#writer.lead(number > 0 ? `${number}. ` : "- ");
    return () => {
      this.#writer.outdent();
      this.#writer.clearLead();
    };
  }

  #link(node: Node): Step {
    const target = valueOf(node, "href");
    if (node.state & IS_GUTTER) return "skip";
    const isGraphic = (node.holds & HAS_GRAPHIC) !== 0;
    if (target.startsWith("#") && !isGraphic && isSmall(node)) {
      const text = plainTextOf(node);
      if (PERMALINK.test(text) || SKIP_LINK.test(text)) return "skip";
    }
    if (!leadsAway(target)) return undefined;
    let isSaid = false;
    const step = this.#span((text) => {
      if (isSaid) return ["", ""];
      isSaid = true;
      return this.#links.around(text, target);
    });
    if (node.visible === 0 && !isGraphic) {
      this.#writer.text(
        valueOf(node, "aria-label") || valueOf(node, "title") || "link",
      );
    }
    return step;
  }

  /** A date that is only shown as `3 days ago` is written in full. */
  #time(node: Node): Step {
    const date = valueOf(node, "datetime");
    if (
      date === "" || !isSmall(node) ||
      /\d{4}|\d:\d\d/.test(plainTextOf(node))
    ) return undefined;
    return () => this.#writer.text(` (${clipped(date, 40)})`);
  }

  #table(node: Node): Step {
    const isData = !this.#writer.isInRow && isDataTable(node);
    const own = isData ? { table: new Table(), cells: [] } : undefined;
    this.#tables.push(own);
    return () => {
      this.#tables.pop();
      if (own !== undefined) this.#writer.raw(own.table.lines());
    };
  }

  #row(node: Node): Step {
    const open = this.#tables.at(-1);
    if (open === undefined) {
      const zipped = zippedRow(node);
      if (zipped === undefined) return undefined;
      this.#writer.raw(["```", ...zipped, "```"]);
      return "skip";
    }
    if (this.#writer.isInRow) return undefined;
    this.#writer.startRow();
    open.cells = [];
    return () => open.table.addRow(this.#writer.endRow(), open.cells);
  }

  #cell(node: Node): Step {
    if (node.state & IS_GUTTER) return "skip";
    const open = this.#tables.at(-1);
    if (open === undefined || !this.#writer.isInRow) return undefined;
    open.cells.push(node);
    return () => this.#writer.endCell();
  }
}

/** Whether an element's text may be read before it is written: those in it are read too. */
function isSmall({ from, to }: Node): boolean {
  return to - from < 500;
}
