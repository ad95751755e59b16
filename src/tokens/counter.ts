/** Counts tokens, exactly for the named encoding. @module */
import type { TokenCounter } from "../core/tokens.ts";
import { PieceCounter } from "./bpe.ts";
import { ScanBuffer } from "./char_kind.ts";
import { type EncodingName, encodingOfModel } from "./encodings.ts";
import { cl100kPiece, o200kPiece, type PieceScanner } from "./pretokenize.ts";
import { decodeRankTable } from "./rank_table.ts";

const ZERO = 48;
const NINE = 57;

const SCANNERS: Readonly<Record<EncodingName, PieceScanner>> = {
  o200k_base: o200kPiece,
  cl100k_base: cl100kPiece,
};

/** A token counter that can also stop early. */
export interface ExactTokenCounter extends TokenCounter {
  /**
   * Whether `text` has more than `limit` tokens.
   * Counts no further than the piece that decides it, and nothing where the text's length does.
   *
   * @param limit Tokens, any number.
   */
  exceeds(text: string, model: string, limit: number): boolean;
}

/**
 * Loads the ranks and makes a counter of `o200k_base` and `cl100k_base`; see `encodingOfModel` for
 * which counts for what.
 *
 * Needs no permission. `o200k_base` is ready when the promise resolves (about 45 ms, 9 MB);
 * `cl100k_base` is decoded by the first count that needs it (about 12 ms, 4 MB). Special tokens such
 * as `<|endoftext|>` count as the ordinary text they are in a request, lone surrogates as U+FFFD.
 * Make one per thread and share it.
 *
 * @example Count a text
 * ```ts
 * import { openTokenCounter } from "./counter.ts";
 * import assert from "node:assert/strict";
 *
 * const counter = await openTokenCounter();
 * assert.equal(counter.count("Hello, world!", "gpt-5"), 4);
 * assert.equal(counter.exceeds("Hello, world!", "gpt-5", 3), true);
 * ```
 */
export async function openTokenCounter(): Promise<ExactTokenCounter> {
  // Not imported statically: whoever only names this module should not pay for the tables.
  const [o200k, cl100k] = await Promise.all([
    import("./ranks/o200k_base.json", { with: { type: "json" } }),
    import("./ranks/cl100k_base.json", { with: { type: "json" } }),
  ]);
  const counter = new Counter({
    o200k_base: o200k.default.ranks,
    cl100k_base: cl100k.default.ranks,
  });
  counter.count("", "");
  return counter;
}

class Counter implements ExactTokenCounter {
  readonly #ranks: Readonly<Record<EncodingName, string>>;
  readonly #encoders = new Map<EncodingName, Encoder>();

  constructor(ranks: Readonly<Record<EncodingName, string>>) {
    this.#ranks = ranks;
  }

  encodingOf(model: string): string {
    return encodingOfModel(model);
  }

  count(text: string, model: string): number {
    return this.#encoder(model).count(text, Infinity);
  }

  exceeds(text: string, model: string, limit: number): boolean {
    return this.#encoder(model).count(text, limit) > limit;
  }

  #encoder(model: string): Encoder {
    const name = encodingOfModel(model);
    let encoder = this.#encoders.get(name);
    if (encoder === undefined) {
      encoder = new Encoder(SCANNERS[name], this.#ranks[name]);
      this.#encoders.set(name, encoder);
    }
    return encoder;
  }
}

/** One encoding, ready to count. */
class Encoder {
  readonly #scan: PieceScanner;
  readonly #buffer = new ScanBuffer();
  readonly #pieces: PieceCounter;
  readonly #longest: number;

  constructor(scan: PieceScanner, ranks: string) {
    const table = decodeRankTable(ranks);
    this.#scan = scan;
    this.#pieces = new PieceCounter(table);
    this.#longest = table.longest;
  }

  /** Tokens of `text`; once they are more than `limit`, any number between the two. */
  count(text: string, limit: number): number {
    // Every code unit is a byte or more, and no token has more bytes than the longest.
    const least = Math.ceil(text.length / this.#longest);
    if (least > limit) return least;
    this.#buffer.fill(text);
    const { bytes, length } = this.#buffer;
    const scan = this.#scan;
    let tokens = 0;
    for (let at = 0; at < length && tokens <= limit;) {
      const end = scan(bytes, at);
      tokens += end - at <= 3 && isShortNumber(bytes, at, end)
        ? 1
        : this.#pieces.count(bytes, at, end);
      at = end;
    }
    this.#buffer.clear();
    return tokens;
  }
}

/** Whether a piece is one to three digits: each encoding has a token for every such number. */
function isShortNumber(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at; i < end; i++) {
    if (bytes[i]! < ZERO || bytes[i]! > NINE) return false;
  }
  return true;
}
