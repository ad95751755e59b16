/** A count on its way: values of a body that are counted, and those that are not yet. @module */
import type { ByteSpan } from "../core/block.ts";
import { Pace } from "../core/next_turn.ts";
import type { CountedSpan, CountedTokens } from "../core/tokens.ts";

/** Bytes of a text per token, for what is not counted yet. */
const BYTES_PER_TOKEN = 4;

const NO_BYTES = new Uint8Array(0);

/** A value that has to be counted: a view of its own takes more than all else. */
interface Piece {
  /** The body that it is in. */
  readonly bytes: Uint8Array;
  /** Where it is. */
  readonly span: ByteSpan;
  /** Under which its count is remembered. */
  readonly key: string;
}

/** Bytes that are copied in a microsecond, and microseconds that a piece takes besides. */
const BYTES_PER_US = 2000;
const PIECE_US = 1;

/** Pieces one behind the other. */
export class JoinedPieces {
  /** All of them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each ends. */
  readonly ends: Uint32Array;
  readonly #pieces: readonly Piece[];
  readonly #pace = new Pace();
  #joined = 0;
  #at = 0;

  /** `length` is that of all pieces. */
  constructor(pieces: readonly Piece[], length: number) {
    this.#pieces = pieces;
    this.bytes = new Uint8Array(length);
    this.ends = new Uint32Array(pieces.length);
  }

  /** Copies the next ones; whether these were the last. */
  goesOn(): boolean {
    while (this.#joined < this.#pieces.length) {
      const { bytes, span: { start, end } } = this.#pieces[this.#joined]!;
      this.bytes.set(bytes.subarray(start, end), this.#at);
      this.#at += end - start;
      this.ends[this.#joined++] = this.#at;
      const us = PIECE_US + (end - start) / BYTES_PER_US;
      if (this.#pace.isDue(us)) return this.#joined === this.#pieces.length;
    }
    return true;
  }
}

/** One body on its way. */
export class OpenCount {
  /** Values that are not counted. */
  readonly pieces: Piece[] = [];
  /** Bytes of all pieces. */
  bytes = 0;
  #spans: readonly CountedSpan[];
  #body: Uint8Array;
  /** Spans that were given to be looked up. */
  #at = 0;
  #uncounted: number;
  #tokens = 0;
  #pendingBytes = 0;
  #extraTokens = 0;
  /** Index of the piece that stands beside the body. */
  #extraAt = -1;

  /** `spans` are the values of the body. */
  constructor(body: Uint8Array, spans: readonly CountedSpan[]) {
    this.#body = body;
    this.#spans = spans;
    this.#uncounted = spans.length;
    for (const { start, end } of spans) this.#pendingBytes += end - start;
  }

  /** Gives the next values, at most `count`; true when there are no more. The body is let go then, but for what is pending. */
  eachOf(
    count: number,
    take: (body: Uint8Array, span: CountedSpan) => void,
  ): boolean {
    const end = Math.min(this.#at + count, this.#spans.length);
    while (this.#at < end) take(this.#body, this.#spans[this.#at++]!);
    if (end < this.#spans.length) return false;
    this.#body = NO_BYTES;
    this.#spans = [];
    this.#at = 0;
    return true;
  }

  /** Adds a value that was looked up, with its tokens where they are known. */
  add(piece: Piece, known: number | undefined): void {
    if (known === undefined) this.#push(piece);
    else {
      this.#tokens += known;
      this.#pendingBytes -= lengthOf(piece);
      this.#uncounted--;
    }
  }

  /** The same of the text beside the body. */
  addExtra(raw: Uint8Array, key: string, known: number | undefined): void {
    this.#extraTokens = known ?? Math.ceil(raw.length / BYTES_PER_TOKEN);
    if (known !== undefined || raw.length === 0) return;
    this.#uncounted++;
    this.#extraAt = this.#push({ bytes: raw, span: whole(raw), key }) - 1;
  }

  #push(piece: Piece): number {
    this.bytes += lengthOf(piece);
    return this.pieces.push(piece);
  }

  /** Whether every piece is counted. */
  get isExact(): boolean {
    return this.#uncounted === 0;
  }

  /** Takes the tokens of a piece. */
  counted(index: number, tokens: number): void {
    this.#uncounted--;
    if (index === this.#extraAt) this.#extraTokens = tokens;
    else {
      this.#tokens += tokens;
      this.#pendingBytes -= lengthOf(this.pieces[index]!);
    }
  }

  /** Lets the body go: nothing more will be counted. */
  close(): void {
    this.pieces.length = 0;
  }

  /** What is known, and the rest from its length. */
  estimate(): CountedTokens {
    return {
      tokens: this.#tokens + Math.ceil(this.#pendingBytes / BYTES_PER_TOKEN),
      extraTokens: this.#extraTokens,
    };
  }
}

function lengthOf({ span: { start, end } }: Piece): number {
  return end - start;
}

/** The span of all bytes. */
export function whole(bytes: Uint8Array): ByteSpan {
  return { start: 0, end: bytes.length };
}
