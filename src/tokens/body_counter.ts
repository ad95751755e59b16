/** Tokens of whole request bodies: what was counted before is remembered, the rest is asked for. @module */
import { hash } from "node:crypto";
import { Lru } from "../bytes/lru.ts";
import type { ByteSpan } from "../core/block.ts";
import { nextTurn, Pace } from "../core/next_turn.ts";
import type { BodyCount, CountInput, CountPieces } from "../core/tokens.ts";
import { encodingOfModel } from "./encodings.ts";
import { JoinedPieces, OpenCount, whole } from "./open_count.ts";
import { shortText } from "../bytes/json_string.ts";

/** Bytes of values that are copied for whoever counts them, at a time. What does not fit stays in its body until then. */
const MAX_ASKED_BYTES = 4 * 1024 * 1024;
/** Values of a body up to this many bytes do not wait for those of larger ones. */
const SMALL_BYTES = 64 * 1024;
/** Values of a body that are looked up at a time: a millisecond or two. */
const STEP_VALUES = 500;
/** Microseconds that it takes to remember a count. */
const TAKE_US = 3;
/** Counts remembered, about 150 bytes each. */
const MAX_COUNTS = 50_000;

/**
 * Counts pieces elsewhere.
 *
 * @param onCounted Told of the tokens of the pieces from index `from` on, in order.
 * @returns Resolves when all are counted, or when no more will be.
 */
export type AskPieces = (
  pieces: CountPieces,
  onCounted: (from: number, tokens: readonly number[]) => void,
) => Promise<void>;

/** Counts bodies; most of a request was counted with the one before it. */
export class BodyCounter {
  readonly #ask: AskPieces;
  /** Encoding and digest of the raw bytes → tokens. */
  readonly #counts: Lru<string, number>;
  readonly #waiting: (() => void)[] = [];
  #askedBytes = 0;
  #beside: Beside = { extra: "", raw: new Uint8Array(0), name: "=" };

  /** `ask` counts what is new; `maxCounts` values are remembered. */
  constructor(ask: AskPieces, maxCounts: number = MAX_COUNTS) {
    this.#ask = ask;
    this.#counts = new Lru(maxCounts);
  }

  /**
   * Starts to count. Takes a digest of every value without an id, and copies the new ones when their turn has come: until
   * then the body is held. Counts nothing itself.
   */
  count({ body, spans, model, extra }: CountInput): BodyCount {
    const encoding = encodingOfModel(model);
    const open = new OpenCount(body, spans);
    const named = this.#name(open, encoding);
    const beside = this.#besideOf(extra);
    const key = encoding + beside.name;
    open.addExtra(beside.raw, key, this.#counts.get(key));
    const ask = () =>
      open.pieces.length === 0
        ? Promise.resolve()
        : this.#inTurn(open.bytes, () => this.#askFor(open, model));
    const done = named === undefined ? ask() : named.then(ask);
    return {
      estimate: () => open.estimate(),
      isExact: () => open.isExact,
      done: done.then(() => open.estimate()),
    };
  }

  /** Looks up all values. The promise of the rest, if there are many: until then its tokens are taken from its length. */
  #name(open: OpenCount, encoding: string): Promise<void> | undefined {
    const isDone = () =>
      open.eachOf(STEP_VALUES, (bytes, span) => {
        const key = encoding + (span.id ?? nameOf(bytes, span));
        open.add({ bytes, span, key }, this.#counts.get(key));
      });
    return isDone() ? undefined : untilDone(isDone);
  }

  /** Nearly always the same text as before, or none. */
  #besideOf(extra: string): Beside {
    if (this.#beside.extra === extra) return this.#beside;
    const raw = utf8.encode(extra);
    return this.#beside = { extra, raw, name: nameOf(raw, whole(raw)) };
  }

  async #askFor(open: OpenCount, model: string): Promise<void> {
    try {
      const joined = new JoinedPieces(open.pieces, open.bytes);
      // Both this and to hand it over take a while where they are many.
      while (!joined.goesOn()) await nextTurn();
      const { ends } = joined;
      if (ends.length > STEP_VALUES) await nextTurn();
      const answers: (readonly number[])[] = [];
      await this.#ask({ bytes: joined.bytes, ends, model }, (from, tokens) => {
        if (ends.length > STEP_VALUES) answers.push(tokens);
        else {for (const [i, n] of tokens.entries()) {
            this.#take(open, from + i, n);
          }}
      });
      await this.#takeInSteps(open, answers.flat());
    } finally {
      open.close();
    }
  }

  #take(open: OpenCount, index: number, tokens: number): void {
    this.#counts.set(open.pieces[index]!.key, tokens);
    open.counted(index, tokens);
  }

  /** Answers about many pieces come together: others get their turn between them. */
  async #takeInSteps(
    open: OpenCount,
    counts: readonly number[],
  ): Promise<void> {
    const pace = new Pace();
    for (const [i, tokens] of counts.entries()) {
      this.#take(open, i, tokens);
      if (pace.isDue(TAKE_US)) await nextTurn();
    }
  }

  /** Runs `ask` at once, or after those that came before. */
  #inTurn(bytes: number, ask: () => Promise<void>): Promise<void> {
    const run = async () => {
      this.#askedBytes += bytes;
      try {
        await ask();
      } finally {
        this.#askedBytes -= bytes;
        this.#next();
      }
    };
    const fits = this.#askedBytes === 0 ||
      this.#askedBytes + bytes <= MAX_ASKED_BYTES;
    if (bytes <= SMALL_BYTES || (fits && this.#waiting.length === 0)) {
      return run();
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => void run().then(resolve, reject));
    });
  }

  /** One at a time of those that wait: each may be as large as all that is asked at once. */
  #next(): void {
    if (this.#askedBytes < MAX_ASKED_BYTES) this.#waiting.shift()?.();
  }
}

async function untilDone(step: () => boolean): Promise<void> {
  do await nextTurn(); while (!step());
}

/** A short value names itself; that is cheaper than a digest, and most values are short. */
function nameOf(bytes: Uint8Array, { start, end }: ByteSpan): string {
  const short = shortText(bytes, start, end);
  // No digest and no id starts like this.
  return short === undefined
    ? hash("sha256", bytes.subarray(start, end), "base64")
    : `=${short}`;
}

const utf8 = new TextEncoder();

/** A text that is sent besides the body. */
interface Beside {
  readonly extra: string;
  readonly raw: Uint8Array;
  readonly name: string;
}

/** Where each piece starts and ends. */
export function pieceSpans(ends: Uint32Array): readonly ByteSpan[] {
  return Array.from(ends, (end, i) => ({ start: ends[i - 1] ?? 0, end }));
}
