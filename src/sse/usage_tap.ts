/** The part of a usage tap that is the same for all wire formats. @module */
import { Buffer } from "node:buffer";
import type { Usage, UsageTap } from "../core/usage.ts";
import { makeSseDecoder } from "./decoder.ts";

/** Where a format reports usage, and what it means. */
export interface UsageSource {
  /** Keys that lead to the usage object of a JSON body. */
  readonly body: readonly string[];
  /** Keys that may lead to it in the data of an event; the first way that does counts. */
  readonly events: readonly (readonly string[])[];
  /** What is known after `reported`, a usage object as the provider wrote it, with any members of any type. */
  readonly merge: (known: Usage, reported: object) => Usage;
}

const EVENT_STREAM = /^\s*text\/event-stream\b/i;
const BLANK_LINE = new TextEncoder().encode("\n\n");

/**
 * Makes a tap for one response.
 *
 * Memory is bounded: of a JSON body only the usage object is kept, of an event
 * stream only the current event, and of an event above 1 MiB its usage object.
 *
 * @param contentType Value of the response's `content-type`; anything but an event stream is read as JSON.
 * @param source The format's part.
 */
export function makeUsageTap(
  contentType: string,
  source: UsageSource,
): UsageTap {
  let usage: Usage = {};
  const report = (reported: object) => {
    usage = source.merge(usage, reported);
  };
  if (!EVENT_STREAM.test(contentType)) {
    const watch = watchJsonMember(source.body, report);
    return { push: (chunk) => watch.push(chunk), finish: () => usage };
  }
  const makeWatches = () =>
    source.events.map((path) => watchJsonMember(path, report));
  let watches = makeWatches();
  const marks = source.events.map((path) => `"${path.at(-1)}"`);
  const decoder = makeSseDecoder(({ data }) => {
    // Nearly all events are text: they are not worth parsing.
    const reported = marks.some((mark) => data.includes(mark))
      ? reportIn(data, source.events)
      : undefined;
    if (reported !== undefined) report(reported);
  }, {
    onOversize: (piece, last) => {
      for (const watch of watches) watch.push(piece);
      if (last) watches = makeWatches();
    },
  });
  const isDull = skippableChunks(marks);
  return {
    push(chunk) {
      if (!isDull(chunk)) decoder.push(chunk);
    },
    finish: () => {
      // Some servers leave out the blank line behind the last event.
      decoder.push(BLANK_LINE);
      return usage;
    },
  };
}

/**
 * Makes a test for chunks that need no decoding: whole events, behind whole events, that hold none of the marks. A
 * model's text comes in thousands of them.
 *
 * @param marks Texts that make an event worth decoding.
 * @returns A function to be called with every chunk of one stream, in order.
 */
export function skippableChunks(
  marks: readonly string[],
): (chunk: Uint8Array) => boolean {
  let isAtEvent = true;
  return (chunk) => {
    const wasAtEvent = isAtEvent;
    isAtEvent = endsEvent(chunk);
    if (!wasAtEvent || !isAtEvent) return false;
    const { buffer, byteOffset, byteLength } = chunk;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return !marks.some((mark) => bytes.includes(mark));
  };
}

const LF = 0x0a;
const CR = 0x0d;

/** Whether a chunk ends with a blank line, however its lines end. */
function endsEvent(chunk: Uint8Array): boolean {
  const [a, b, c] = [chunk.at(-1), chunk.at(-2), chunk.at(-3)];
  if (a === LF && b === LF) return true;
  return a === LF && b === CR && c === LF;
}

/** Member `key` of a provider's object as a token count; `undefined` when it is none. */
export function tokens(from: unknown, key: string): number | undefined {
  const value = member(from, key);
  return Number.isSafeInteger(value) && (value as number) >= 0
    ? value as number
    : undefined;
}

/** Member `key` of `from`; `undefined` when that is no object or has no such member. */
export function member(from: unknown, key: string): unknown {
  return typeof from === "object" && from !== null
    ? (from as Record<string, unknown>)[key]
    : undefined;
}

function reportIn(
  data: string,
  paths: readonly (readonly string[])[],
): object | undefined {
  const event = parseObject(data);
  for (const path of paths) {
    const found = path.reduce<unknown>(member, event);
    if (typeof found === "object" && found !== null) return found;
  }
  return undefined;
}

/** Watches bytes go by. */
interface JsonMemberWatch {
  /** Takes the next bytes, split anywhere. */
  push(chunk: Uint8Array): void;
}

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
 * Makes a watch for the object at `path`, e.g. `["response", "usage"]`: a member of a
 * member of the outermost object. Bytes before that object are skipped, so the text
 * may stand behind a field name; a further object behind it is watched too.
 *
 * Memory is bounded by the size of one such value; values above 64 KiB are skipped.
 * Keys are compared as written, without resolving escapes.
 *
 * @param path Keys from the outside in; at least one.
 * @param onValue Gets each value that is valid JSON and an object. Never for malformed text.
 */
export function watchJsonMember(
  path: readonly string[],
  onValue: (value: object) => void,
): JsonMemberWatch {
  return new Watch(path, onValue);
}

class Watch implements JsonMemberWatch {
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

  constructor(path: readonly string[], onValue: (value: object) => void) {
    this.#path = path;
    this.#onValue = onValue;
  }

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
function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/**
 * Usage whose input counts what was read from the cache as well.
 *
 * @param input Name of the tokens of the prompt; their details stand beside them.
 * @param output Name of the tokens of the answer.
 */
export function totalUsage(
  reported: object,
  input: string,
  output: string,
): Usage {
  const all = tokens(reported, input);
  const written = tokens(reported, output);
  const cached = tokens(member(reported, `${input}_details`), "cached_tokens");
  return {
    ...all !== undefined && { input: Math.max(0, all - (cached ?? 0)) },
    ...written !== undefined && { output: written },
    ...cached !== undefined && { cacheRead: cached },
  };
}
