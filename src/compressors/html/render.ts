/** Writes a page, or the main part of it, as lines of Markdown-like text. @module */
import { Drops } from "./drops.ts";
import { type OpenTable, type Pen, type Step, writeStart } from "./elements.ts";
import { describeGroup } from "./groups.ts";
import type { Region } from "./hints.ts";
import type { LinkWriter } from "./links.ts";
import { MISSED } from "./listing.ts";
import { IS_EXACT, type Measures } from "./measure.ts";
import type { Page } from "./page.ts";
import type { Plan } from "./regions.ts";
import { attributeData, dataText, scriptData } from "./scripts.ts";
import { BLOCKS, TEXT, UNSEEN } from "./tags.ts";
import { Writer } from "./writer.ts";

/** Elements that no reader sees and that are told of; others are markup. */
const TOLD = new Set(["script", "style", "template", "noscript", "svg"]);
/** A shorter hidden part is counted and not told of. UTF-16 units. */
const LEAST_HIDDEN = 40;

/** What is written. */
export interface RenderJob {
  readonly page: Page;
  readonly measures: Measures;
  /** Parts to tell of. */
  readonly plan: Plan;
  readonly links: LinkWriter;
  /** Words of the query. */
  readonly terms: readonly string[];
  /** Elements whose data is written elsewhere. */
  readonly written: ReadonlySet<number>;
}

/** Lines of the whole page, with a note in the place of what is left out. O(n). */
export function renderPage(job: RenderJob): string[] {
  const renderer = new Renderer(job);
  renderer.walk(0);
  return renderer.finish();
}

/** Neighbours of these kinds are often set apart by style alone. */
const APART = new Set(
  ["a", "span", "button", "label", "small", "time", "cite", "other"],
);

interface Frame {
  readonly node: number;
  readonly end: number;
  readonly isBlock: boolean;
  readonly leave: (() => void) | undefined;
  readonly alertFrom: number;
}

class Renderer {
  readonly #job: RenderJob;
  readonly #pen: Pen;
  /** Indexes of lines that stand in an alert. */
  readonly alerts = new Set<number>();
  /** Offset in the source after the last element whose content is written. */
  #leftAt = -1;
  /** Index of the next long attribute. */
  #blob = 0;

