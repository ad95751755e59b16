/** How many tokens byte-pair encoding makes of one piece of text. @module */
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

/**
 * Tokens of one piece that is no token itself, exactly as joining the leftmost pair of lowest rank
 * until there is none would give.
 *
 * @param table Ranks. @param piece UTF-8, `n` bytes, at least 1. Not modified.
 * @returns At least 1, at most `n`. O(n log n) time, about 40 bytes of memory per byte of the piece.
 */
export function countLongPiece(table: RankTable, piece: Uint8Array): number {
  return new LongPiece(table, piece).count();
}

/**
 * Parts are a linked list; pairs wait in one list per rank, and the lowest rank that anything waits
 * for is worked off from left to right. A heap of all pairs would do the same with a heap operation
 * per pair, and a megabyte of one letter has a million pairs of a few ranks.
 */
class LongPiece {
  readonly #table: RankTable;
  readonly #piece: Uint8Array;
  /** Start of the part after the one at each start. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** Rank of the part at each start joined with the next one; -1 for none. Whatever else waits is stale. */
  readonly #ranks: Int32Array;
  /** Starts of pairs, by rank. */
  readonly #waiting = new Map<number, number[]>();
  readonly #queue = new RankQueue();
  #parts: number;

  constructor(table: RankTable, piece: Uint8Array) {
    const length = piece.length;
    this.#table = table;
    this.#piece = piece;
    this.#parts = length;
    this.#next = new Int32Array(length);
    this.#previous = new Int32Array(length + 1);
    this.#ranks = new Int32Array(length).fill(-1);
    for (let i = 0; i < length; i++) {
      this.#next[i] = i + 1;
      this.#previous[i + 1] = i;
    }
  }

  count(): number {
    for (let i = 0; i < this.#piece.length; i++) this.#offer(i);
    for (let rank = this.#queue.take(); rank >= 0; rank = this.#queue.take()) {
      this.#workOff(rank);
    }
    return this.#parts;
  }

  /** Joins all pairs of `rank`, or as many as come before a lower rank turns up. */
  #workOff(rank: number): void {
    const starts = this.#waiting.get(rank)!;
    this.#waiting.delete(rank);
    if (!isAscending(starts)) starts.sort((a, b) => a - b);
    for (const [i, at] of starts.entries()) {
      if (this.#ranks[at] !== rank) continue;
      this.#join(at);
      if (this.#queue.lowest() < rank) {
        this.#waiting.set(rank, starts.slice(i + 1));
        this.#queue.add(rank);
        return;
      }
    }
  }

  #join(at: number): void {
    const joined = this.#next[at]!;
    const after = this.#next[joined]!;
    this.#next[at] = after;
    this.#previous[after] = at;
    this.#ranks[joined] = -1;
    this.#parts--;
    // Left one first, so that the lists grow in ascending order.
    if (at > 0) this.#offer(this.#previous[at]!);
    this.#offer(at);
  }

  /** Lets the part at `at`, joined with the next one, wait if that is a token. */
  #offer(at: number): void {
    const joined = this.#next[at]!;
    const rank = joined === this.#piece.length
      ? -1
      : this.#table.rank(this.#piece, at, this.#next[joined]!);
    this.#ranks[at] = rank;
    if (rank < 0) return;
    const starts = this.#waiting.get(rank);
    if (starts !== undefined) {
      starts.push(at);
      return;
    }
    this.#waiting.set(rank, [at]);
    this.#queue.add(rank);
  }
}

function isAscending(values: readonly number[]): boolean {
  for (let i = 1; i < values.length; i++) {
    if (values[i - 1]! > values[i]!) return false;
  }
  return true;
}

/** Binary heap of ranks, lowest first. */
class RankQueue {
  readonly #heap: number[] = [];

  /** Lowest rank; infinite when empty. */
  lowest(): number {
    return this.#heap[0] ?? Infinity;
  }

  add(rank: number): void {
    const heap = this.#heap;
    let i = heap.length;
    heap.push(rank);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (heap[parent]! <= rank) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = rank;
  }

  /** Removes the lowest rank and returns it; -1 when empty. */
  take(): number {
    const heap = this.#heap;
    const lowest = heap[0];
    const last = heap.pop();
    if (lowest === undefined || last === undefined) return -1;
    if (heap.length === 0) return lowest;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= last) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return lowest;
  }
}
