/** A JSON document as rows to search in: elements of arrays, members, and stretches of long strings. @module */
import { endOf, type JsonValues } from "../../text/json/find.ts";
import { ARRAY } from "../../text/json/tape.ts";
import { keyText } from "./json_place.ts";
import { keyOf } from "./json_walk.ts";
import { matchText, type Piece } from "./piece.ts";
import { findUnits } from "./search.ts";
import { addWindows } from "./windows.ts";

/** A longer value is taken apart, in UTF-16 units. */
const LONGEST_ROW = 2_000;
/** Values deeper than this are cut into stretches, whatever they are. */
const MAX_DEPTH = 500;
/** Innermost steps of a place that are written. */
const MAX_STEPS = 40;

/** Elements, members or parts of them with a match: `items[3]: {"name":…}`, the text as it is written. O(n). */
export function matchRows(
  piece: Piece,
  json: JsonValues,
  query: string,
): Piece {
  const rows = new JsonRows(json, piece);
  const whole = json.tape.text;
  const text = whole.slice(0, endOf(json));
  const starts = Uint32Array.from([...rows.starts, text.length + 1]);
  const escaped = JSON.stringify(query.trim()).slice(1, -1);
  const { count, best } = findUnits({ text, starts }, query, [escaped]);
  const places = rows.places(best);
  const lines = best.map((row, i) =>
    `${places[i]}: ${whole.slice(rows.from[row], rows.to[row])}\n`
  );
  const total = rows.count;
  const said = matchText(query, {
    shown: best.length,
    count,
    total,
    noun: "rows",
  });
  return {
    text: lines.join(""),
    way: "lines",
    items: best.length,
    said: [...piece.said, said],
  };
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
  /** The value that each row is, or is a stretch of. */
  readonly #nodes: number[] = [];
  readonly #json: JsonValues;
  readonly #standing: Standing;
  /** Latest child looked for in an array, and its index: rows ascend. */
  readonly #latest = new Map<number, { node: number; index: number }>();

  /** Takes all values of `json` apart. O(n), not recursive. */
  constructor(json: JsonValues, standing: Standing = {}) {
    this.#json = json;
    this.#standing = standing;
    for (const value of json.values) this.#addAll(value);
  }

  /** Number of rows. */
  get count(): number {
    return this.starts.length;
  }

  /** Places of some rows, given in order. O(siblings of them). */
  places(rows: readonly number[]): string[] {
    const { tape } = this.#json;
    return rows.map((row) => {
      const node = this.#nodes[row] ?? 0;
      const [from = 0, to = 0] = [this.from[row], this.to[row]];
      const isPart = to - from < tape.size(node);
      const start = tape.start(node);
      const part = isPart
        ? `, characters ${from - start + 1}-${to - start}`
        : "";
      return (this.#place(node) + part).replace(/^\./, "");
    });
  }

  #addAll(value: number): void {
    const { tape, values } = this.#json;
    const isOne = values.length === 1;
    // Nodes after the containers that were taken apart, innermost last.
    const opened: number[] = [];
    // Begin of a key that no row has yet; -1 for none.
    let lead = -1;
    for (let node = value; node < tape.next(value);) {
      while ((opened.at(-1) ?? Infinity) <= node) opened.pop();
      const key = tape.keyStart(node);
      if (lead < 0 && node > value) lead = key < 0 ? tape.start(node) : key;
      const isOpened = (node === value && isOne) || this.#mustOpen(node);
      if (
        isOpened && tape.isContainer(node) && opened.length < MAX_DEPTH
      ) {
        opened.push(tape.next(node++));
        continue;
      }
      const before = lead < 0 ? tape.start(node) : lead;
      lead = -1;
      if (isOpened) this.#addStretches(node, before);
      else {this.#add(node, {
          before,
          from: tape.start(node),
          to: tape.end(node),
        });}
      node = tape.next(node);
    }
  }

  /** Whether a value is too long for a row, or is rows itself. */
  #mustOpen(node: number): boolean {
    const { tape } = this.#json;
    if (!tape.isContainer(node) && !tape.isString(node)) return false;
    return tape.size(node) > LONGEST_ROW ||
      (tape.kind(node) === ARRAY && tape.count(node) > 0 &&
        tape.isContainer(node + 1));
  }

  #add(
    node: number,
    { before, from, to }: Readonly<Record<"before" | "from" | "to", number>>,
  ): void {
    this.starts.push(before);
    this.from.push(from);
    this.to.push(to);
    this.#nodes.push(node);
  }

  #addStretches(node: number, before: number): void {
    const { tape } = this.#json;
    const span = { start: tape.start(node), end: tape.end(node) };
    const starts: number[] = [];
    addWindows(starts, tape.text, span);
    starts.forEach((from, i) => {
      const to = starts[i + 1] ?? span.end;
      this.#add(node, { before: i === 0 ? before : from, from, to });
    });
  }

  #place(node: number): string {
    const { tape, values } = this.#json;
    const { place = "", firstRow = 0 } = this.#standing;
    const steps: string[] = [];
    let at = node;
    for (; tape.parent(at) > 0; at = tape.parent(at)) {
      if (steps.length === MAX_STEPS) return "…" + steps.reverse().join("");
      const parent = tape.parent(at);
      const base = tape.parent(parent) === 0 && values.length === 1
        ? firstRow
        : 0;
      steps.push(
        tape.keyStart(at) < 0
          ? `[${this.#index(at) + base}]`
          : keyText(keyOf(tape, at), false),
      );
    }
    // Documents count from 1, as lines and notes do.
    const document = values.length === 1
      ? place
      : `${place}[${values.indexOf(at) + 1 + firstRow}]`;
    return document + steps.reverse().join("");
  }

  /** Place of an element among its siblings, from 0. */
  #index(node: number): number {
    const { tape } = this.#json;
    const parent = tape.parent(node);
    const known = this.#latest.get(parent);
    const found = known !== undefined && known.node <= node
      ? known
      : { node: parent + 1, index: 0 };
    while (found.node < node) {
      found.node = tape.next(found.node);
      found.index++;
    }
    this.#latest.set(parent, found);
    return found.index;
  }
}
