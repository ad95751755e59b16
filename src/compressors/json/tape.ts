/** A JSON text as flat arrays of spans: raw text kept, no values built. @module */
import type { Layout } from "./layout.ts";
import type { Shape } from "./shape.ts";

/** Kind of the document node, an array of the top-level values. */
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

/**
 * Nodes in document order; node 0 is the document. The first child of `node` is `node + 1`,
 * the sibling after `node` is `next[node]`, and the subtree of `node` ends before `next[node]`.
 */
export interface Tape {
  /** The values without insignificant white space; top-level values are separated by a newline. */
  readonly text: string;
  /** Number of nodes, the document included. */
  readonly length: number;
  /** Kind of each node. */
  readonly kind: Uint8Array;
  /** Offset in `text` of the first character of each node. */
  readonly start: Int32Array;
  /** Offset in `text` after the last character of each node. */
  readonly end: Int32Array;
  /** Index of the node after the subtree of each node. */
  readonly next: Int32Array;
  /** Children of each container. */
  readonly count: Int32Array;
  /** Offset in `text` of the first character of a member's key, after the quote; 0 outside objects. */
  readonly key: Int32Array;
  /** Id of the key sequence of each object; 0 for an object too wide for one. */
  readonly shape: Int32Array;
  /**
   * 1 for a container that holds, at any depth, a container of at least two containers or a long string with escapes,
   * and for such a string.
   */
  readonly tabular: Uint8Array;
  /** Shapes by id. */
  readonly shapes: readonly (Shape | undefined)[];
  /** How the text was laid out; `undefined` when no known layout gives the same text. */
  readonly layout: Layout | undefined;
  /** White space before the first value. */
  readonly before: string;
  /** White space after the last value. */
  readonly after: string;
}

/** Raw text of a node, minified. */
export function rawOf(tape: Tape, node: number): string {
  return tape.text.slice(tape.start[node], tape.end[node]);
}

/** Raw key of an object member, without quotes. In minified text the key ends two characters before its value. */
export function keyOf(tape: Tape, member: number): string {
  return tape.text.slice(tape.key[member], tape.start[member]! - 2);
}

/** Whether a node is an object or an array. */
export function isContainer(kind: number): boolean {
  return kind === OBJECT || kind === ARRAY;
}

/** The direct children of a container, in order. */
export function childrenOf(tape: Tape, node: number): Int32Array {
  const children = new Int32Array(tape.count[node]!);
  let child = node + 1;
  for (let i = 0; i < children.length; i++) {
    children[i] = child;
    child = tape.next[child]!;
  }
  return children;
}

/** Arrays that grow while a text is scanned; each array doubles when it is full. */
export class TapeWriter {
  /** Nodes written. */
  length = 0;
  /** See {@linkcode Tape}. */
  kind: Uint8Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  start: Int32Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  end: Int32Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  next: Int32Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  count: Int32Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  key: Int32Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  shape: Int32Array<ArrayBuffer>;
  /** See {@linkcode Tape}. */
  tabular: Uint8Array<ArrayBuffer>;

  /** Makes room for `capacity` nodes. */
  constructor(capacity: number) {
    this.kind = new Uint8Array(capacity);
    this.start = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
    this.count = new Int32Array(capacity);
    this.key = new Int32Array(capacity);
    this.shape = new Int32Array(capacity);
    this.tabular = new Uint8Array(capacity);
  }

  /** Adds a node that starts and ends at the given offsets; returns its index. */
  push(kind: number, start: number, end: number, key: number): number {
    const node = this.length;
    if (node === this.kind.length) this.#grow();
    this.kind[node] = kind;
    this.start[node] = start;
    this.end[node] = end;
    this.next[node] = node + 1;
    this.key[node] = key;
    this.length = node + 1;
    return node;
  }

  #grow(): void {
    const capacity = this.kind.length * 2;
    this.kind = copied(new Uint8Array(capacity), this.kind);
    this.start = copied(new Int32Array(capacity), this.start);
    this.end = copied(new Int32Array(capacity), this.end);
    this.next = copied(new Int32Array(capacity), this.next);
    this.count = copied(new Int32Array(capacity), this.count);
    this.key = copied(new Int32Array(capacity), this.key);
    this.shape = copied(new Int32Array(capacity), this.shape);
    this.tabular = copied(new Uint8Array(capacity), this.tabular);
  }
}

function copied<T extends Uint8Array | Int32Array>(to: T, from: T): T {
  to.set(from);
  return to;
}
