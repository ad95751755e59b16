/** Sentences that say again, nearly word for word, what an earlier one says. @module */
import { hashOf, KINDS, OTHER } from "../../text/words.ts";
import type { Facts } from "./facts.ts";

/** Fewest words of a sentence that may be a repetition: exact, or nearly. */
const LEAST_EXACT = 4;
const LEAST_NEAR = 8;
/** Share of the words of two sentences that both have. */
const ALIKE = 0.8;

/** Where a sentence stands, and what is in it. */
export interface Sentence {
  /** First offset. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
  /** Its words. */
  readonly facts: Facts;
}

/** The sentences of one text so far. Time and space are linear in the text. */
export class EchoIndex {
  readonly #codes: Uint8Array;
  readonly #whole = new Map<number, Sentence>();
  readonly #parts = new Map<number, Sentence>();

  /** Takes `Lines.codes` of the text. */
  constructor(codes: Uint8Array) {
    this.#codes = codes;
  }

  /**
   * Whether an earlier sentence says the same; else remembers this one.
   *
   * @param mayDiffer Whether a few other words make no difference; names and numbers always do.
   */
  isEcho(sentence: Sentence, mayDiffer: boolean): boolean {
    const { whole, words, least, second } = sentence.facts;
    if (words < LEAST_EXACT) return false;
    const same = this.#whole.get(whole);
    if (same !== undefined && this.#share(sentence, same) === 1) return true;
    if (mayDiffer && words >= LEAST_NEAR) {
      for (const part of [least, second]) {
        const near = this.#parts.get(part);
        if (near !== undefined && this.#isNear(sentence, near)) return true;
      }
    }
    if (same === undefined) this.#whole.set(whole, sentence);
    if (words >= LEAST_NEAR) {
      if (!this.#parts.has(least)) this.#parts.set(least, sentence);
      if (!this.#parts.has(second)) this.#parts.set(second, sentence);
    }
    return false;
  }

  #isNear(one: Sentence, other: Sentence): boolean {
    const { words, names, numbers, proper } = one.facts;
    const others = other.facts;
    // Also bounds the work by the length of the shorter one.
    if (words < ALIKE * others.words || others.words < ALIKE * words) {
      return false;
    }
    return isWithin(names, others.names) &&
      isWithin(numbers, others.numbers) && isWithin(proper, others.proper) &&
      this.#share(one, other) >= ALIKE;
  }

  /** Words that both have, of all words of both. */
  #share(one: Sentence, other: Sentence): number {
    const mine = this.#wordsOf(one);
    const theirs = this.#wordsOf(other);
    let both = 0;
    for (const word of mine) if (theirs.has(word)) both++;
    return both / (mine.size + theirs.size - both);
  }

  #wordsOf({ start, end }: Sentence): Set<number> {
    const codes = this.#codes;
    const words = new Set<number>();
    for (let at = start; at < end;) {
      const first = at;
      while (at < end && KINDS[codes[at]!] !== OTHER) at++;
      if (at > first) words.add(hashOf(codes, first, at));
      else at++;
    }
    return words;
  }
}

function isWithin(part: readonly number[], all: readonly number[]): boolean {
  return part.length <= 64 && part.every((hash) => all.includes(hash));
}
