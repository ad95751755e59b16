/** The values of a JSON text as one flat array of offsets: no value is built. @module */

/** Kind of the document, the list of the top-level values. */
export const ROOT = 0;
/** Kind of an object. */
export const OBJECT = 1;
/** Kind of an array. */
export const ARRAY = 2;
/** Kind of a string without escapes. */
export const STRING = 3;
/** Kind of a string with at least one backslash. */
export const ESCAPED = 4;
/** Kind of a number. */
export const NUMBER = 5;
/** Kind of `true`. */
export const TRUE = 6;
/** Kind of `false`. */
export const FALSE = 7;
/** Kind of `null`. */
export const NULL = 8;

const START = 1;
const END = 2;
const NEXT = 3;
const COUNT = 4;
const KEY = 5;
const PARENT = 6;
/** A node has `2 ** WIDTH` cells. */
const WIDTH = 3;

/**
 * Nodes in document order; node 0 is the document. The first child of `node` is `node + 1`, the sibling after
 * `node` is `next(node)`, and the subtree of `node` ends before `next(node)`. Every method is O(1) unless it says more.
 */
export class Tape {
  /** What offsets refer to. */
  readonly text: string;
  /** Number of nodes, the document included. */
  readonly length: number;
  readonly #cells: Int32Array;

  /** Wraps what a {@linkcode TapeWriter} has written. */
  constructor(text: string, length: number, cells: Int32Array) {
    this.text = text;
    this.length = length;
    this.#cells = cells;
  }

  /** One of the constants of this module; {@linkcode ROOT} for a node that is not there. */
  kind(node: number): number {
    return this.#cells[node << WIDTH] ?? 0;
  }

  /** Offset of the first character. */
  start(node: number): number {
    return this.#cells[(node << WIDTH) + START] ?? 0;
  }

  /** Offset after the last character. */
  end(node: number): number {
    return this.#cells[(node << WIDTH) + END] ?? 0;
  }

  /** Characters. */
  size(node: number): number {
    return this.end(node) - this.start(node);
  }

  /** The node after the subtree. */
  next(node: number): number {
    return this.#cells[(node << WIDTH) + NEXT] ?? this.length;
  }

  /** Children of a container; 0 for everything else. */
  count(node: number): number {
    return this.#cells[(node << WIDTH) + COUNT] ?? 0;
  }

  /** Offset of the opening quote of a member's key; -1 outside objects. */
  keyStart(node: number): number {
    return this.#cells[(node << WIDTH) + KEY] ?? -1;
  }

  /** The container that a node is in; 0 for the document itself. */
  parent(node: number): number {
    return this.#cells[(node << WIDTH) + PARENT] ?? 0;
  }

  /** Whether a node is an object or array. */
  isContainer(node: number): boolean {
    const kind = this.kind(node);
    return kind === OBJECT || kind === ARRAY;
  }

  /** Whether a node is a string. */
  isString(node: number): boolean {
    const kind = this.kind(node);
    return kind === STRING || kind === ESCAPED;
  }

  /** Text of a node as it is written. O(its length). */
  raw(node: number): string {
    return this.text.slice(this.start(node), this.end(node));
  }

  /** Raw content of a string, its quotes left off. O(its length). */
  content(node: number): string {
    return this.text.slice(this.start(node) + 1, this.end(node) - 1);
  }

  /** Raw key of a member, without quotes; empty outside objects. O(its length). */
  key(node: number): string {
    const from = this.keyStart(node) + 1;
    return from === 0 ? "" : this.text.slice(from, this.keyEnd(node));
  }

  /** Offset of the closing quote of a member's key. O(white space around its colon). */
  keyEnd(node: number): number {
    let at = this.start(node) - 2;
    // In minified text the quote is two characters before the value.
    while (this.text.charCodeAt(at) !== 0x22) at--;
    return at;
  }

  /** The direct children of a container, in order. O(children). */
  children(node: number): Int32Array {
    const children = new Int32Array(this.count(node));
    let child = node + 1;
    for (let i = 0; i < children.length; i++) {
      children[i] = child;
      child = this.next(child);
    }
    return children;
  }

  /** The member of an object with this raw key, the last of several; 0 when there is none. O(members). */
  member(object: number, key: string): number {
    let child = object + 1;
    let found = 0;
    for (let i = this.count(object); i > 0; i--) {
      if (this.hasKey(child, key)) found = child;
      child = this.next(child);
    }
    return found;
  }

  /** Whether a node is a member with this raw key. O(key). */
  hasKey(node: number, key: string): boolean {
    const from = this.keyStart(node) + 1;
    if (from === 0) return false;
    for (let i = 0; i < key.length; i++) {
      if (this.text.charCodeAt(from + i) !== key.charCodeAt(i)) return false;
    }
    return this.text.charCodeAt(from + key.length) === 0x22;
  }

  /** The last node that starts at or before an offset. O(log n). */
  at(offset: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Takes the nodes of a text in document order. */
export class TapeWriter {
  /** Nodes written. */
  length = 0;
  /** The innermost container that is open. */
  open = 0;
  #cells: Int32Array<ArrayBuffer>;

  /** Makes room for `capacity` nodes and writes the document. */
  constructor(capacity: number) {
    this.#cells = new Int32Array(capacity << WIDTH);
    this.push(ROOT, 0, -1);
  }

  /** Adds a child of the open container that starts at `start`; returns it. */
  push(kind: number, start: number, key: number): number {
    const node = this.length++;
    const at = node << WIDTH;
    if (at === this.#cells.length) this.#grow();
    const cells = this.#cells;
    cells[at] = kind;
    cells[at + START] = start;
    cells[at + NEXT] = node + 1;
    cells[at + KEY] = key;
    cells[at + PARENT] = this.open;
    if (node > 0) {
      const count = (this.open << WIDTH) + COUNT;
      cells[count] = (cells[count] ?? 0) + 1;
    }
    return node;
  }

  /** Sets where a node ends. */
  finish(node: number, end: number): void {
    this.#cells[(node << WIDTH) + END] = end;
  }

  /** Closes the innermost open container at `end`; its parent is open then. */
  close(end: number): void {
    const at = this.open << WIDTH;
    this.#cells[at + END] = end;
    this.#cells[at + NEXT] = this.length;
    this.open = this.#cells[at + PARENT] ?? 0;
  }

  /** Children so far of the innermost open container. */
  get count(): number {
    return this.#cells[(this.open << WIDTH) + COUNT] ?? 0;
  }

  /** Kind of the innermost open container. */
  get kind(): number {
    return this.#cells[this.open << WIDTH] ?? 0;
  }

  /** The tape; nothing may be open. */
  tape(text: string): Tape {
    this.finish(0, text.length);
    this.#cells[NEXT] = this.length;
    return new Tape(text, this.length, this.#cells);
  }

  #grow(): void {
    const cells = new Int32Array(this.#cells.length * 2);
    cells.set(this.#cells);
    this.#cells = cells;
  }
}
