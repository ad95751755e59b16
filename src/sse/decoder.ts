/** Bytes of an event stream → events, whatever the chunk boundaries. @module */

/** One block of an event stream, up to and including the blank line that ends it. */
export interface SseEvent {
  /** The `event` field; `message` when there is none. */
  readonly type: string;
  /** The `data` lines, joined by line feeds. Empty for a block without data, e.g. a comment: not an event to a client. */
  readonly data: string;
  /**
   * The exact bytes, blank line included. May be a view of the chunk that was pushed.
   * The blocks' bytes and what {@linkcode SseDecoder.finish} returns, put together,
   * are the bytes that were pushed, unless a block was too large.
   */
  readonly raw: Uint8Array;
}

/** Bounds, and what is beyond them. */
export interface SseDecoderOptions {
  /** Largest block in bytes; 1 MiB unless given. A larger one is skipped. */
  readonly maxEventBytes?: number;
  /**
   * Gets the bytes of blocks that are skipped, in order and in pieces as they come;
   * `last` is true for the final piece of a block.
   */
  readonly onOversize?: (piece: Uint8Array, last: boolean) => void;
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * Decodes one stream in the event stream format of the HTML standard: lines end with
 * LF, CR or CRLF, comments are ignored, a byte order mark may start the stream.
 *
 * A block that ends with a bare CR is delivered with the byte behind it, since that
 * may be the LF of a CRLF.
 */
export class SseDecoder {
  readonly #onEvent: (event: SseEvent) => void;
  readonly #onOversize: SseDecoderOptions["onOversize"];
  readonly #max: number;
  /** Start of a block that previous chunks began. */
  readonly #held = new Held();
  #oversize = false;
  /** Nothing but line ends since the last line end. */
  #lineEmpty = true;
  #afterCr = false;
  /** A blank line ended with CR: the block ends here or one LF later. */
  #blank = false;
  /** Bytes of the byte order mark seen; -1 once the stream is past it. */
  #bom = 0;
  #first = true;

  /** @param onEvent Called in order for every block. An error it throws leaves {@linkcode SseDecoder.push}. */
  constructor(
    onEvent: (event: SseEvent) => void,
    options: SseDecoderOptions = {},
  ) {
    this.#onEvent = onEvent;
    this.#onOversize = options.onOversize;
    this.#max = options.maxEventBytes ?? MAX_EVENT_BYTES;
  }

  /** Takes the next bytes; events that they complete are delivered before it returns. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const end = this.#step(chunk[i] as number, i);
      if (end < 0) continue;
      this.#deliver(chunk.subarray(start, end));
      start = end;
    }
    this.#hold(chunk.subarray(start));
  }

  /**
   * Ends the stream. A block that lacks its blank line is no event (it was cut off):
   * its bytes are returned, empty when there is none.
   */
  finish(): Uint8Array {
    if (this.#blank) this.#deliver(new Uint8Array(0));
    this.#blank = false;
    if (this.#oversize) this.#onOversize?.(new Uint8Array(0), true);
    this.#oversize = false;
    return this.#held.take();
  }

  /** Takes byte `i` of the chunk; the offset at which a block ends there, or -1. */
  #step(byte: number, i: number): number {
    const afterCr = this.#afterCr;
    this.#afterCr = false;
    if (this.#blank) {
      this.#blank = false;
      if (byte === LF) return i + 1;
      // The byte is the first of the next block.
      this.#step(byte, i);
      return i;
    }
    if (byte === LF) {
      if (afterCr) return -1;
      if (this.#lineEmpty) return i + 1;
      this.#lineEmpty = true;
    } else if (byte === CR) {
      this.#afterCr = true;
      this.#blank = this.#lineEmpty;
      this.#lineEmpty = true;
    } else {
      this.#lineEmpty = this.#isBom(byte);
    }
    return -1;
  }

  /** Whether `byte` completes a byte order mark at the start of the stream, after which the line is still empty. */
  #isBom(byte: number): boolean {
    if (this.#bom < 0 || byte !== BOM[this.#bom]) {
      this.#bom = -1;
      return false;
    }
    this.#bom = this.#bom === 2 ? -1 : this.#bom + 1;
    return this.#bom === -1;
  }

  #hold(rest: Uint8Array): void {
    if (rest.length === 0) return;
    if (!this.#oversize && this.#held.length + rest.length <= this.#max) {
      return this.#held.add(rest);
    }
    this.#oversize = true;
    if (this.#held.length > 0) this.#onOversize?.(this.#held.take(), false);
    this.#onOversize?.(rest, false);
  }

  #deliver(end: Uint8Array): void {
    if (this.#oversize || this.#held.length + end.length > this.#max) {
      if (this.#held.length > 0) this.#onOversize?.(this.#held.take(), false);
      this.#oversize = false;
      this.#onOversize?.(end, true);
    } else {
      const raw = this.#held.length === 0 ? end : this.#held.takeWith(end);
      this.#onEvent(parse(raw, this.#first));
    }
    this.#first = false;
  }
}

/** Bytes kept from one chunk to the next, in one growing buffer. */
class Held {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
  }

  takeWith(end: Uint8Array): Uint8Array {
    this.add(end);
    return this.take();
  }

  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    // A large block must not pin its buffer for the rest of the stream.
    if (this.#bytes.length > 65_536) this.#bytes = new Uint8Array(0);
    return taken;
  }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function parse(raw: Uint8Array, first: boolean): SseEvent {
  let text = utf8.decode(raw);
  if (first && text.startsWith("\ufeff")) text = text.slice(1);
  let type = "";
  const data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    if (name !== "data" && name !== "event") continue;
    const from = line[colon + 1] === " " ? colon + 2 : colon + 1;
    const value = colon < 0 ? "" : line.slice(from);
    if (name === "data") data.push(value);
    else type = value;
  }
  return { type: type === "" ? "message" : type, data: data.join("\n"), raw };
}
