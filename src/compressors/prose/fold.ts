/** Folds of a document that lose nothing: repeated lines, headings that the next line repeats, link targets, common phrases. @module */
import type { Rewrite } from "../../core/kind.ts";
import { priceOf, TOKEN } from "../../engine/price.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { REFERENCES, SIGNATURES, type Step } from "./references.ts";

/** Each is one token, and none of them is in most texts. */
const MARKS = ["§", "¶", "†", "※", "◆"];
/** Uses of a phrase, tokens that it must save, and its UTF-16 units. */
const LEAST_USES = 3;
const LEAST_SAVED = 6;
const SHORTEST = 6;
const LONGEST = 160;
/** UTF-16 units in which phrases are looked for. */
const SEARCHED = 100_000;
/** A line break in a header. */
const BREAK = "\\n";
const START = /^.|https?:\/\//gm;
/** Tokens of a header besides the phrase. */
const HEADER_TOKENS = 6;
/** The start of the note of another fold. */
const PART_OF_NOTE = /… \([^)]*$/;
const HEADER = /^… \((.) = (.+)\)\n/;

/** A link, or its label alone. */
const LINK = /\[([^[\]\n]{1,120})\](\([^()\s]{1,300}\))?/g;

/**
 * Applies the folds in turn: each must change something and have its inverse.
 *
 * @param firstLine Number of the first line.
 * @returns `undefined` when nothing is gained, or when the text has lines that look like the notes of a fold. O(n).
 */
export function foldProse(
  text: string,
  firstLine: number,
): Rewrite | undefined {
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  const inverses: ((text: string) => string)[] = [];
  let folded = text;
  const apply = ([fold, restore]: Step) => {
    const form = fold(folded);
    if (form.length >= folded.length || restore(form) !== folded) return;
    folded = form;
    inverses.push(restore);
  };
  apply(SIGNATURES);
  // Its notes name lines of the original.
  const repeats = folded === text ? foldRepeats(text, firstLine) : undefined;
  if (repeats !== undefined) {
    folded = repeats.text;
    inverses.push(repeats.restore);
  }
  for (const step of STEPS) apply(step);
  return inverses.length === 0 ? undefined : {
    text: folded,
    restore: (form) =>
      inverses.reduceRight((part, restore) => restore(part), form),
  };
}

const STEPS: readonly Step[] = [
  ...REFERENCES,
  [foldLinks, unfoldLinks],
  [foldPhrases, unfoldPhrases],
];

/** `[label]` for a link whose label had the same target before, as Markdown itself may have it. */
function foldLinks(text: string): string {
  if (!text.includes("](")) return text;
  const targets = new Map<string, string>();
  const unclear = new Set<string>();
  for (const [, label = "", target] of text.matchAll(LINK)) {
    const known = targets.get(label);
    if (target === undefined || (known ?? target) !== target) {
      unclear.add(label);
    } else targets.set(label, target);
  }
  const seen = new Set<string>();
  return text.replace(LINK, (whole, label) => {
    if (unclear.has(label) || !seen.has(label)) {
      seen.add(label);
      return whole;
    }
    return `[${label}]`;
  });
}

function unfoldLinks(form: string): string {
  const targets = new Map<string, string>();
  return form.replace(LINK, (whole, label, target) => {
    if (target === undefined) return whole + (targets.get(label) ?? "");
    targets.set(label, target);
    return whole;
  });
}

/** One sign for a phrase that many lines start with, or many addresses; `… (§ = Defined in: src/a.ts:)` says which. */
function foldPhrases(text: string): string {
  let folded = text;
  let header = "";
  for (const mark of MARKS) {
    if (text.includes(mark)) continue;
    const phrase = bestPhrase(folded.slice(0, SEARCHED));
    if (phrase === undefined) break;
    folded = folded.replaceAll(phrase, mark);
    header += `… (${mark} = ${phrase.replaceAll("\n", BREAK)})\n`;
  }
  return header + folded;
}

function unfoldPhrases(form: string): string {
  let text = form;
  const phrases: [string, string][] = [];
  for (;;) {
    const [header, mark, phrase] = HEADER.exec(text) ?? [];
    if (header === undefined || mark === undefined || phrase === undefined) {
      break;
    }
    phrases.push([mark, phrase.replaceAll(BREAK, "\n")]);
    text = text.slice(header.length);
  }
  for (const [mark, phrase] of phrases.reverse()) {
    text = text.replaceAll(mark, phrase);
  }
  return text;
}

/** The start of lines, or of addresses, that costs most in all; `undefined` when none pays. O(n log n). */
function bestPhrase(text: string): string | undefined {
  const starts = [...startsOf(text)].map((at) => text.slice(at, at + LONGEST))
    .sort();
  let best: string | undefined;
  let most = LEAST_SAVED;
  const consider = (phrase: string, uses: number) => {
    // What no sum can reach is not priced.
    if (phrase.length < SHORTEST || phrase.length * uses < 3 * most) return;
    if (phrase.includes(BREAK) || PART_OF_NOTE.test(phrase)) return;
    const breaks = phrase.split("\n").length - 1;
    const saved = (uses - 1) * priceOf(phrase) / TOKEN - uses - HEADER_TOKENS -
      breaks;
    if (saved > most || saved === most && phrase.length > (best?.length ?? 0)) {
      most = saved;
      best = phrase;
    }
  };
  // Stretches of starts that have so many UTF-16 units in common, from the shortest to the longest.
  const open: { length: number; from: number }[] = [];
  for (let i = 1; i <= starts.length; i++) {
    const next = starts[i] ?? "";
    const last = starts[i - 1] ?? "";
    const length = commonLength(last, next);
    let from = i - 1;
    while ((open.at(-1)?.length ?? 0) > length) {
      const closed = open.pop();
      if (closed === undefined) break;
      from = closed.from;
      if (i - from < LEAST_USES) continue;
      consider(wholeWords(last, starts[from] ?? "", closed.length), i - from);
    }
    if (length > 0 && open.at(-1)?.length !== length) {
      open.push({ length, from });
    }
  }
  return best;
}

function commonLength(a: string, b: string): number {
  if (a === b) return a.length;
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) {
    length++;
  }
  return length;
}

/** What two texts start with, up to a place where no word goes on. */
function wholeWords(a: string, b: string, length: number): string {
  const common = a.slice(0, length);
  return /\w$/.test(common) &&
      (/^\w/.test(a.slice(length)) || /^\w/.test(b.slice(length)))
    ? common.replace(/\w+$/, "")
    : common;
}

/** Offsets of lines and of web addresses. */
function* startsOf(text: string): Generator<number> {
  for (const { index } of text.matchAll(START)) yield index;
}
