/** How each element is written. @module */
import type { Drops } from "./drops.ts";
import { FIELD_TAGS, fieldText, formText } from "./fields.ts";
import { leadsAway, type LinkWriter } from "./links.ts";
import { exactTextOf, fenced, languageOf } from "./listing.ts";
import { HAS_GRAPHIC, HAS_TABLE, type Measures } from "./measure.ts";
import { attributeOf, type Page, plainTextOf } from "./page.ts";
import { graphicText, mathText } from "./graphics.ts";
import { type Cell, isDataTable, spanOf, Table, zippedRow } from "./tables.ts";
import { HEADINGS } from "./tags.ts";
import { clipped } from "./text_size.ts";
import type { Writer } from "./writer.ts";

/** What the writing of one text needs. */
export interface Pen {
  readonly page: Page;
  readonly measures: Measures;
  readonly writer: Writer;
  readonly drops: Drops;
  readonly links: LinkWriter;
  /** Next number of each open list; 0 for lists with bullets. */
  readonly lists: number[];
  /** Open tables; `undefined` for those that only frame blocks. */
  readonly tables: (OpenTable | undefined)[];
  /** Open rows that only frame blocks. */
  rows: number;
}

/** A table whose rows are being written. */
export interface OpenTable {
  readonly table: Table;
  readonly spans: { columns: number; rows: number }[];
}

/** What happens after the start of an element: its content is skipped, or something follows it. */
export type Step = "skip" | (() => void) | undefined;
type Handler = (pen: Pen, node: number) => Step;

const PERMALINK = /^[#¶§🔗]*$/u;
const SKIP_LINK = /^(?:skip|jump) to\b/i;
/** Nodes of an element whose text is read before it is written. */
const FEW_NODES = 50;
/** Rows in rows that are looked at for listings beside each other. */
const DEEPEST_ROW = 3;
const LONGEST_DATE = 40;
const ORDINAL = /^(?:st|nd|rd|th|tm|sm|®|™)$/i;

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["a", writeLink],
  ["br", ({ writer }) => {
    writer.break();
    return "skip";
  }],
  ["pre", writeListing],
  ["code", writeCode],
  ["samp", writeCode],
  ["ul", (pen) => openList(pen, 0)],
  ["menu", (pen) => openList(pen, 0)],
  ["ol", (pen, node) => openList(pen, startOf(pen.page, node))],
  ["li", writeItem],
  ["dd", ({ writer }) => {
    writer.indent("  ");
    return () => writer.outdent();
  }],
  ["blockquote", ({ writer }) => {
    writer.indent("> ");
    return () => writer.outdent();
  }],
  ["table", openTable],
  ["tr", writeRow],
  ["td", writeCell],
  ["th", writeCell],
  ["form", (pen, node) => writeLine(pen, formText(pen.page, node))],
  ["sup", (pen) => raised(pen, "^")],
  ["sub", (pen) => raised(pen, "_")],
  ["del", (pen) => around(pen, "~~", "~~")],
  ["s", (pen) => around(pen, "~~", "~~")],
  ["strike", (pen) => around(pen, "~~", "~~")],
  ["q", (pen) => around(pen, '"', '"')],
  ["abbr", (pen, node) => explain(pen, attributeOf(pen.page, node, "title"))],
  ["time", writeTime],
  ["other", writeTime],
  ["math", (pen, node) => {
    pen.writer.text(mathText(pen.page, node));
    return "skip";
  }],
]);
const GRAPHICS = new Set(
  ["img", "svg", "iframe", "video", "audio", "object", "embed", "canvas"],
);

/** Writes the start of an element; what it says is done before or instead of its content. */
export function writeStart(pen: Pen, node: number): Step {
  const tag = pen.page.tags[node]!;
  const handler = HANDLERS.get(tag);
  if (handler !== undefined) return handler(pen, node);
  if (HEADINGS.has(tag)) return writeHeading(pen, Number(tag[1]));
  if (FIELD_TAGS.has(tag)) return writeField(pen, node);
  if (GRAPHICS.has(tag)) {
    const { text, left } = graphicText(pen.page, node);
    if (text !== "") pen.writer.text(text);
    pen.drops.add(tag, left);
    return "skip";
  }
  return undefined;
}

function writeLink(pen: Pen, node: number): Step {
  const { page, measures, writer } = pen;
  const target = attributeOf(page, node, "href") ?? "";
  const isEmpty = measures.text[node] === 0;
  if (measures.hints[node]?.isGutter) return "skip";
  if (target.startsWith("#") && isPermalink(pen, node)) return "skip";
  if (!leadsAway(target)) return undefined;
  let isTold = false;
  const span = writer.open((text) => {
    if (isTold) return ["", ""];
    isTold = true;
    return pen.links.wrap(text, target);
  });
  if (isEmpty && (measures.holds[node]! & HAS_GRAPHIC) === 0) {
    writer.text(
      attributeOf(page, node, "aria-label") ||
        attributeOf(page, node, "title") || "link",
    );
  }
  return () => writer.close(span);
}

