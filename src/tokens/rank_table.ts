/** Which byte strings are tokens, and at which rank: one blob and one open-addressing hash table. @module */
import { zstdDecompressSync } from "node:zlib";

/** Bits of a slot that hold a rank plus one; the rest hold a part of the hash. */
const RANK_BITS = 18;
const RANK_MASK = (1 << RANK_BITS) - 1;
/** Bits that hold the length of a token; the other 24 hold where it starts. */
const LENGTH_BITS = 8;
const LENGTH_MASK = (1 << LENGTH_BITS) - 1;
const MAX_BLOB = 2 ** (32 - LENGTH_BITS);
/** Slots per token, at least: short probe chains, since most look-ups miss. */
const SLOTS_PER_TOKEN = 2;

/**
 * Hash of `bytes[start..end)`: 32 bits, signed.
 *
 * @param bytes Bytes. @param start First offset. @param end Offset after the last byte, within `bytes`.
 * @returns Any 32-bit integer. O(end - start).
 */
export function hashBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let hash = end - start;
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ bytes[i]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** The tokens of one encoding. About 6 MB for 200,000 tokens; immutable once made. */
export class RankTable {
  /** Bytes of the longest token. */
  readonly longest: number;
  /** All tokens, one after the other, in rank order. */
  readonly #blob: Uint8Array;
  /**
   * Two numbers per slot, side by side to be in one cache line: zero, or the upper bits of the hash
   * and the rank plus one; where the token starts in the blob, and its length.
   */
  readonly #slots: Int32Array;
  /** Rank of every token of two bytes, at first byte × 256 + second byte; -1 for no token. */
  readonly #pairs: Int32Array;

  /**
   * Builds the hash table, O(bytes).
   *
   * @param lengths Bytes of each token, by rank; each at least 1.
   * @param blob The tokens one after the other. Kept, not copied.
   * @throws {RangeError} If there are too many tokens, or the lengths do not add up to the blob.
   */
  constructor(lengths: Uint8Array, blob: Uint8Array) {
    if (lengths.length >= RANK_MASK || blob.length > MAX_BLOB) {
      throw new RangeError(
        `Cannot hold ${lengths.length} tokens of ${blob.length} bytes: must be below ${RANK_MASK} tokens and at most ${MAX_BLOB} bytes`,
      );
    }
    const offsets = offsetsOf(lengths);
    const end = offsets[lengths.length];
    if (end !== blob.length) {
      throw new RangeError(
        `Cannot read token ranks: lengths add up to ${end}, not ${blob.length} bytes`,
      );
    }
    this.#blob = blob;
    this.#slots = slotsOf(offsets, blob);
    this.#pairs = pairsOf(offsets, blob);
    this.longest = longestOf(lengths);
  }

  /** Rank of `bytes[start..end)`; -1 when it is no token. `hash` is its {@linkcode hashBytes}. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const length = end - start;
    for (let i = (hash << 1) & mask;; i = (i + 2) & mask) {
      const slot = slots[i]!;
      if (slot === 0) return -1;
      if (((slot ^ hash) >>> RANK_BITS) !== 0) continue;
      const place = slots[i + 1]!;
      if (
        (place & LENGTH_MASK) === length &&
        equalBytes(this.#blob, place >>> LENGTH_BITS, bytes, start, length)
      ) return (slot & RANK_MASK) - 1;
    }
  }

  /** Rank of `bytes[start..end)`; -1 when it is no token. O(end - start), and O(1) above the longest token. */
  rank(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 2) {
      return this.#pairs[bytes[start]! << 8 | bytes[start + 1]!]!;
    }
    if (length > this.longest) return -1;
    return this.find(hashBytes(bytes, start, end), bytes, start, end);
  }
}

/**
 * Decodes a rank table as `scripts/gen_ranks.ts` writes it.
 *
 * @param ranks Base64 of a Zstandard frame: the number of tokens `n` (4 bytes, little-endian), `n` token
 * lengths (1 byte each), the bytes of all tokens in rank order.
 * @throws {SyntaxError} If it is not base64. @throws {Error} If it is not Zstandard.
 * @throws {RangeError} If the lengths do not add up.
 */
export function decodeRankTable(ranks: string): RankTable {
  const raw = zstdDecompressSync(Uint8Array.fromBase64(ranks));
  const tokens = raw.readUInt32LE(0);
  return new RankTable(raw.subarray(4, 4 + tokens), raw.subarray(4 + tokens));
}

function offsetsOf(lengths: Uint8Array): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1);
  let at = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    at += lengths[rank]!;
    offsets[rank + 1] = at;
  }
  return offsets;
}

function longestOf(lengths: Uint8Array): number {
  let longest = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    if (lengths[rank]! > longest) longest = lengths[rank]!;
  }
  return longest;
}

function slotsOf(offsets: Uint32Array, blob: Uint8Array): Int32Array {
  const tokens = offsets.length - 1;
  let size = 16;
  while (size < tokens * SLOTS_PER_TOKEN) size *= 2;
  const slots = new Int32Array(2 * size);
  const mask = slots.length - 1;
  for (let rank = 0; rank < tokens; rank++) {
    const start = offsets[rank]!;
    const end = offsets[rank + 1]!;
    const hash = hashBytes(blob, start, end);
    let i = (hash << 1) & mask;
    while (slots[i] !== 0) i = (i + 2) & mask;
    slots[i] = (hash & ~RANK_MASK) | (rank + 1);
    slots[i + 1] = start << LENGTH_BITS | (end - start);
  }
  return slots;
}

function pairsOf(offsets: Uint32Array, blob: Uint8Array): Int32Array {
  const pairs = new Int32Array(1 << 16).fill(-1);
  for (let rank = 0; rank < offsets.length - 1; rank++) {
    const at = offsets[rank]!;
    if (offsets[rank + 1]! - at === 2) {
      pairs[blob[at]! << 8 | blob[at + 1]!] = rank;
    }
  }
  return pairs;
}

function equalBytes(
  a: Uint8Array,
  aStart: number,
  b: Uint8Array,
  bStart: number,
  length: number,
): boolean {
  for (let i = 0; i < length; i++) {
    if (a[aStart + i] !== b[bStart + i]) return false;
  }
  return true;
}
