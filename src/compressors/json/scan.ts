/** One pass over a JSON text: validates, minifies, finds its layout and writes its tape. @module */
import { MAX_DEPTH } from "./defaults.ts";
import { MIN_EMBEDDED } from "./embedded.ts";
import { LayoutProbe, skipSpace } from "./layout.ts";
import {
  MAX_SHAPE_KEYS,
  nameOf,
  namesOf,
  type Shape,
  Shapes,
} from "./shape.ts";
import {
  ARRAY,
  ESCAPED,
  FALSE,
  isContainer,
  NULL,
  NUMBER,
  OBJECT,
  ROOT,
  STRING,
  type Tape,
  TapeWriter,
  TRUE,
} from "./tape.ts";
import { endOfNumber, endOfString } from "../../text/json/tokens.ts";

/** Why a text has no tape. */
export type ScanFailure = "invalid_json" | "too_deep" | "duplicate_keys";

/**
 * Scans one object or array, or several of them separated by white space. Linear, not recursive.
 *
 * @param text Any text.
 * @returns The tape, or why there is none: the first problem met.
 */
export function scanJson(text: string): Tape | ScanFailure {
  return new Scanner(text).scan();
}

const WORDS = new Map([[0x74, "true"], [0x66, "false"], [0x6e, "null"]]);
const WORD_KINDS = new Map([[0x74, TRUE], [0x66, FALSE], [0x6e, NULL]]);

class Scanner {
  readonly #text: string;
  readonly #nodes: TapeWriter;
  readonly #probe: LayoutProbe;
  readonly #shapes = new Shapes();
  /** Open containers by depth; depth 0 is the document. */
  readonly #open = new Int32Array(MAX_DEPTH + 1);
  /** Keys so far of the open object of each depth; `undefined` for arrays and dictionaries. */
  readonly #shape: (Shape | undefined)[] = new Array(MAX_DEPTH + 1);
  /** Names so far of the open object of each depth, once it is a dictionary. */
  readonly #names: (Set<string> | undefined)[] = new Array(MAX_DEPTH + 1);
  readonly #chunks: string[] = [];
  #depth = 0;
  #at = 0;
  /** Offset after what `#chunks` holds. */
  #copied = 0;
  /** Characters of white space left out so far: what an offset moves by in minified text. */
  #removed = 0;
  #failure: ScanFailure = "invalid_json";

  constructor(text: string) {
    this.#text = text;
    this.#nodes = new TapeWriter(64 + (text.length >> 3));
    this.#probe = new LayoutProbe(text);
  }

