/** Writes a page, or the main part of it, as lines of Markdown-like text, with a note in place of each part left out. @module */
import { indexLines } from "../../text/lines.ts";
import { bestLines } from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import {
  exactTextOf,
  fieldText,
  formText,
  graphicText,
  isDataTable,
  listingOf,
  MISSED,
  zippedRow,
} from "./elements.ts";
import { leadsAway, Links } from "../../text/html/links.ts";
import { clipped, counted, grouped } from "../../text/html/phrases.ts";
import {
  LEAST_DATA,
  type Node,
  type Page,
  plainTextOf,
  TEXT,
  textOf,
  valueOf,
  within,
} from "../../text/html/parse.ts";
import { BLOCKS, HEADINGS, OTHER, UNSEEN } from "../../text/html/tags.ts";
import {
  HAS_GRAPHIC,
  HAS_TABLE,
  IS_ALERT,
  IS_EXACT,
  IS_GUTTER,
  IS_MISSED,
  IS_UNSEEN,
  type Region,
} from "./regions.ts";
import { Table } from "../../text/html/table.ts";
import { Writer } from "../../text/html/writer.ts";

/** What is written. */
export interface RenderJob {
  readonly page: Page;
  /** Parts that are only described. */
  readonly plan: ReadonlyMap<Node, Region>;
  /** Words of the question. */
  readonly terms: readonly string[];
  /** Elements whose data is written elsewhere. */
  readonly written: ReadonlySet<Node>;
}

/** Elements that no reader sees and that are counted; others are markup. */
const COUNTED = new Set(["script", "style", "template", "noscript", "svg"]);
/** They are among the text; a note at each would be in its way. */
const AMONG_TEXT = new Set(["svg", "img", "canvas", "hidden"]);
/** Characters of others that make a note due; a shorter hidden part is counted too. */
const DUE = 2000;
const LEAST_HIDDEN = 40;
/** Names in a note, and UTF-16 units of one and of the start of a text. */
const MOST_NAMES = 5;
const LONGEST_NAME = 32;
const LONGEST_START = 60;
/** Lines of a part that stay for the question; a longer line about failures is prose about them. */
const MOST_RELEVANT = 8;
const LONGEST_FAILURE = 400;