  constructor(job: RenderJob) {
    this.#job = job;
    this.#pen = {
      page: job.page,
      measures: job.measures,
      writer: new Writer(),
      drops: new Drops(),
      links: job.links,
      lists: [],
      tables: [] as (OpenTable | undefined)[],
      rows: 0,
    };
  }

  get lines(): string[] {
    return this.#pen.writer.lines;
  }

  /** Ends the text with what is not told yet. */
  finish(): string[] {
    const { writer, drops } = this.#pen;
    writer.break();
    drops.add("comments", this.#job.page.comments);
    const note = drops.take();
    if (note !== undefined) writer.raw([note]);
    return writer.lines;
  }

  walk(root: number): void {
    const { page } = this.#job;
    const open: Frame[] = [];
    const end = page.ends[root]!;
    for (let i = root; i < end;) {
      while (open.length > 0 && open.at(-1)!.end <= i) this.#leave(open.pop()!);
      if (page.tags[i] === TEXT) {
        this.#writeText(i);
        i++;
        continue;
      }
      this.#tellData(i);
      const frame = this.#enter(i, root);
      if (frame === undefined) i = page.ends[i]!;
      else {
        open.push(frame);
        i++;
      }
    }
    while (open.length > 0) this.#leave(open.pop()!);
    this.#pen.writer.break();
  }

  #writeText(node: number): void {
    const { page, measures } = this.#job;
    const text = page.texts[node]!;
    if (text.trim() !== "") this.#noteIfDue();
    if (measures.state[node]! & IS_EXACT) this.#pen.writer.exact(text);
    else this.#pen.writer.text(text);
  }

  /** `undefined` when the content is skipped. */
  #enter(node: number, root: number): Frame | undefined {
    const { page, measures, plan } = this.#job;
    const { writer } = this.#pen;
    const tag = page.tags[node]!;
    if (this.#isSkipped(node)) return undefined;
    const region = node === root ? undefined : plan.get(node);
    if (region !== undefined) {
      this.#tellRegion(node, region);
      return undefined;
    }
    const hint = measures.hints[node];
    const isBlock = BLOCKS.has(tag);
    if (isBlock) writer.break();
    else if (page.from[node] === this.#leftAt) this.#separate(node, tag);
    const alertFrom = hint?.isAlert ? writer.lines.length : -1;
    if (tag === "pre" || tag === "table") this.#noteIfDue();
    if (hint?.isMissed && tag !== "button") writer.text(MISSED);
    const step: Step = writeStart(this.#pen, node);
    if (step === "skip") {
      if (isBlock) writer.break();
      return undefined;
    }
    const isNumber = hint?.isLineNumber &&
      measures.hints[page.parents[node]!]?.isCodeLine;
    const leave = isNumber ? () => writer.exact(" ") : step;
    return { node, end: page.ends[node]!, isBlock, leave, alertFrom };
  }

  /** Keeps an element that follows another one without any space from running into it. */
  #separate(node: number, tag: string): void {
    const { measures } = this.#job;
    if (!APART.has(tag) || measures.state[node]! & IS_EXACT) return;
    if (tag === "a") this.#pen.writer.text(" ");
    else this.#pen.writer.seam();
  }

  #leave({ node, leave, isBlock, alertFrom }: Frame): void {
    const { writer } = this.#pen;
    const { page } = this.#job;
    this.#leftAt = APART.has(page.tags[node]!) ? page.to[node]! : -1;
    leave?.();
    if (isBlock) writer.break();
    if (alertFrom < 0) return;
    writer.break();
    for (let i = alertFrom; i < writer.lines.length; i++) this.alerts.add(i);
  }

  #tellData(node: number): void {
    const { page, written } = this.#job;
    for (
      let blob = page.blobs[this.#blob];
      blob !== undefined && blob.node <= node;
      blob = page.blobs[++this.#blob]
    ) {
      if (blob.node === node && !written.has(node)) {
        this.#pen.drops.tell(dataText(attributeData(blob)));
      }
    }
  }

  /** Whether nothing of the node is written; if so, it is counted. */
  #isSkipped(node: number): boolean {
    const { page } = this.#job;
    const { drops } = this.#pen;
    const tag = page.tags[node]!;
    const size = page.to[node]! - page.from[node]!;
    if (tag === "head") {
      for (let i = node + 1; i < page.ends[node]!; i = page.ends[i]!) {
        this.#isSkipped(i);
      }
      return true;
    }
    if (UNSEEN.has(tag)) {
      if (!TOLD.has(tag)) return true;
      if (this.#job.written.has(node)) return true;
      const data = scriptData(page, node);
      if (data === undefined) drops.add(tag, size);
      else drops.tell(dataText(data));
      return true;
    }
    return false;
  }

  #tellRegion(node: number, region: Region): void {
    const { page, terms } = this.#job;
    const { writer, drops } = this.#pen;
    const inner = new Renderer({ ...this.#job, plan: new Map() });
    inner.walk(node);
    const { lines, alerts } = inner;
    const text = lines.join("\n");
    if (region === "hidden" && text.length < LEAST_HIDDEN) {
      drops.add("hidden", page.to[node]! - page.from[node]!);
      return;
    }
    const told = describeGroup({ page, node, region, lines, alerts, terms });
    if (told.note !== undefined) drops.tell(told.note);
    if (told.kept.length === 0) return;
    writer.break();
    this.#noteIfDue();
    writer.raw(told.kept);
  }

  #noteIfDue(): void {
    const { writer, drops } = this.#pen;
    if (!drops.isDue || !writer.isFresh) return;
    writer.raw([drops.take()!]);
  }
}
