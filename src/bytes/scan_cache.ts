/** Bodies that were read before: one that begins with the same bytes need not be read again up to where it differs. @module */
import { commonPrefix } from "./common_prefix.ts";
import type { ScanMemory, ScannedElements } from "../core/block.ts";

/** Smaller bodies are read faster than found. */
const LEAST_BYTES = 16 * 1024;
/** Bodies that are kept, of different conversations, and their bytes. */
const MAX_BODIES = 8;
const MAX_BYTES = 16 * 1024 * 1024;

/** The last bodies of several conversations; `T` is what is said of a block. */
export class ScanCache<T = unknown> {
  /** The last used one last. */
  #bodies: KnownBody<T>[] = [];

  /** Begins to read a body: compares it with those that are known. */
  begin(body: Uint8Array): KnownBody<T> {
    let before: KnownBody<T> | undefined;
    let equal = 0;
    // One that goes on from another repeats nearly all of it.
    for (const known of body.length < LEAST_BYTES ? [] : this.#bodies) {
      const same = commonPrefix(rangeOf(known.body), rangeOf(body));
      if (same > equal && same > known.body.length / 2) {
        before = known;
        equal = same;
      }
    }
    return new KnownBody<T>(body, before, equal);
  }

  /** Keeps a body that was read to its end, in the place of the one that it goes on from. */
  keep(body: KnownBody<T>): void {
    const before = body.forgetBefore();
    if (body.body.length < LEAST_BYTES) return;
    const kept = [...this.#bodies.filter((one) => one !== before), body];
    let room = MAX_BYTES;
    this.#bodies = kept.slice(-MAX_BODIES).toReversed()
      .filter(({ body: { length } }) => (room -= length) >= 0)
      .toReversed();
  }
}

/** What is known of one body: what a scan found in its conversation, and what was said of its blocks. */
export class KnownBody<T = unknown> implements ScanMemory {
  /** Its bytes. */
  readonly body: Uint8Array;
  readonly equal: number;
  #before: KnownBody<T> | undefined;
  #elements: ScannedElements | undefined;
  #noted: readonly T[] = [];

  /** `before` has the first `equal` bytes in common. */
  constructor(
    body: Uint8Array,
    before: KnownBody<T> | undefined = undefined,
    equal = 0,
  ) {
    this.body = body;
    this.#before = before;
    this.equal = equal;
  }

  get elements(): ScannedElements | undefined {
    return this.#before === undefined ? undefined : this.#before.#elements;
  }

  note(elements: ScannedElements): void {
    this.#elements = elements;
  }

  /** What was said of block `index` in the earlier body, if it is the same block. */
  noted(index: number): T | undefined {
    const before = this.#before;
    if (before === undefined) return undefined;
    const block = this.#elements?.blocks[index];
    return block !== undefined && block === this.elements?.blocks[index]
      ? before.#noted[index]
      : undefined;
  }

  /** Keeps what is said of its blocks, one by one. */
  noteBlocks(noted: readonly T[]): void {
    this.#noted = noted;
  }

  /** The one that it goes on from, which is not needed any more. */
  forgetBefore(): KnownBody<T> | undefined {
    const before = this.#before;
    this.#before = undefined;
    return before;
  }
}

function rangeOf(bytes: Uint8Array) {
  return { bytes, span: { start: 0, end: bytes.length } };
}
