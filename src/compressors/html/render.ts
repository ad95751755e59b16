/** Writes a page, or the main part of it, as lines of Markdown-like text, with a note in place of each part left out. @module */
import { indexLines } from "../../text/lines.ts";
import { bestLines } from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { Links } from "../../text/html/links.ts";
import {
  LEAST_DATA,
  type Node,
  type Page,
  TEXT,
  valueOf,
  within,
} from "../../text/html/parse.ts";
import { grouped } from "../../text/html/phrases.ts";
import { BLOCKS, OTHER, UNSEEN } from "../../text/html/tags.ts";
import { Writer } from "../../text/html/writer.ts";
import { ElementStarts } from "./element_starts.ts";
import { dataOf, MISSED } from "./elements.ts";
import type { Region } from "./names.ts";
import { IS_ALERT, IS_EXACT, IS_MISSED, IS_UNSEEN } from "./node_bits.ts";
import { LONGEST_START, Omissions, regionNote } from "./omitted.ts";

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
/** Characters of a hidden part that is counted, and not described. */
const LEAST_HIDDEN = 40;
/** Lines of a part that stay for the question; a longer line about failures is prose about them. */
const MOST_RELEVANT = 8;
const LONGEST_FAILURE = 400;

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

/** An open element. */
interface Frame {
  readonly node: Node;
  next: number;
  readonly leave: (() => void) | undefined;
  /** Index of its first line, for an alert. */
  readonly alertFrom: number;
}

class Renderer {
  readonly #job: RenderJob;
  readonly writer = new Writer();
  /** Indexes of lines in an alert. */
  readonly alerts = new Set<number>();
  readonly #links: Links;
  readonly #omissions = new Omissions(this.writer);
  readonly #starts: ElementStarts;
  /** Offset after the last element whose content is written. */
  #leftAt = -1;

  constructor(job: RenderJob, links: Links) {
    this.#job = job;
    this.#links = links;
    this.#starts = new ElementStarts(this.writer, links, this.#omissions);
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
    this.#omissions.drop("comments", comments);
    this.#omissions.note(true);
  }

  #text({ text, state }: Node): void {
    if (text.trim() !== "") this.#omissions.note();
    if (state & IS_EXACT) this.writer.exact(text);
    else this.writer.text(text);
  }

  #enter(node: Node, open: Frame[], isRoot = false): void {
    const { writer } = this;
    this.#tellData(node);
    if (UNSEEN.has(node.tag) || node.tag === "head") {
      return this.#dropUnseen(node);
    }
    const region = isRoot ? undefined : this.#job.plan.get(node);
    if (region !== undefined) return this.#describe(node, region);
    const isBlock = BLOCKS.has(node.tag);
    if (isBlock) writer.break();
    else this.#setApart(node);
    const alertFrom = node.state & IS_ALERT ? writer.lines.length : -1;
    if (node.tag === "pre" || node.tag === "table") this.#omissions.note();
    if (node.state & IS_MISSED && node.tag !== "button") writer.text(MISSED);
    const step = this.#starts.start(node);
    if (step !== "skip") open.push({ node, next: 0, leave: step, alertFrom });
    else if (isBlock) writer.break();
  }

  /** Sets an element apart from the one right before it. */
  #setApart({ tag, from, state }: Node): void {
    if (from !== this.#leftAt || (state & IS_EXACT) !== 0) return;
    if (tag === "a") this.writer.text(" ");
    else if (APART.has(tag)) this.writer.seam();
  }

  /** Counts what no reader sees, and says which data it brings along. */
  #dropUnseen(node: Node): void {
    for (const each of within(node)) if (each !== node) this.#tellData(each);
    for (const each of node.tag === "head" ? node.children : [node]) {
      const isData = this.#job.written.has(each) ||
        dataOf(each).some(([, data]) => data.length >= LEAST_DATA);
      if (COUNTED.has(each.tag) && !isData) {
        this.#omissions.drop(each.tag, each.to - each.from);
      }
    }
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

  #tellData(node: Node): void {
    if (this.#job.written.has(node)) return;
    for (const [name, data] of dataOf(node)) {
      if (data.length >= LEAST_DATA) {
        this.#omissions.tell(`${name}, ${grouped(data.length)} characters`);
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
      this.#omissions.drop("hidden", node.to - node.from);
      return;
    }
    const note = regionNote(node, region, lines);
    const isWhole = region !== "hidden" &&
      length <= note.length + LONGEST_START;
    const keep = isWhole ? undefined : this.#keptOf(inner, region);
    const kept = lines.filter((_, i) => keep?.has(i) ?? true);
    if (kept.length < lines.length) this.#omissions.tell(note);
    if (kept.length === 0) return;
    this.writer.break();
    this.#omissions.note();
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
}
