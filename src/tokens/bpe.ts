/** How many tokens byte-pair encoding makes of one piece of text. @module */
import { countLongPiece } from "./long_piece.ts";
import { hashBytes, type RankTable } from "./rank_table.ts";

/** Pieces up to this many bytes are merged by scanning for the lowest rank; longer ones rank by rank. */
const SCAN_BYTES = 96;
/** Pieces up to this many bytes have their count remembered. */
const CACHED_BYTES = 30;
/** A cache entry: length, count, bytes. */
const CACHE_STRIDE = CACHED_BYTES + 2;
/** Entries of the cache, a power of two: 256 KB. */
const CACHE_ENTRIES = 8192;
/** Greater than any rank. */
const NO_RANK = 0x7fffffff;

/**
 * Counts the tokens of pieces, exactly.
 *
 * A piece that is a token counts 1. Any other is merged: repeatedly the neighbouring parts whose
 * union has the lowest rank become one, the leftmost first. Time is O(n²) up to 96 bytes and
 * about O(n log n) above. Counts of short pieces are kept in a direct-mapped cache of fixed size.
 */
export class PieceCounter {
  readonly #table: RankTable;
  readonly #cache: Uint8Array = new Uint8Array(CACHE_ENTRIES * CACHE_STRIDE);
  /** Where each part of the piece being merged starts. */
  readonly #starts: Int32Array = new Int32Array(SCAN_BYTES + 2);
  /** Rank of each part joined with the next. */
  readonly #ranks: Int32Array = new Int32Array(SCAN_BYTES + 2);

  /** Counts by the ranks of `table`. */
  constructor(table: RankTable) {
    this.#table = table;
  }

  /**
   * Tokens of the piece `bytes[start..end)`.
   *
   * @param bytes UTF-8 text. @param start First byte. @param end Offset after the last byte, above `start`.
   * @returns At least 1, at most `end - start`.
   */
  count(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 1) return 1;
    if (length === 2) return this.#table.rank(bytes, start, end) < 0 ? 2 : 1;
    if (length > SCAN_BYTES) return this.#countLong(bytes, start, end);
    const hash = hashBytes(bytes, start, end);
    if (this.#table.find(hash, bytes, start, end) >= 0) return 1;
    if (length > CACHED_BYTES) return this.#merge(bytes, start, end);
    const entry = (hash & (CACHE_ENTRIES - 1)) * CACHE_STRIDE;
    const cache = this.#cache;
    if (this.#cached(entry, bytes, start, length)) return cache[entry + 1]!;
    const count = this.#merge(bytes, start, end);
    cache[entry] = length;
    cache[entry + 1] = count;
    for (let i = 0; i < length; i++) cache[entry + 2 + i] = bytes[start + i]!;
    return count;
  }

  #cached(
    entry: number,
    bytes: Uint8Array,
    start: number,
    length: number,
  ): boolean {
    const cache = this.#cache;
    if (cache[entry] !== length) return false;
    for (let i = 0; i < length; i++) {
      if (cache[entry + 2 + i] !== bytes[start + i]) return false;
    }
    return true;
  }

  #countLong(bytes: Uint8Array, start: number, end: number): number {
    if (this.#table.rank(bytes, start, end) >= 0) return 1;
    return countLongPiece(this.#table, bytes.subarray(start, end));
  }

  #merge(bytes: Uint8Array, start: number, end: number): number {
    const starts = this.#starts;
    const ranks = this.#ranks;
    let parts = end - start;
    for (let i = 0; i <= parts; i++) starts[i] = start + i;
    for (let i = 0; i < parts - 1; i++) ranks[i] = this.#joined(bytes, i);
    for (;;) {
      const at = lowest(ranks, parts - 1);
      if (at < 0) return parts;
      for (let i = at + 1; i < parts; i++) {
        starts[i] = starts[i + 1]!;
        ranks[i] = ranks[i + 1]!;
      }
      parts--;
      if (at < parts - 1) ranks[at] = this.#joined(bytes, at);
      if (at > 0) ranks[at - 1] = this.#joined(bytes, at - 1);
    }
  }

  /** Rank of part `i` joined with the next one. */
  #joined(bytes: Uint8Array, i: number): number {
    const rank = this.#table.rank(
      bytes,
      this.#starts[i]!,
      this.#starts[i + 2]!,
    );
    return rank < 0 ? NO_RANK : rank;
  }
}

/** Index of the lowest of the first `length` ranks, the leftmost on a tie; -1 when none is a rank. */
function lowest(ranks: Int32Array, length: number): number {
  let at = -1;
  let best = NO_RANK;
  for (let i = 0; i < length; i++) {
    if (ranks[i]! < best) {
      best = ranks[i]!;
      at = i;
    }
  }
  return at;
}