const PERMALINK = /^[#¶§🔗]*$/u;
const SKIP_LINK = /^(?:skip|jump) to\b/i;
const ORDINAL = /^(?:st|nd|rd|th|tm|sm|®|™)$/i;
/** Neighbours of these kinds are often set apart by style alone. */
const APART = new Set([
  "span",
  "button",
  "label",
  "small",
  "time",
  "cite",
  OTHER,
]);
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
const FIELDS = new Set(["input", "select", "textarea", "button"]);
const AROUND: Readonly<Record<string, string>> = {
  del: "~~",
  s: "~~",
  strike: "~~",
  q: '"',
};

/** Lines of the whole page. O(n). */
export function renderPage(job: RenderJob): string[] {
  const links = new Links(targetsOf(job));
  const renderer = new Renderer(job, links);
  renderer.walk(job.page.root);
  renderer.finish(job.page.comments);
  const { lines } = renderer.writer;
  return links.start === "" ? lines : [`links: ~ = ${links.start}`, ...lines];
}

/** Targets of the links that are written. O(nodes). */
function targetsOf({ page: { root }, plan }: RenderJob): string[] {
  const targets: string[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (plan.has(node) || node.state & IS_UNSEEN) continue;
    if (node.tag === "a") targets.push(valueOf(node, "href"));
    for (const child of node.children) open.push(child);
  }
  return targets;
}

/** `JSON __NEXT_DATA__`, `attribute data-state`: names of the data that an element brings along, with the data. */
export function dataOf(
  node: Node,
): readonly (readonly [name: string, data: string])[] {
  if (node.tag === "script") {
    const type = valueOf(node, "type");
    if (!/json/i.test(type)) return [];
    const id = valueOf(node, "id");
    return [[
      `${/ld\+json/i.test(type) ? "JSON-LD" : "JSON"} ${id}`.trim(),
      textOf(node),
    ]];
  }
  const found: [string, string][] = [];
  for (const [name, value] of node.attributes) {
    if (value.length >= LEAST_DATA && name.startsWith("data-")) {
      found.push([`attribute ${name}`, value]);
    }
  }
  return found;
}

/** An open element. */
interface Frame {
  readonly node: Node;
  next: number;
  readonly leave: (() => void) | undefined;
  /** Index of its first line, for an alert. */
  readonly alertFrom: number;
}

/** What follows an element; `skip`: its content is not written. */
type Step = "skip" | (() => void) | undefined;

class Renderer {
  readonly #job: RenderJob;
  readonly writer = new Writer();
  /** Indexes of lines in an alert. */
  readonly alerts = new Set<number>();
  readonly #links: Links;
  /** Next number of each open list; 0 for lists with bullets. */
  readonly #lists: number[] = [];
  /** Open tables; `undefined` for those that only frame blocks. */
  readonly #tables: ({ readonly table: Table; cells: Node[] } | undefined)[] =
    [];
  /** What was left out since the last note: in words, and characters by element. */
  #told: string[] = [];
  #dropped = new Map<string, number>();
  #characters = 0;
  /** Those of them that may not go on without a note. */
  #due = 0;
  /** Offset after the last element whose content is written. */
  #leftAt = -1;

  constructor(job: RenderJob, links: Links) {
    this.#job = job;
    this.#links = links;
  }

  /** Writes a subtree. O(nodes). */
  walk(root: Node): void {
    const open: Frame[] = [];
    this.#enter(root, open, true);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const child = frame.node.children[frame.next++];
      if (child === undefined) this.#leave(open.pop());
      else if (child.tag === TEXT) this.#text(child);
      else this.#enter(child, open);
    }
    this.writer.break();
  }

  /** Ends the text with a note of what is not said yet. */
  finish(comments: number): void {
    this.writer.break();
    this.#drop("comments", comments);
    this.#note(true);
  }

  #text({ text, state }: Node): void {
    if (text.trim() !== "") this.#note();
    if (state & IS_EXACT) this.writer.exact(text);
    else this.writer.text(text);
  }

  #enter(node: Node, open: Frame[], isRoot = false): void {
    const { writer } = this;
    this.#tellData(node);
    if (UNSEEN.has(node.tag) || node.tag === "head") {
      for (const each of within(node)) if (each !== node) this.#tellData(each);
      for (const each of node.tag === "head" ? node.children : [node]) {
        const isData = this.#job.written.has(each) ||
          dataOf(each).some(([, data]) => data.length >= LEAST_DATA);
        if (COUNTED.has(each.tag) && !isData) {
          this.#drop(each.tag, each.to - each.from);
        }
      }
      return;
    }
    const region = isRoot ? undefined : this.#job.plan.get(node);
    if (region !== undefined) {
      this.#describe(node, region);
      return;
    }
    const isBlock = BLOCKS.has(node.tag);
    if (isBlock) writer.break();
    else if (node.from === this.#leftAt && (node.state & IS_EXACT) === 0) {
      if (node.tag === "a") writer.text(" ");
      else if (APART.has(node.tag)) writer.seam();
    }
    const alertFrom = node.state & IS_ALERT ? writer.lines.length : -1;
    if (node.tag === "pre" || node.tag === "table") this.#note();
    if (node.state & IS_MISSED && node.tag !== "button") writer.text(MISSED);
    const step = this.#start(node);
    if (step !== "skip") open.push({ node, next: 0, leave: step, alertFrom });
    else if (isBlock) writer.break();
  }

  #leave(frame: Frame | undefined): void {
    if (frame === undefined) return;
    const { node, leave, alertFrom } = frame;
    this.#leftAt = node.tag === "a" || APART.has(node.tag) ? node.to : -1;
    leave?.();
    if (BLOCKS.has(node.tag)) this.writer.break();
    if (alertFrom < 0) return;
    this.writer.break();
    for (let i = alertFrom; i < this.writer.lines.length; i++) {
      this.alerts.add(i);
    }
  }

  /** Writes the start of an element; what it says is done before or instead of its content. */
  #start(node: Node): Step {
    const { writer } = this;
    const { tag } = node;
    if (HEADINGS.has(tag)) {
      writer.lead(`${"#".repeat(Number(tag.slice(1)))} `);
      return () => {
        writer.break();
        writer.clearLead();
      };
    }
    if (FIELDS.has(tag)) {
      // Spaces keep two fields in a row apart.
      writer.text(` ${fieldText(node)} `);
      return "skip";
    }
    if (GRAPHICS.has(tag)) {
      const [text, left] = graphicText(node);
      writer.text(text);
      this.#drop(tag, left);
      return "skip";
    }
    // The number before a line of code.
    const isNumber = valueOf(node, "class") === "n" &&
      ((node.parent?.state ?? 0) & IS_EXACT) !== 0;
    if (isNumber) return () => writer.exact(" ");
    const sign = AROUND[tag];
    if (sign !== undefined) return this.#span(() => [sign, sign]);
    return tag.startsWith("t") ? this.#table(node) : this.#element(node);
  }

  #element(node: Node): Step {
    const { writer } = this;
    switch (node.tag) {
      case "a":
        return this.#link(node);
      case "br":
        writer.break();
        return "skip";
      case "pre":
        if (node.holds & HAS_TABLE) return undefined;
        if (writer.isInRow) writer.exact(exactTextOf(node).trim());
        else writer.raw(listingOf(node));
        return "skip";
      case "code":
      case "samp":
        // Ticks around a link would hide it.
        return node.links > 0
          ? undefined
          : this.#span((text) => text.includes("`") ? ["", ""] : ["`", "`"]);
      case "ul":
      case "menu":
      case "ol": {
        const start = Number(valueOf(node, "start") || 1);
        this.#lists.push(
          node.tag === "ol" && start > 0 ? Math.floor(start) : 0,
        );
        return () => this.#lists.pop();
      }
      case "li":
        return this.#item();
      case "dd":
      case "blockquote":
        writer.indent(node.tag === "dd" ? "  " : "> ");
        return () => writer.outdent();
      case "form": {
        const text = formText(node);
        if (text !== "") writer.raw([text]);
        return undefined;
      }
      case "sup":
      case "sub":
        return this.#raised(node.tag === "sup" ? "^" : "_");
      default:
        return this.#time(node);
    }
  }

  #span(wrap: (text: string) => readonly [string, string]): Step {
    const span = this.writer.open(wrap);
    return () => this.writer.close(span);
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
    const { writer } = this;
    const number = this.#lists.at(-1) ?? 0;
    if (number > 0) this.#lists[this.#lists.length - 1] = number + 1;
    writer.indent("  ");
    writer.clearLead();
    writer.lead(number > 0 ? `${number}. ` : "- ");
    return () => {
      writer.outdent();
      writer.clearLead();
    };
  }

  #link(node: Node): Step {
    const { writer } = this;
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
      writer.text(
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
    return () => this.writer.text(` (${clipped(date, 40)})`);
  }

  #table(node: Node): Step {
    const { writer } = this;
    const open = this.#tables.at(-1);
    if (node.tag === "table") {
      const isData = !writer.isInRow && isDataTable(node);
      const own = isData ? { table: new Table(), cells: [] } : undefined;
      this.#tables.push(own);
      return () => {
        this.#tables.pop();
        if (own !== undefined) writer.raw(own.table.lines());
      };
    }
    if (node.tag === "tr") {
      if (open === undefined) {
        const zipped = zippedRow(node);
        if (zipped === undefined) return undefined;
        writer.raw(["```", ...zipped, "```"]);
        return "skip";
      }
      if (writer.isInRow) return undefined;
      writer.startRow();
      open.cells = [];
      return () => open.table.addRow(writer.endRow(), open.cells);
    }
    if (node.tag !== "td" && node.tag !== "th") return this.#time(node);
    if (node.state & IS_GUTTER) return "skip";
    if (open === undefined || !writer.isInRow) return undefined;
    open.cells.push(node);
    return () => writer.endCell();
  }

  #tellData(node: Node): void {
    if (this.#job.written.has(node)) return;
    for (const [name, data] of dataOf(node)) {
      if (data.length >= LEAST_DATA) {
        this.#told.push(`${name}, ${grouped(data.length)} characters`);
      }
    }
  }

  /** Describes a part, and writes those of its lines that report a failure or fit the question. */
  #describe(node: Node, region: Region): void {
    const inner = new Renderer({ ...this.#job, plan: new Map() }, this.#links);
    inner.walk(node);
    const { lines } = inner.writer;
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (region === "hidden" && length <= LEAST_HIDDEN) {
      this.#drop("hidden", node.to - node.from);
      return;
    }
    const note = noteOf(node, region, lines);
    const isWhole = region !== "hidden" &&
      length <= note.length + LONGEST_START;
    const keep = isWhole ? undefined : this.#keptOf(inner, region);
    const kept = lines.filter((_, i) => keep?.has(i) ?? true);
    if (kept.length < lines.length) this.#told.push(note);
    if (kept.length === 0) return;
    this.writer.break();
    this.#note();
    this.writer.raw(kept);
  }

  #keptOf(
    { alerts, writer: { lines } }: Renderer,
    region: Region,
  ): Set<number> {
    // A hidden message has not been shown to anyone.
    const isHidden = region === "hidden";
    const keep = new Set(isHidden ? [] : alerts);
    const joined = indexLines(
      lines.map((line) => line.replaceAll("\n", " ")).join("\n"),
    );
    for (const [i, flags] of isHidden ? [] : severities(joined).entries()) {
      const line = lines[i] ?? "";
      if (
        flags & ERROR && line.length <= LONGEST_FAILURE && !line.includes("](")
      ) keep.add(i);
    }
    for (const { line } of bestLines(joined, this.#job.terms, MOST_RELEVANT)) {
      keep.add(line);
    }
    return keep;
  }

  #drop(name: string, characters: number): void {
    if (characters <= 0) return;
    this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1);
    this.#characters += characters;
    if (!AMONG_TEXT.has(name)) this.#due += characters;
  }

  /** Writes what was left out, where it is much and no line is begun. */
  #note(isLast = false): void {
    if (!isLast && this.#told.length === 0 && this.#due < DUE) return;
    if (!this.writer.isFresh) return;
    const kinds = [...this.#dropped].map(([name, count]) =>
      count === 1 ? name : `${grouped(count)} ${name}`
    );
    const count = this.#characters > 0
      ? [`${counted(this.#characters, "character")} of ${kinds.join(", ")}`]
      : [];
    const parts = [...this.#told, ...count];
    if (parts.length > 0) this.writer.raw([`… omitted: ${parts.join("; ")}`]);
    this.#told = [];
    this.#dropped = new Map();
    this.#characters = 0;
    this.#due = 0;
  }
}

/** Whether an element's text may be read before it is written: those in it are read too. */
function isSmall({ from, to }: Node): boolean {
  return to - from < 500;
}

/** `nav, 48 links (Home, Docs, …)`. */
function noteOf(node: Node, region: Region, lines: readonly string[]): string {
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
