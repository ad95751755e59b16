/** A few bytes that are looked for in whole bodies. @module */

/** Bytes that are searched between two turns of others: a few milliseconds; a turn takes one or two. */
const STEP_BYTES = 8 * 1024 * 1024;

/** One such mark. What was found is remembered while its body is there: several steps of a request ask. */
export class BodyMark {
  readonly #mark: Uint8Array;
  readonly #isOne: (body: Uint8Array, end: number) => boolean;
  /** How far the last byte of a mark can be at least behind a byte of this value (Horspool's search). */
  readonly #skip: Uint8Array;
  readonly #found = new WeakMap<Uint8Array, boolean>();

  /**
   * Prepares the search.
   *
   * @param mark ASCII, up to 255 characters.
   * @param isOne Whether the mark that ends at this offset counts; each does unless given.
   */
  constructor(
    mark: string,
    isOne: (body: Uint8Array, end: number) => boolean = () => true,
  ) {
    const bytes = this.#mark = new TextEncoder().encode(mark);
    this.#isOne = isOne;
    const last = bytes.length - 1;
    this.#skip = new Uint8Array(256).fill(bytes.length);
    bytes.subarray(0, last).forEach((byte, i) => this.#skip[byte] = last - i);
  }

  /** Whether it stands anywhere in `body`, which does not change. */
  isIn(body: Uint8Array): boolean {
    const known = this.#found.get(body);
    if (known !== undefined) return known;
    return this.#keep(body, this.#search(body, 0, body.length) === undefined);
  }

  /** The same ahead of {@linkcode BodyMark.isIn}; `pause` lets others have their turn between the parts of a large body. */
  async look(body: Uint8Array, pause: () => Promise<void>): Promise<void> {
    if (this.#found.has(body)) return;
    let from: number | undefined = 0;
    while (from !== undefined && from < body.length) {
      if (from > 0) await pause();
      from = this.#search(body, from, from + STEP_BYTES);
    }
    this.#keep(body, from === undefined);
  }

  #keep(body: Uint8Array, isFound: boolean): boolean {
    this.#found.set(body, isFound);
    return isFound;
  }

  /** Where the search goes on that was at `from`, `to` or behind it; `undefined` when a mark is found before. */
  #search(body: Uint8Array, from: number, to: number): number | undefined {
    const mark = this.#mark;
    const skip = this.#skip;
    const last = mark.length - 1;
    const end = Math.min(to, body.length);
    let at = Math.max(from, last);
    for (; at < end; at += skip[body[at]!]!) {
      let i = last;
      while (i >= 0 && body[at - last + i] === mark[i]) i--;
      if (i < 0 && this.#isOne(body, at + 1)) return undefined;
    }
    return at;
  }
}
