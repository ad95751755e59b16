/** Byte-pair encoding of a piece of any length in about linear time. @module */
import type { RankTable } from "./rank_table.ts";

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
