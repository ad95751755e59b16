/** Finds one member of a JSON text while its bytes go by. @module */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** Longest key and longest value that are looked at, in bytes. */
const MAX_KEY = 64;
const MAX_VALUE = 64 * 1024;

/**
 * Watches for the object at a path, e.g. `["response", "usage"]`: a member of a
 * member of the outermost object. Bytes before that object are skipped, so the text
 * may stand behind a field name; a further object behind it is watched too.
 *
 * Memory is bounded by the size of one such value; values above 64 KiB are skipped.
 * Keys are compared as written, without resolving escapes.
 */
export class JsonMemberWatch {
  readonly #path: readonly string[];
  readonly #onValue: (value: object) => void;
  /** Open objects and arrays. */
  #depth = 0;
  /** How many keys of the path lead to the innermost open object, as long as `#depth` equals it plus one. */
  #matched = 0;
  #inString = false;
  #escaped = false;
  /** Whether the next string of the current object is a key. */
  #keyNext = false;
  #key: number[] | undefined;
  #lastKey = "";
  /** Bytes of the value at the path, while it is open. */
  #value: number[] | undefined;

  /**
   * @param path Keys from the outside in; at least one.
   * @param onValue Gets each value that is valid JSON and an object. Never for malformed text.
   */
  constructor(path: readonly string[], onValue: (value: object) => void) {
    this.#path = path;
    this.#onValue = onValue;
  }

  /** Takes the next bytes, split anywhere. */
  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      if (this.#isIdle()) i = endOfPlain(chunk, i);
      const byte = chunk[i];
      if (byte === undefined) return;
      if (this.#value !== undefined) this.#keep(byte);
      if (this.#inString) this.#string(byte);
      else this.#structure(byte);
    }
  }

  /** Whether the bytes of the current string up to its next special one are of no interest. */
  #isIdle(): boolean {
    return this.#inString && !this.#escaped && this.#key === undefined &&
      this.#value === undefined;
  }

  #string(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) return this.#endString();
    if (this.#key === undefined) return;
    if (this.#key.length < MAX_KEY) this.#key.push(byte);
    else this.#key = undefined;
  }

  #endString(): void {
    this.#inString = false;
    if (this.#key !== undefined) {
      this.#lastKey = String.fromCharCode(...this.#key);
    }
    this.#key = undefined;
  }

  #structure(byte: number): void {
    switch (byte) {
      case QUOTE:
        if (this.#depth === 0) return;
        this.#inString = true;
        this.#key = this.#keyNext && this.#onPath() ? [] : undefined;
        this.#lastKey = this.#keyNext ? "" : this.#lastKey;
        return;
      case COLON:
        this.#keyNext = false;
        return;
      case COMMA:
        this.#keyNext = this.#onPath();
        return;
      case OPEN:
        return this.#open(byte);
      case OPEN_ARRAY:
        if (this.#depth > 0) this.#depth++;
        this.#keyNext = false;
        return;
      case CLOSE:
      case CLOSE_ARRAY:
        if (this.#depth > 0) this.#close();
    }
  }

  #open(byte: number): void {
    const wanted = this.#path[this.#matched];
    if (this.#depth > 0 && this.#onPath() && this.#lastKey === wanted) {
      this.#matched++;
      if (this.#matched === this.#path.length) this.#value = [byte];
    }
    this.#depth++;
    this.#keyNext = this.#onPath();
  }

  #close(): void {
    const onPath = this.#onPath();
    this.#depth--;
    this.#keyNext = false;
    if (!onPath || this.#matched === 0) return;
    if (this.#matched === this.#path.length) this.#finishValue();
    this.#matched--;
  }

  /** Whether the innermost open object is the outermost one or lies on the path. */
  #onPath(): boolean {
    return this.#depth === this.#matched + 1;
  }

  #keep(byte: number): void {
    if (this.#value === undefined) return;
    if (this.#value.length < MAX_VALUE) this.#value.push(byte);
    else this.#value = undefined;
  }

  #finishValue(): void {
    const bytes = this.#value;
    this.#value = undefined;
    if (bytes === undefined) return;
    const value = parseObject(new TextDecoder().decode(new Uint8Array(bytes)));
    if (value !== undefined) this.#onValue(value);
  }
}

/** Offset of the first quote or back-slash from `from` on; the length when there is none. */
function endOfPlain(chunk: Uint8Array, from: number): number {
  let i = from;
  while (i < chunk.length && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i++;
  return i;
}

/** The object that `text` holds; `undefined` when it is not JSON or something else. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
