/** The keys of one object, to notice one that is repeated. @module */

/** Up to here a search of the list is faster than a set. */
const FEW = 32;

/** Keys seen so far. Objects with many of them are user data (a map): a set keeps the check linear. */
export class MemberKeys {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False if the key was there before. */
  add(key: string): boolean {
    if (this.#few.length < FEW) {
      if (this.#few.includes(key)) return false;
      this.#few.push(key);
      return true;
    }
    this.#many ??= new Set(this.#few);
    if (this.#many.has(key)) return false;
    this.#many.add(key);
    return true;
  }
}
