/** A JSON document as rows to search in: elements of arrays, members, and stretches of long strings. @module */
import {
  copyOf,
  type JsonChild,
  JsonChildren,
  keyOf,
} from "./json_children.ts";
import type { JsonSpan, JsonValues } from "./json_scan.ts";
import { kindAt } from "./json_tokens.ts";
import { keyText } from "./json_place.ts";
import { addWindows } from "./windows.ts";

/** A longer value is taken apart, in UTF-16 units. */
const LONGEST_ROW = 2_000;
/** Values deeper than this are cut into stretches, whatever they are. */
const MAX_DEPTH = 500;
/** Innermost steps of a place that are written. */
const MAX_STEPS = 40;

/** A value that was taken apart, and where it is in another; a document on its own is in none. */
interface Opened extends JsonChild {
  /** Index among those taken apart; -1 for none. */
  readonly parent: number;
  /** Its rows are stretches of its text; else its children. */
  readonly isCut: boolean;
}

/** Where a document stands in a larger one. */
export interface Standing {
  /** Place of the whole. */
  readonly place?: string;
  /** Index of its first element there, from 0. */
  readonly firstRow?: number;
}

/** The rows of a document, in order. */
export class JsonRows {
  /** Where a search for each row begins: before its key, and before the keys that lead to it alone. */
  readonly starts: number[] = [];
  /** Where each row begins, behind its key. */
  readonly from: number[] = [];
  /** Where it ends. */
  readonly to: number[] = [];
  readonly #json: JsonValues;
  readonly #standing: Standing;
  readonly #opened: Opened[] = [];
  /** Value that each row is in, as an index of `#opened`; -1 for a document. */
  readonly #parent: number[] = [];
  /** Begin of a key that no row has yet; -1 for none. */
  #lead = -1;

  /** Takes all values of `json` apart. O(n), not recursive. */
  constructor(json: JsonValues, standing: Standing = {}) {
    this.#json = json;
    this.#standing = standing;
    const isOne = json.spans.length === 1;
    json.spans.forEach(({ start, end }, index) => {
      const child = { index, start, end, key: -1, keyEnd: -1 };
      if (isOne || this.#mustOpen(child)) this.#openAll(child);
      else this.#add(child, -1);
    });
  }

  /** Number of rows. */
  get count(): number {
    return this.starts.length;
  }

  /** Places of some rows, given in order. O(siblings of them). */
  places(rows: readonly number[]): string[] {
    let parent = -1;
    let children: JsonChildren | undefined;
    return rows.map((row) => {
      const from = this.from[row]!;
      if (this.#parent[row] !== parent) {
        parent = this.#parent[row]!;
        const opened = this.#opened[parent];
        children = opened === undefined || opened.isCut
          ? undefined
          : new JsonChildren(this.#json, opened.start);
      }
      let place = parent < 0
        ? this.#documentPlace(from)
        : this.#placeOf(parent);
      if (children !== undefined) {
        while (children.start < from && children.next());
        place += this.#step(children, parent);
      } else if (parent >= 0) {
        const { start } = this.#opened[parent]!;
        place += `, characters ${from - start + 1}-${this.to[row]! - start}`;
      }
      return place.replace(/^\./, "");
    });
  }

  #documentPlace(start: number): string {
    const { place = "", firstRow = 0 } = this.#standing;
    const { spans } = this.#json;
    // Documents count from 1, as lines and notes do.
    const index = spans.findIndex((span) => span.start === start) + 1;
    return spans.length === 1 ? place : `${place}[${index + firstRow}]`;
  }

  /** Whether a value is too long for a row, or is rows itself. */
  #mustOpen({ start, end }: JsonSpan): boolean {
    const kind = kindAt(this.#json.text, start);
    if (kind === "scalar") return false;
    if (end - start > LONGEST_ROW) return true;
    if (kind !== "array") return false;
    const children = new JsonChildren(this.#json, start);
    return children.next() && /[[{]/.test(this.#json.text[children.start]!);
  }

  #openAll(root: JsonChild): void {
    const children = new JsonChildren(this.#json, root.start);
    const stack = [{ at: this.#open(root, -1, false), children }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { at, children } = top;
      if (!children.next()) {
        stack.pop();
      } else if (!this.#mustOpen(children)) {
        this.#add(children, at);
      } else {
        const { start, key } = children;
        if (this.#lead < 0) this.#lead = key < 0 ? start : key;
        const isCut = stack.length === MAX_DEPTH ||
          kindAt(this.#json.text, start) === "string";
        const inner = this.#open(copyOf(children), at, isCut);
        if (isCut) this.#addStretches(children, inner);
        else {
          const next = new JsonChildren(this.#json, start);
          stack.push({ at: inner, children: next });
        }
      }
    }
  }

  #open(child: JsonChild, parent: number, isCut: boolean): number {
    return this.#opened.push({ ...child, parent, isCut }) - 1;
  }

  #add({ start, end, key }: JsonChild, parent: number): void {
    const lead = key < 0 ? start : key;
    this.starts.push(this.#lead < 0 ? lead : this.#lead);
    this.#lead = -1;
    this.from.push(start);
    this.to.push(end);
    this.#parent.push(parent);
  }

  #addStretches(span: JsonSpan, parent: number): void {
    const starts: number[] = [];
    addWindows(starts, this.#json.text, span);
    starts.forEach((start, i) => {
      const end = starts[i + 1] ?? span.end;
      this.#add({ index: i, start, end, key: -1, keyEnd: -1 }, parent);
    });
  }

  #placeOf(opened: number): string {
    const steps: string[] = [];
    let at = opened;
    while (steps.length < MAX_STEPS) {
      const child = this.#opened[at]!;
      if (child.parent < 0) {
        steps.push(this.#documentPlace(child.start));
        return steps.reverse().join("");
      }
      steps.push(this.#step(child, child.parent));
      at = child.parent;
    }
    return "…" + steps.reverse().join("");
  }

  /** Way from a value that was taken apart to a child. */
  #step(child: JsonChild, parent: number): string {
    if (child.key >= 0) return keyText(keyOf(this.#json, child), false);
    const isTop = this.#opened[parent]!.parent < 0 &&
      this.#json.spans.length === 1;
    const base = isTop ? this.#standing.firstRow ?? 0 : 0;
    return `[${child.index + base}]`;
  }
}
