/** A stretch of an original on the way to an answer: cut by path, then by lines, then searched. @module */
import type { JsonValues } from "../../text/json/find.ts";
import { startOf } from "./windows.ts";

/** How a text falls into units. */
export type Way = "json" | "table" | "lines";

/** What is left of an original so far. */
export interface Piece {
  /** Exact text. */
  readonly text: string;
  /** How a search takes it apart. */
  readonly way: Way;
  /** Units in `text`. */
  readonly items: number;
  /** What was cut, e.g. `lines 41-80 of 240`; empty for the whole. */
  readonly said: readonly string[];
  /**
   * Number of each line where they are not counted from 1: as printed before it, or its place in the whole.
   * 0 for a line without one.
   */
  readonly numbers?: Uint32Array;
  /** Per line 1 where it stands before the line with its number, which it is not: a removed line. */
  readonly between?: Uint8Array;
  /** The same by the lines before a change; only for a file of a diff. */
  readonly old?: Pick<Piece, "numbers" | "between">;
  /** Lines to go before the line with the key as its index from 0: what is missing there. */
  readonly notes?: ReadonlyMap<number, string>;
  /** Values in `text`, when it is JSON. */
  readonly json?: JsonValues;
  /** Place of `text` in a document, e.g. `items[3]`; goes before the places in it. */
  readonly place?: string;
  /** Index in that place of the first of the elements that `text` has, from 0. */
  readonly firstRow?: number;
}

/** A piece, or what the caller can do about it. */
export type Cutting = Piece | { readonly error: string };

/** Longest argument that is repeated in an answer, in UTF-16 units. */
const ECHO_LIMIT = 64;

/** An argument, short enough to be repeated, in quotes. */
export function echo(given: string): string {
  return JSON.stringify(shortened(given.replace(/\s+/g, " ")));
}

/** At most 64 UTF-16 units and an ellipsis; well-formed. */
export function shortened(text: string): string {
  return text.length <= ECHO_LIMIT
    ? text
    : `${startOf(text, ECHO_LIMIT).toWellFormed()}…`;
}

/** `3 lines`, `1 line`; `plural` ends in an `s` that only the plural has. */
export function counted(count: number, plural: string): string {
  return `${count} ${count === 1 ? plural.slice(0, -1) : plural}`;
}

/** Some of many, `a, b, c and 4 more`: as many as `width` UTF-16 units take, at least one. */
export function someOf(
  names: readonly string[],
  total: number,
  width: number,
): string {
  const shown: string[] = [];
  let size = 0;
  for (const name of names) {
    const short = shortened(name);
    size += short.length + 2;
    if (shown.length > 0 && size > width) break;
    shown.push(short);
  }
  const more = total - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `12 of 240 lines match "timeout"`, `best 40 of 130 matching lines of 2400`. */
export function matchText(
  query: string,
  { shown, count, total, noun }: {
    readonly shown: number;
    readonly count: number;
    readonly total: number;
    readonly noun: string;
  },
): string {
  if (shown < count) {
    return `best ${shown} of ${count} matching ${noun} of ${total}`;
  }
  return `${count} of ${total} ${noun} match ${echo(query)}`;
}
