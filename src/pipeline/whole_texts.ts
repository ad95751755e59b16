/** Which texts a request sends whole, and which forms may therefore refer to them. @module */
import type { ScannedCall } from "../core/block.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { ByteSpan } from "../core/block.ts";
import type { BlockLookup } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { CcrKey, FormNeed, FrozenForm } from "../core/store.ts";
import {
  callTexts,
  DIGEST,
  type KeyOf,
  needOfCall,
  needOfResult,
  needOfUser,
  valueOf,
} from "./earlier_texts.ts";
import type { FormedBlock } from "./frozen_pass.ts";

/** A number before a line, and what fills it up. */
const NUMBER = /^([ 0]*)\d{1,7}(?:→|\t| \| |\| ?|: ?)/;
/** Says that the lines below have numbers. */
const NUMBERS_NOTE = /^\[lines \d+-\d+, each began with its number /;

/** What was found out about forms: each is asked about in every request. */
const known = new WeakMap<Uint8Array, boolean>();

/**
 * Whether a form has every line of its original, but for the numbers before them.
 *
 * @param form Its literal. @param original The text; asked for once per form.
 */
export function hasAllLines(
  { literal, entry }: Pick<FrozenForm, "literal" | "entry">,
  original: () => string | undefined,
): boolean {
  if (entry !== undefined) return false;
  let has = known.get(literal);
  if (has === undefined) {
    has = compareLines(literal, original());
    known.set(literal, has);
  }
  return has;
}

function compareLines(
  literal: Uint8Array,
  original: string | undefined,
): boolean {
  const form = decodeLiteral(literal, { start: 0, end: literal.length });
  if (form === undefined || original === undefined) return false;
  const shown = form.split("\n");
  let at = 0;
  for (const line of original.split("\n")) {
    if (shown[at] !== line && NUMBERS_NOTE.test(shown[at] ?? "")) at++;
    const rest = shown[at++];
    if (rest === line) continue;
    if (rest === undefined || !isNumbered(line, rest)) return false;
  }
  return at === shown.length;
}

/** Whether a line is `rest` behind a number, or behind what fills up a number in it. */
function isNumbered(line: string, rest: string): boolean {
  const [prefix, fill] = NUMBER.exec(line) ?? [];
  if (prefix === undefined || !line.endsWith(rest)) return false;
  const before = line.length - rest.length;
  return before === prefix.length || before === fill!.length;
}

/** A body and what is known of its blocks. */
export interface KnownBlocks {
  /** The body. */
  readonly body: Uint8Array;
  /** Its scan. */
  readonly scan: BodyScan;
  /** One per block. */
  readonly lookups: readonly BlockLookup[];
  /** Digest of a text. */
  readonly keyOf: (text: string) => CcrKey;
}

/**
 * Leaves out the forms that refer to a text which is not before them in the body, not whole, or not in the place that
 * they say. Nothing is looked at where no form refers to anything.
 *
 * @param formed Blocks that would be sent in another form, in any order.
 */
export function withWholeTexts(
  blocks: KnownBlocks,
  formed: readonly FormedBlock[],
): readonly FormedBlock[] {
  if (formed.every(({ form }) => form.needs === undefined)) return formed;
  const { body } = blocks;
  const texts = new NeededTexts(blocks, formed);
  // By where their blocks begin.
  const used = new Map<number, FormedBlock>();
  const inOrder = formed.toSorted((a, b) =>
    a.block.span.start - b.block.span.start
  );
  for (const one of inOrder) {
    const { start } = one.block.span;
    const isThere = (need: FormNeed) => {
      const span = texts.find(need, start);
      if (span === undefined) return false;
      const form = used.get(span.start)?.form;
      return form === undefined ||
        hasAllLines(form, () => decodeLiteral(body, span));
    };
    if ((one.form.needs ?? []).every(isThere)) used.set(start, one);
  }
  return used.size === formed.length
    ? formed
    : inOrder.filter((one) => used.get(one.block.span.start) === one);
}

/** Forms that are used. */
export interface UsedForms {
  /** All of them. */
  readonly formed: readonly FormedBlock[];
  /** Those that were there before. */
  readonly known: readonly FormedBlock[];
  /** Those that are new. */
  readonly decided: readonly FormedBlock[];
}

/**
 * Does the same once new forms are there. Another process may have been first, with a form that refers to another
 * text, or with one for a text that is referred to.
 */
export function usedForms(
  blocks: KnownBlocks,
  known: readonly FormedBlock[],
  decided: readonly FormedBlock[],
): UsedForms {
  const all = [...known, ...decided];
  const formed = withWholeTexts(blocks, all);
  if (formed === all) return { formed, known, decided };
  const used = new Set(formed);
  const isUsed = (one: FormedBlock) => used.has(one);
  return {
    formed,
    known: known.filter(isUsed),
    decided: decided.filter(isUsed),
  };
}

/** Finds the texts that forms refer to. */
class NeededTexts {
  readonly #named: NamedTexts;
  /** Texts by their names, as far as they were asked for. */
  readonly #found = new Map<string, ByteSpan | undefined>();
  /** Where the parts of the body begin, by kind. */
  readonly #starts: readonly (readonly number[])[];

  constructor(
    { body, scan, lookups, keyOf }: KnownBlocks,
    formed: readonly FormedBlock[],
  ) {
    const { blocks, calls, userTexts } = scan;
    this.#named = new NamedTexts(body, scan, keyOf);
    const needed = new Set(
      formed.flatMap(({ form }) => form.needs ?? []).map(({ text }) => text),
    );
    for (const [i, lookup] of lookups.entries()) {
      const need = "key" in lookup ? needOfResult(lookup.key) : "";
      if (needed.has(need) && !this.#found.has(need)) {
        this.#found.set(need, blocks[i]!.span);
      }
    }
    this.#starts = [
      blocks.flatMap(({ isUserText, span }) => isUserText ? [] : span.start),
      calls.flatMap(([, { args }]) => args?.start ?? []),
      userTexts.map(({ start }) => start),
    ];
  }

  /** The bytes that hold the text; `undefined` where it is not before `end`, or in another place than it must be. */
  find({ text, gap }: FormNeed, end: number): ByteSpan | undefined {
    if (!this.#found.has(text)) this.#found.set(text, this.#named.find(text));
    const span = this.#found.get(text);
    if (span === undefined || span.start >= end) return undefined;
    const between = this.#starts.reduce(
      (sum, starts) =>
        sum + countBelow(starts, end) - countBelow(starts, span.start + 1),
      0,
    );
    return between === gap ? span : undefined;
  }
}