/** A sign that links to its own heading, or a link over the parts above the main text. */
function isPermalink({ page, measures }: Pen, node: number): boolean {
  if (measures.holds[node]! & HAS_GRAPHIC || !isSmall(page, node)) return false;
  const text = plainTextOf(page, node);
  return PERMALINK.test(text) || SKIP_LINK.test(text);
}

function isSmall(page: Page, node: number): boolean {
  return page.ends[node]! - node < FEW_NODES;
}

function writeListing(pen: Pen, node: number): Step {
  const { page, measures, writer } = pen;
  if (measures.holds[node]! & HAS_TABLE) return undefined;
  const text = exactTextOf(page, measures, node);
  if (writer.isInRow) writer.exact(text.trim());
  else writer.raw(fenced(text, languageOf(page, node)));
  return "skip";
}

function writeCode(pen: Pen, node: number): Step {
  // Ticks around a link would hide it.
  if (pen.measures.links[node]! > 0) return undefined;
  const span = pen.writer.open((text) =>
    text.includes("`") ? ["", ""] : ["`", "`"]
  );
  return () => pen.writer.close(span);
}

function openList({ lists }: Pen, first: number): Step {
  lists.push(first);
  return () => lists.pop();
}

function startOf(page: Page, node: number): number {
  const start = Number(attributeOf(page, node, "start") ?? 1);
  return Number.isInteger(start) && start > 0 ? start : 1;
}

function writeItem({ writer, lists }: Pen): Step {
  const number = lists.at(-1) ?? 0;
  if (number > 0) lists[lists.length - 1] = number + 1;
  writer.indent("  ");
  writer.clearLead();
  writer.lead(number > 0 ? `${number}. ` : "- ");
  return () => {
    writer.outdent();
    writer.clearLead();
  };
}

function writeHeading({ writer }: Pen, level: number): Step {
  writer.lead(`${"#".repeat(level)} `);
  return () => {
    writer.break();
    writer.clearLead();
  };
}

function openTable(pen: Pen, node: number): Step {
  const { page, measures, writer, tables } = pen;
  const isData = !writer.isInRow && isDataTable(page, measures, node);
  const open = isData ? { table: new Table(), spans: [] } : undefined;
  tables.push(open);
  return () => {
    tables.pop();
    if (open !== undefined) writer.raw(open.table.lines());
  };
}

function writeRow(pen: Pen, node: number): Step {
  const { writer } = pen;
  const open = pen.tables.at(-1);
  if (open === undefined) return writeFrameRow(pen, node);
  if (writer.isInRow) return undefined;
  writer.startRow();
  open.spans.length = 0;
  return () => {
    const cells = writer.endRow().map((text, i): Cell => ({
      text,
      ...(open.spans[i] ?? { columns: 1, rows: 1 }),
    }));
    open.table.addRow(cells);
  };
}

function writeFrameRow(pen: Pen, node: number): Step {
  const zipped = pen.rows < DEEPEST_ROW
    ? zippedRow(pen.page, pen.measures, node)
    : undefined;
  if (zipped !== undefined) {
    pen.writer.raw(["```", ...zipped, "```"]);
    return "skip";
  }
  pen.rows++;
  return () => {
    pen.rows--;
  };
}

function writeCell(
  { page, measures, writer, tables }: Pen,
  node: number,
): Step {
  const open = tables.at(-1);
  if (measures.hints[node]?.isGutter) return "skip";
  if (open === undefined || !writer.isInRow) return undefined;
  open.spans.push(spanOf(page, node));
  return () => {
    writer.endCell();
  };
}

function writeField(pen: Pen, node: number): Step {
  // Spaces keep two fields in a row apart.
  pen.writer.text(` ${fieldText(pen.page, node)} `);
  return "skip";
}

function writeLine({ writer }: Pen, line: string): Step {
  if (line !== "") {
    writer.text(line);
    writer.break();
  }
  return undefined;
}

function raised(pen: Pen, sign: string): Step {
  const span = pen.writer.open((text) => {
    if (ORDINAL.test(text)) return ["", ""];
    return /^[\w*+†‡-]{1,12}$|^\[.*\]$/.test(text)
      ? [sign, ""]
      : [`${sign}(`, ")"];
  });
  return () => pen.writer.close(span);
}

function around(pen: Pen, before: string, after: string): Step {
  const span = pen.writer.open(() => [before, after]);
  return () => pen.writer.close(span);
}

function explain({ writer }: Pen, title: string | undefined): Step {
  return title ? () => writer.text(` (${title})`) : undefined;
}

/** A date that is only told as `3 days ago` is said in full. */
function writeTime({ page, writer }: Pen, node: number): Step {
  const date = attributeOf(page, node, "datetime");
  if (!date || !isSmall(page, node)) return undefined;
  if (/\d{4}|\d:\d\d/.test(plainTextOf(page, node))) return undefined;
  return () => writer.text(` (${clipped(date, LONGEST_DATE)})`);
}
