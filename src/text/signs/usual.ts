/** A field's usual value is no alarm: how often each failing value of a key occurs among all of its values. @module */

/** Fewer occurrences do not make a value usual. */
const LEAST = 10;
/** Share of a key's values, and of the lines, from which on one of them is usual; of the lines for the only value. */
const SHARE = 0.5;
const ONLY_SHARE = 0.9;
/** Of a usual value, the first ones and the last one still count. */
const FIRST = 2;
/** Kinds of keys. */
const KINDS = 64;
/** Different failing values that are told apart; all further ones count as one. */
const MOST_VALUES = 4096;
const FURTHER = 0x7fffffff;

/** Failing values of one key that are equal. */
interface Alike {
  readonly kind: number;
  readonly flag: number;
  readonly lines: number[];
}

/** Counts the values of keys over a whole text. */
export class Usual {
  readonly #totals = new Uint32Array(KINDS);
  readonly #alike = new Map<number, Alike>();

  /** Counts a value that is no failure. @param kind Of its key, below 64. */
  count(kind: number): void {
    this.#totals[kind]!++;
  }

  /** Takes note of a value that means failure. @param value Equal numbers are equal values. */
  fail(
    at: { readonly kind: number; readonly line: number },
    value: number,
    flag: number,
  ): void {
    this.#totals[at.kind]!++;
    const isFull = this.#alike.size >= MOST_VALUES;
    let key = value * KINDS + at.kind;
    if (isFull && !this.#alike.has(key)) key = FURTHER * KINDS + at.kind;
    let alike = this.#alike.get(key);
    if (alike === undefined) {
      alike = { kind: at.kind, flag, lines: [] };
      this.#alike.set(key, alike);
    }
    alike.lines.push(at.line);
  }

  /** Says how many values a kind of key has in all, where they are not counted one by one. */
  setTotal(kind: number, total: number): void {
    this.#totals[kind] = total;
  }

  /** Sets the flags of the lines whose values are failures and not usual. */
  settle(flags: Uint8Array): void {
    for (const { kind, flag, lines } of this.#alike.values()) {
      const total = this.#totals[kind]!;
      const share = lines.length < total ? SHARE : ONLY_SHARE;
      const isUsual = lines.length >= LEAST && lines.length >= SHARE * total &&
        lines.length >= share * flags.length;
      lines.forEach((line, i) => {
        if (isUsual && i >= FIRST && i < lines.length - 1) return;
        flags[line]! |= flag;
      });
    }
  }
}