/** How many of these rising numbers are below `end`. */
function countBelow(starts: readonly number[], end: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where each earlier text ends that is named here; O(texts). Results are not looked at. */
class NamedTexts {
  readonly #body: Uint8Array;
  readonly #scan: BodyScan;
  readonly #keyOf: KeyOf;
  #calls: ReadonlyMap<string, ScannedCall> | undefined;

  /** Looks into a body when it is asked. */
  constructor(body: Uint8Array, scan: BodyScan, keyOf: KeyOf) {
    this.#body = body;
    this.#scan = scan;
    this.#keyOf = keyOf;
  }

  /** The bytes that hold the text called `need`, in a call or in what a user wrote; `undefined` where it is not there. */
  find(need: string): ByteSpan | undefined {
    return need.startsWith("c") ? this.#inCall(need) : this.#inUser(need);
  }

  #inCall(need: string): ByteSpan | undefined {
    this.#calls ??= new Map(this.#scan.calls.toReversed());
    const id = need.slice(1 + DIGEST);
    const span = this.#calls.get(id)?.args;
    if (span === undefined) return undefined;
    return callTexts(valueOf(this.#body, span)).some(({ text }) =>
        needOfCall(this.#keyOf, id, text) === need
      )
      ? span
      : undefined;
  }

  #inUser(need: string): ByteSpan | undefined {
    const length = parseInt(need.slice(1), 10);
    return this.#scan.userTexts.find((span) => {
      const bytes = span.end - span.start - 2;
      // A unit takes one byte at least, and six where it is escaped.
      if (bytes < length || bytes > 6 * length) return false;
      const text = decodeLiteral(this.#body, span);
      return text !== undefined && needOfUser(this.#keyOf, text) === need;
    });
  }
}