  scan(): Tape | ScanFailure {
    const text = this.#text;
    this.#at = skipSpace(text, 0);
    const before = text.slice(0, this.#at);
    this.#copied = this.#removed = this.#at;
    this.#nodes.push(ROOT, 0, 0, 0);
    let last = 0;
    for (;;) {
      if (!this.#topLevel()) return this.#failure;
      last = this.#at;
      this.#at = skipSpace(text, last);
      if (this.#at === text.length) break;
      this.#separate(last);
    }
    return this.#tape(before, last);
  }

  /** Scans one object or array of depth 1 and all that is in it. */
  #topLevel(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== 0x7b && code !== 0x5b) return false;
    if (!this.#value(0)) return false;
    while (this.#depth > 0) {
      if (!this.#next()) return false;
    }
    return true;
  }

  /** Scans what follows in the innermost open container: its next value, or its end. */
  #next(): boolean {
    const text = this.#text;
    const node = this.#open[this.#depth]!;
    const nodes = this.#nodes;
    const from = this.#at;
    let code = text.charCodeAt(from);
    if (code <= 32) code = text.charCodeAt(this.#at = skipSpace(text, from));
    const isObject = nodes.kind[node] === OBJECT;
    if (code === (isObject ? 0x7d : 0x5d)) {
      if (nodes.count[node] === 0) this.#probe.none(from, this.#at);
      else this.#probe.closing(from, this.#at, this.#depth - 1);
      this.#drop(from);
      this.#close(node);
      return true;
    }
    let start = from;
    if (nodes.count[node] === 0) {
      this.#probe.opened(from, this.#at, this.#depth);
    } else {
      if (code !== 0x2c) return false;
      this.#probe.none(from, this.#at);
      this.#drop(from);
      start = ++this.#at;
      if (text.charCodeAt(start) <= 32) this.#at = skipSpace(text, start);
      this.#probe.comma(start, this.#at, this.#depth);
    }
    this.#drop(start);
    return isObject ? this.#member() : this.#value(0);
  }

  /** Scans a key, its colon and the start of its value. */
  #member(): boolean {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(start) !== 0x22) return false;
    const end = Math.abs(endOfString(text, start));
    if (end === 0 || !this.#name(start + 1, end - 1)) return false;
    const key = start + 1 - this.#removed;
    this.#at = end;
    if (text.charCodeAt(end) <= 32) this.#at = skipSpace(text, end);
    this.#probe.none(end, this.#at);
    this.#drop(end);
    if (text.charCodeAt(this.#at) !== 0x3a) return false;
    const colon = ++this.#at;
    if (text.charCodeAt(colon) <= 32) this.#at = skipSpace(text, colon);
    this.#probe.colon(colon, this.#at);
    this.#drop(colon);
    return this.#value(key);
  }

  /** Takes the key `[from, to)` into the shape of the open object; false for its second copy. */
  #name(from: number, to: number): boolean {
    const text = this.#text;
    const depth = this.#depth;
    const shape = this.#shape[depth];
    const latest = shape?.latest;
    if (
      latest !== undefined && latest.key.length === to - from &&
      text.startsWith(latest.key, from)
    ) {
      this.#shape[depth] = latest;
      return true;
    }
    const key = text.slice(from, to);
    if (shape !== undefined && shape.size < MAX_SHAPE_KEYS) {
      this.#shape[depth] = this.#shapes.extend(shape, key);
      if (this.#shape[depth] !== undefined) return true;
    } else {
      const names = this.#names[depth] ??= namesOf(shape!);
      this.#shape[depth] = undefined;
      const size = names.size;
      if (names.add(nameOf(key)).size > size) return true;
    }
    this.#failure = "duplicate_keys";
    return false;
  }

  /** Scans a scalar whole, or the opening bracket of a container. `key`: minified offset of its key. */
  #value(key: number): boolean {
    const text = this.#text;
    const at = this.#at;
    const code = text.charCodeAt(at);
    const parent = this.#open[this.#depth]!;
    const nodes = this.#nodes;
    nodes.count[parent] = nodes.count[parent]! + 1;
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (end === 0) return false;
      return this.#leaf(end < 0 ? ESCAPED : STRING, Math.abs(end), key);
    }
    if (code === 0x7b) return this.#enter(OBJECT, key);
    if (code === 0x5b) return this.#enter(ARRAY, key);
    const word = WORDS.get(code);
    if (word !== undefined) {
      return text.startsWith(word, at) &&
        this.#leaf(WORD_KINDS.get(code)!, at + word.length, key);
    }
    const end = endOfNumber(text, at);
    return end > 0 && this.#leaf(NUMBER, end, key);
  }

  #leaf(kind: number, end: number, key: number): true {
    const removed = this.#removed;
    const nodes = this.#nodes;
    const node = nodes.push(kind, this.#at - removed, end - removed, key);
    if (kind === ESCAPED && end - this.#at >= MIN_EMBEDDED) {
      nodes.tabular[node] = nodes.tabular[this.#open[this.#depth]!] = 1;
    }
    this.#at = end;
    return true;
  }

  #enter(kind: number, key: number): boolean {
    if (this.#depth === MAX_DEPTH) {
      this.#failure = "too_deep";
      return false;
    }
    const start = this.#at++ - this.#removed;
    const depth = ++this.#depth;
    this.#open[depth] = this.#nodes.push(kind, start, start, key);
    this.#shape[depth] = kind === OBJECT ? this.#shapes.empty : undefined;
    this.#names[depth] = undefined;
    return true;
  }

  #close(node: number): void {
    const nodes = this.#nodes;
    nodes.end[node] = ++this.#at - this.#removed;
    nodes.next[node] = nodes.length;
    nodes.shape[node] = this.#shape[this.#depth]?.id ?? 0;
    this.#depth--;
    if (nodes.tabular[node] === 0 && nodes.count[node]! >= 2) {
      // Two containers among the first three children: worth a closer look.
      const second = nodes.next[node + 1]!;
      const third = nodes.count[node]! > 2 ? nodes.next[second]! : second;
      const found = +isContainer(nodes.kind[node + 1]!) +
        +isContainer(nodes.kind[second]!) +
        (third === second ? 0 : +isContainer(nodes.kind[third]!));
      if (found >= 2) nodes.tabular[node] = 1;
    }
    if (nodes.tabular[node] === 1) nodes.tabular[this.#open[this.#depth]!] = 1;
  }

  /** Leaves out the white space from `from` to here. */
  #drop(from: number): void {
    if (from === this.#at) return;
    this.#chunks.push(this.#text.slice(this.#copied, from));
    this.#removed += this.#at - from;
    this.#copied = this.#at;
  }

  /** Puts one newline between two top-level values. */
  #separate(from: number): void {
    this.#probe.between(from, this.#at);
    if (this.#at - from === 1 && this.#text.charCodeAt(from) === 10) return;
    this.#chunks.push(this.#text.slice(this.#copied, from), "\n");
    this.#removed += this.#at - from - 1;
    this.#copied = this.#at;
  }

  #tape(before: string, last: number): Tape {
    const nodes = this.#nodes;
    const after = this.#text.slice(last);
    this.#chunks.push(this.#text.slice(this.#copied, last));
    const text = this.#chunks.length === 1
      ? this.#chunks[0]!
      : this.#chunks.join("");
    nodes.end[0] = text.length;
    nodes.next[0] = nodes.length;
    const layout = this.#probe.layout(nodes.count[0]! > 1);
    const { kind, start, end, next, count, key, shape, tabular, length } =
      nodes;
    const shapes = this.#shapes.all;
    return {
      text,
      length,
      kind,
      start,
      end,
      next,
      count,
      key,
      shape,
      tabular,
      shapes,
      layout,
      before,
      after,
    };
  }
}
