/** Folds of a document that lose nothing: repeated lines, headings that the next line repeats, link targets, common phrases. @module */
import type { Rewrite } from "../../core/kind.ts";
import { pricesOf, TOKEN } from "../../engine/price.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { codesOf } from "../../text/lines.ts";

/** Each is one token, and none of them is in most texts. */
const MARKS = ["§", "¶", "†", "‡"];
/** Uses of a phrase, tokens that it must save, and its UTF-16 units. */
const LEAST_USES = 4;
const LEAST_SAVED = 12;
const SHORTEST = 6;
const LONGEST = 72;
/** UTF-16 units in which phrases are looked for. */
const SEARCHED = 100_000;
const HEADER = /^… \((.) = (.+)\)\n/;

/** A heading, and a signature below it that names the same. */
const HEADED = /^(#{1,6}) ([^\n]+)\n\n> ([^\n]*)$/gm;
const JOINED = /^(#{1,6}) > ([^\n]*)$/gm;
const NAME = /\*\*([^*\n]+?)\??\*\*(\()?/;
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
  const repeats = foldRepeats(text, firstLine);
  if (repeats !== undefined) {
    folded = repeats.text;
    inverses.push(repeats.restore);
  }
  for (const [fold, restore] of STEPS) {
    const form = fold(folded);
    if (form.length >= folded.length || restore(form) !== folded) continue;
    folded = form;
    inverses.push(restore);
  }
  return inverses.length === 0 ? undefined : {
    text: folded,
    restore: (form) =>
      inverses.reduceRight((part, restore) => restore(part), form),
  };
}

const STEPS: readonly (readonly [
  fold: (text: string) => string,
  restore: (form: string) => string,
])[] = [
  [joinHeads, splitHeads],
  [foldLinks, unfoldLinks],
  [foldPhrases, unfoldPhrases],
];

/** `#### > run(**x**)` for a heading `#### x` and the signature below it. */
function joinHeads(text: string): string {
  if (!text.includes("\n\n> ")) return text;
  return text.replace(
    HEADED,
    (whole, marks, heading, signature) =>
      nameOf(signature) === heading ? `${marks} > ${signature}` : whole,
  );
}

function splitHeads(form: string): string {
  return form.replace(
    JOINED,
    (whole, marks, signature) => {
      const name = nameOf(signature);
      return name === undefined ? whole : `${marks} ${name}\n\n> ${signature}`;
    },
  );
}

/** The heading that a generator puts over a signature. */
function nameOf(signature: string): string | undefined {
  const [, name, call] = NAME.exec(signature) ?? [];
  return name === undefined
    ? undefined
    : call === undefined
    ? name
    : `${name}()`;
}

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
    header += `… (${mark} = ${phrase})\n`;
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
    phrases.push([mark, phrase]);
    text = text.slice(header.length);
  }
  for (const [mark, phrase] of phrases.reverse()) {
    text = text.replaceAll(mark, phrase);
  }
  return text;
}

/** The start of lines, or of addresses, that costs most in all; `undefined` when none pays. O(n). */
function bestPhrase(text: string): string | undefined {
  const starts = new Map<string, number[]>();
  for (const place of startsOf(text)) {
    const start = text.slice(place, place + SHORTEST);
    const places = starts.get(start);
    if (places === undefined) starts.set(start, [place]);
    else places.push(place);
  }
  const uses = new Map<string, number>();
  for (const places of starts.values()) {
    if (places.length < LEAST_USES) continue;
    for (const place of places) {
      for (const phrase of phrasesAt(text, place)) {
        uses.set(phrase, (uses.get(phrase) ?? 0) + 1);
      }
    }
  }
  let best: string | undefined;
  let most = LEAST_SAVED;
  for (const [phrase, count] of uses) {
    // What no sum can reach is not priced.
    if (count < LEAST_USES || phrase.length * count < 3 * most) continue;
    const [price = 0] = pricesOf(
      codesOf(phrase),
      Uint32Array.of(0, phrase.length),
    );
    const saved = (count - 1) * price / TOKEN - count - 6;
    if (saved > most || saved === most && phrase.length > (best?.length ?? 0)) {
      most = saved;
      best = phrase;
    }
  }
  return best;
}

/** Offsets of lines and of web addresses. */
function* startsOf(text: string): Generator<number> {
  for (let at = 0; at < text.length;) {
    yield at;
    const newline = text.indexOf("\n", at);
    at = newline < 0 ? text.length : newline + 1;
  }
  for (
    let at = text.indexOf("://");
    at >= 0;
    at = text.indexOf("://", at + 3)
  ) {
    const scheme = text.slice(at - 5, at);
    if (scheme.endsWith("http")) yield at - 4;
    else if (scheme === "https") yield at - 5;
  }
}

/** Starts of what is at `from` that end where letters, digits and signs meet. */
function phrasesAt(text: string, from: number): string[] {
  const line = text.slice(from, from + LONGEST).split("\n", 1)[0] ?? "";
  const phrases: string[] = [];
  for (const { index } of line.matchAll(/(?<=[^\w])(?=\w)|(?<=\w)(?=[^\w])/g)) {
    if (index >= SHORTEST) phrases.push(line.slice(0, index));
  }
  return phrases;
}
