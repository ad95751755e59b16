/** The line that names an elided original, and recognising such lines in content. @module */
import type { CcrKey } from "../core/store.ts";

/** What a marker says. */
export interface Marker {
  /** Units in the original. */
  readonly total: number;
  /** Units left in the form. */
  readonly kept: number;
  /** One lowercase word in the plural: `lines`, `items`, `matches`. */
  readonly unit: string;
  /** The original. */
  readonly key: CcrKey;
}

/** A key after `hash=`, of any length a producer has used. */
const HASH = /hash=[0-9a-f]{12,24}(?![0-9a-f])/;
/** `Retrieve more: hash=…`, `Retrieve original: hash=…`, `Retrieve full diff: hash=…`. */
const RETRIEVE = /retrieve [a-z ]{1,20}: hash=[0-9a-f]{12,24}(?![0-9a-f])/;
/** `<<ccr:…>>` with or without kind, size or row count. */
const SENTINEL = /<<ccr:[0-9a-f]{12,24}(?![0-9a-f])/;
/** A pointer to an earlier message: `[↑12L same as msg 3: …]`. */
const POINTER = /\[↑\d{1,9}l same as msg /;

/** An original that was given back, as the tool answers or as a program prints it: quotes may be escaped. */
const ANSWER =
  /hash\\*"\s*:\s*\\*"[0-9a-f]{24}\\*",[^{}]{0,80}original_content\\*"/;

/**
 * Writes the marker of an elided block.
 *
 * @example
 * ```ts
 * import { markerLine } from "./marker.ts";
 * import { ccrKey } from "./key.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(
 *   markerLine({ total: 240, kept: 68, unit: "lines", key: ccrKey("abc") }),
 *   "[240 lines compressed to 68. Retrieve more: hash=ba7816bf8f01cfea414140de]",
 * );
 * ```
 *
 * @returns One line without line break.
 */
export function markerLine(marker: Marker): string {
  const { total, kept, unit, key } = marker;
  return `[${total} ${unit} compressed to ${kept}. Retrieve more: hash=${key}]`;
}

/** What stands for a text that is left out as a whole: how much it was, and the marker. */
export function omittedWhole(count: number, unit: string, key: CcrKey): string {
  const marker = markerLine({ total: count, kept: 0, unit, key });
  return `… [${count} ${unit} omitted]\n${marker}`;
}

/** Our marker at the end of a form's literal. */
const OURS =
  /\[(\d+) [a-z]+ compressed to (\d+)\. Retrieve more: hash=[0-9a-f]{24}\]"$/;
/** Bytes that hold it. */
const MARKER_BYTES = 200;

/**
 * Reads what the marker of a form says.
 *
 * @param literal The form: a JSON string literal, quotes included.
 * @returns Units in the original and in the form; `undefined` when it does not end with a marker of ours.
 */
export function itemsIn(
  literal: Uint8Array,
): { readonly total: number; readonly kept: number } | undefined {
  const end = new TextDecoder().decode(literal.subarray(-MARKER_BYTES));
  const found = OURS.exec(end);
  return found === null
    ? undefined
    : { total: Number(found[1]), kept: Number(found[2]) };
}

/**
 * Whether a text must stay as it is: it ends with a marker, so that it is a form already, or it is an answer of the
 * retrieval tool, which some clients wrap into a tool of their own.
 *
 * @param text `n` characters. @returns O(n).
 */
export function mustStayWhole(text: string): boolean {
  const last = text.trimEnd();
  const line = last.slice(last.lastIndexOf("\n") + 1);
  if (LOOK.test(line) && holdsMarker(line.toLowerCase())) return true;
  if (!text.includes("original_content")) return false;
  return ANSWER.test(text.toLowerCase());
}

/**
 * The lines of a text that hold a marker of any known form, ours or another producer's, in any letter case. They stay
 * word for word, so that no marker inside an original is taken for one of ours and none is lost.
 *
 * @param text `n` characters.
 * @returns Also some lines that only look like a marker; empty for most texts. O(n).
 */
export function markerLines(text: string): readonly string[] {
  if (!LOOK.test(text)) return [];
  return text.split("\n").filter((line) => holdsMarker(line.toLowerCase()));
}

/** What every marker holds. */
const LOOK = /hash=|<<ccr:|\[↑/i;

function holdsMarker(lower: string): boolean {
  if (SENTINEL.test(lower) || POINTER.test(lower)) return true;
  return HASH.test(lower) && (RETRIEVE.test(lower) || holdsBracketed(lower));
}

/** `[` … `compressed` … `hash=…` in this order: the earliest of each leaves most room for the next. */
function holdsBracketed(line: string): boolean {
  const open = line.indexOf("[");
  if (open < 0) return false;
  const word = line.indexOf("compressed", open);
  return word >= 0 && HASH.test(line.slice(word));
}
