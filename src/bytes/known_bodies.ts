/** Bodies that were read before: one that begins with the same bytes need not be read again up to where it differs. @module */
import { hash } from "node:crypto";
import { commonPrefix } from "./common_prefix.ts";
import type { KnownStrings } from "../core/block.ts";

/** Smaller bodies are read faster than found. */
const LEAST_BYTES = 16 * 1024;
/** Bodies that are kept, of different conversations, and their bytes. */
const MAX_BODIES = 8;
const MAX_BYTES = 16 * 1024 * 1024;
/** Shorter strings are read as fast as looked up. */
const LONG = 64;

/** The last bodies of several conversations. */
export class KnownBodies {
  /** The last used one last. */
  #bodies: KnownBody[] = [];

  /** Begins to read a body: compares it with those that are known. */
  begin(body: Uint8Array): KnownBody {
    let before: KnownBody | undefined;
    let equal = 0;
    // One that goes on from another repeats nearly all of it.
    for (const known of body.length < LEAST_BYTES ? [] : this.#bodies) {
      const same = commonPrefix(rangeOf(known.body), rangeOf(body));
      if (same > equal && same > known.body.length / 2) {
        before = known;
        equal = same;
      }
    }
    return new KnownBody(body, before, equal);
  }

  /** Keeps a body that was read to its end, in the place of the one that it goes on from. */
  keep(body: KnownBody): void {
    const before = body.forgetBefore();
    if (body.body.length < LEAST_BYTES) return;
    const kept = [...this.#bodies.filter((one) => one !== before), body];
    let room = MAX_BYTES;
    this.#bodies = kept.slice(-MAX_BODIES).toReversed()
      .filter(({ body: { length } }) => (room -= length) >= 0)
      .toReversed();
  }
}

/** A digest, and how many bytes it is of. */
interface Digest {
  readonly length: number;
  readonly text: string;
}

/** What is known of one body: where its long strings end, and digests of its values. */
export class KnownBody implements KnownStrings {
  /** Its bytes. */
  readonly body: Uint8Array;
  #before: KnownBody | undefined;
  /** Bytes from the start that are those of the one before. */
  readonly #equal: number;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** By the offset where the value starts; a number may go on where another ends. */
  readonly #digests = new Map<number, Digest>();
  /** The next string of the one before: both are read from the start to the end. */
  #next = 0;

  /** `before` has the first `equal` bytes in common. */
  constructor(
    body: Uint8Array,
    before: KnownBody | undefined = undefined,
    equal = 0,
  ) {
    this.body = body;
    this.#before = before;
    this.#equal = equal;
  }

  endOf(start: number): number | undefined {
    const before = this.#before;
    if (before === undefined || start >= this.#equal) return undefined;
    const starts = before.#starts;
    while (this.#next < starts.length && starts[this.#next]! < start) {
      this.#next++;
    }
    const end = starts[this.#next] === start
      ? before.#ends[this.#next]!
      : undefined;
    return end !== undefined && end <= this.#equal ? end : undefined;
  }

  note(start: number, end: number): void {
    if (end - start < LONG) return;
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /**
   * SHA-256 of a value, base64.
   *
   * @param value A part of {@linkcode KnownBody.body}, not a copy.
   */
  digest(value: Uint8Array): string {
    const start = value.byteOffset - this.body.byteOffset;
    const { length } = value;
    const before = this.#before;
    const known = before !== undefined && start + length <= this.#equal
      ? before.#digests.get(start)
      : undefined;
    const digest = known?.length === length
      ? known
      : { length, text: hash("sha256", value, "base64") };
    this.#digests.set(start, digest);
    return digest.text;
  }

  /** The one that it goes on from, which is not needed any more. */
  forgetBefore(): KnownBody | undefined {
    const before = this.#before;
    this.#before = undefined;
    return before;
  }
}

function rangeOf(bytes: Uint8Array) {
  return { bytes, span: { start: 0, end: bytes.length } };
}
