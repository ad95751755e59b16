/** The part of a usage tap that is the same for all wire formats. @module */
import { Buffer } from "node:buffer";
import type { Usage, UsageTap } from "../core/usage.ts";
import { SseDecoder } from "./decoder.ts";
import { JsonMemberWatch, parseObject } from "./json_member_watch.ts";

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
    const watch = new JsonMemberWatch(source.body, report);
    return { push: (chunk) => watch.push(chunk), finish: () => usage };
  }
  const makeWatches = () =>
    source.events.map((path) => new JsonMemberWatch(path, report));
  let watches = makeWatches();
  const marks = source.events.map((path) => `"${path.at(-1)}"`);
  const decoder = new SseDecoder(({ data }) => {
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
