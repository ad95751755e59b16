/** What texts cost, estimated without a tokenizer, and when leaving something out pays. @module */
import type { Units } from "../core/kind.ts";
import { codesOf, offsetAt } from "../text/lines.ts";

/** Prices are whole numbers of tenths of a token. */
export const TOKEN = 10;
/** A note that names the lines it stands for. */
export const NOTE_PRICE = 8 * TOKEN;
/** What a gap must save besides its note. */
export const GAP_PROFIT = 5 * TOKEN;

/** Tokens that an elided text costs besides itself: the line that names the original, and a share of a tool's definition. */
const MARKER_TOKENS = 50;
/** Share of the lossless text that an elided one may have, those tokens included. */
const WORTH_LOSS = 0.85;
/** Texts that differ by so many UTF-16 units need not be counted: a token has seldom more than eight. */
const CLEARLY_SMALLER = 8 * MARKER_TOKENS;
/** Share of the price that optional units may have: `SHARE / sqrt(tokens)`, within limits. */
const SHARE = 6;
const MOST_SHARE = 0.35;
const LEAST_SHARE = 0.01;

const LETTER = 1;
const DIGIT = 2;
const BLANK = 3;
const NEWLINE = 4;
const WIDE = 5;
const CLASSES = classes();
/** UTF-16 units of a run of one class that one token takes; different signs are runs of their own. */
const LETTERS = 6;
const DIGITS = 3;
const EQUAL_SIGNS = 8;
/** Price of a sign: two beside each other are often one token. */
const SIGN_PRICE = 7;
/** Price of one character above ASCII. */
const WIDE_PRICE = 7;

/**
 * Estimates the price of each range of a text: `[starts[i], starts[i + 1])`. Within some 15 % of a tokenizer's count
 * for a page of text; indentation and padding are nearly free, as they are for one. O(codes).
 */
export function pricesOf(codes: Uint8Array, starts: Uint32Array): Uint32Array {
  const prices = new Uint32Array(Math.max(0, starts.length - 1));
  for (let unit = 0; unit < prices.length; unit++) {
    const end = offsetAt(starts, unit + 1);
    prices[unit] = priceOfRange(codes, offsetAt(starts, unit), end);
  }
  return prices;
}

function priceOfRange(codes: Uint8Array, start: number, end: number): number {
  let price = 0;
  for (let at = start; at < end;) {
    const code = codes[at]!;
    const kind = CLASSES[code]!;
    let stop = at + 1;
    if (kind === 0) {
      while (stop < end && codes[stop] === code) stop++;
      price += parts(stop - at, EQUAL_SIGNS) * SIGN_PRICE;
    } else {
      while (stop < end && CLASSES[codes[stop]!] === kind) stop++;
      price += priceOfRun(kind, stop - at);
    }
    at = stop;
  }
  return price;
}

/** Estimates the price of a whole text. O(text). */
export function priceOf(text: string): number {
  return priceOfRange(codesOf(text), 0, text.length);
}

/** Estimates the price of each unit in the form in which it is kept. O(text). */
export function pricesAsWritten(
  text: string,
  { starts, write }: Units,
): Uint32Array {
  if (write === undefined) return pricesOf(codesOf(text), starts);
  let codes: Uint8Array | undefined;
  const prices = new Uint32Array(Math.max(0, starts.length - 1));
  const written: number[] = [];
  const places: number[] = [0];
  const forms: string[] = [];
  let length = 0;
  for (let unit = 0; unit < prices.length; unit++) {
    const form = write(unit);
    if (form === undefined) {
      const end = offsetAt(starts, unit + 1);
      codes ??= codesOf(text);
      prices[unit] = priceOfRange(codes, offsetAt(starts, unit), end);
      continue;
    }
    forms.push(form);
    written.push(unit);
    places.push(length += form.length);
  }
  const own = pricesOf(codesOf(forms.join("")), Uint32Array.from(places));
  for (const [i, unit] of written.entries()) prices[unit] = own[i] ?? 0;
  return prices;
}

function priceOfRun(kind: number, length: number): number {
  switch (kind) {
    case LETTER:
      return parts(length, LETTERS) * TOKEN;
    case DIGIT:
      return parts(length, DIGITS) * TOKEN;
    case BLANK:
      return length > 1 ? TOKEN : 0;
    case NEWLINE:
      return TOKEN / 2;
    default:
      return length * WIDE_PRICE;
  }
}

/** Parts of `size` that make `length`, the last one maybe smaller. */
function parts(length: number, size: number): number {
  return ((length + size - 1) / size) | 0;
}

/** Share of a text of `price` that optional units may have: less of a longer one. */
export function optionalShare(price: number): number {
  const share = SHARE / Math.sqrt(Math.max(1, price / TOKEN));
  return Math.min(MOST_SHARE, Math.max(LEAST_SHARE, share));
}

/**
 * Whether a text with parts left out is worth what it lost, against the best text that loses nothing.
 *
 * @param countTokens Called twice at most, and not when the lengths make it obvious.
 */
export function isWorthLoss(
  elided: string,
  lossless: string,
  countTokens: (text: string) => number,
): boolean {
  const saved = lossless.length - elided.length;
  if (saved <= MARKER_TOKENS) return false;
  if (isFarShorter(elided, lossless)) return true;
  return countTokens(elided) + MARKER_TOKENS <=
    WORTH_LOSS * countTokens(lossless);
}

/** Whether the lengths alone say that a text is worth what it lost. */
export function isFarShorter(elided: string, lossless: string): boolean {
  return lossless.length - elided.length > CLEARLY_SMALLER &&
    elided.length < lossless.length / 2;
}

/** Whether a text with parts left out is smaller than the best text that loses nothing, its marker included. */
export function isWorthMarker(
  elided: string,
  lossless: string,
  countTokens: (text: string) => number,
): boolean {
  return elided.length < lossless.length &&
    countTokens(elided) + MARKER_TOKENS <= countTokens(lossless);
}

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(WIDE, 128);
  for (let code = 48; code < 58; code++) table[code] = DIGIT;
  for (let code = 65; code < 91; code++) {
    table[code] = table[code | 32] = LETTER;
  }
  table[9] = table[32] = table[13] = BLANK;
  table[10] = NEWLINE;
  return table;
}
