/** The lines of conversations, remembered from one request to the next. @module */
import { Lru } from "../bytes/lru.ts";
import type { ConversationKey } from "../core/store.ts";
import { EarlierLines } from "../text/earlier_lines.ts";
import type { EarlierText, PartName } from "./earlier_texts.ts";

/** Lines and parts of all conversations that are remembered. */
const MAX_LINES = 400_000;

/** A text whose lines are remembered. */
export interface KnownText extends PartName, Omit<EarlierText, "text"> {
  /** Its part, by its place among the parts of the body. */
  readonly part: number;
  /** Its place among the texts of that part. */
  readonly index: number;
  /** Its place among the parts that are called the same, from 1. */
  readonly nth: number;
  /** Number of its first line. */
  readonly first: number;
}

/** The parts of one conversation up to some point, and the lines of those that are whole. */
export class KnownTexts {
  /** What each part was. */
  readonly identities: string[] = [];
  /** Lines of whole parts. */
  readonly lines: EarlierLines<KnownText> = new EarlierLines();
  /** How many parts are called the same. */
  readonly nouns: Map<string, number> = new Map();

  /** Adds a part behind the others; gives its place among those called the same, from 1. */
  push(identity: string, noun: string): number {
    this.identities.push(identity);
    const nth = (this.nouns.get(noun) ?? 0) + 1;
    this.nouns.set(noun, nth);
    return nth;
  }

  /** Takes the last part out again. */
  pop(noun: string): void {
    this.identities.pop();
    this.nouns.set(noun, this.nouns.get(noun)! - 1);
  }

  /** The place of a text among those called the same, backwards from here: 1 is the last one. */
  back({ noun, nth }: KnownText): number {
    return this.nouns.get(noun)! - nth + 1;
  }
}

/** What is remembered of several conversations; the last used ones. It can be made anew from any body. */
export class EarlierTexts {
  readonly #known = new Lru<ConversationKey, KnownTexts>(
    MAX_LINES,
    ({ lines, identities }) => lines.size + identities.length,
  );

  /** Takes out what is remembered: two requests must not change it at once. */
  take(key: ConversationKey): KnownTexts | undefined {
    const known = this.#known.get(key);
    this.#known.delete(key);
    return known;
  }

  /** Remembers the parts of a conversation. */
  keep(key: ConversationKey, known: KnownTexts): void {
    this.#known.set(key, known);
  }
}
