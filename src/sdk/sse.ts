/** Event streams of providers as values. @module */
import { SseDecoder } from "../sse/decoder.ts";
import { SvcError } from "./errors.ts";

/** Largest event in bytes: some carry a whole answer. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** What chat completions send behind their last event: no JSON. */
const DONE = "[DONE]";

/**
 * Reads an event stream: one value for each event with data, as it arrives, whatever the boundaries of the chunks.
 * Comments and the closing `[DONE]` are no events. Leaving the loop cancels the response.
 *
 * @param source A response, or its body.
 * @returns The events' data, parsed as JSON.
 * @throws {SvcError} While it is read, if an event is not JSON or is larger than 64 MiB. What breaks the body is thrown
 * as it is.
 *
 * @example
 * ```ts
 * import { parseSSE } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const response = new Response('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n');
 * const seen: unknown[] = [];
 * for await (const event of parseSSE(response)) seen.push(event);
 * assert.deepEqual(seen, [{ n: 1 }, { n: 2 }]);
 * ```
 */
export async function* parseSSE<Event = unknown>(
  source: Pick<Response, "body"> | ReadableStream<Uint8Array>,
): AsyncGenerator<Event, void, undefined> {
  const body = source instanceof ReadableStream ? source : source.body;
  if (body === null) return;
  const data: string[] = [];
  const decoder = new SseDecoder((event) => data.push(event.data), {
    maxEventBytes: MAX_EVENT_BYTES,
    onOversize: tooLarge,
  });
  for await (const chunk of body) {
    decoder.push(chunk);
    for (const text of data.splice(0)) {
      if (text.trim() === DONE) return;
      if (text !== "") yield parsed(text) as Event;
    }
  }
  // A block that ends with the stream, without its blank line, was cut off.
  decoder.finish();
  for (const text of data) {
    if (text !== "" && text.trim() !== DONE) yield parsed(text) as Event;
  }
}

function tooLarge(): never {
  throw new SvcError("Cannot read an event of more than 64 MiB", {
    maxBytes: MAX_EVENT_BYTES,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SvcError(
      "Cannot read the stream: an event of it is not JSON",
      { length: text.length },
      { cause: error },
    );
  }
}

/**
 * Waits for the end of a stream and gives everything that came.
 *
 * @param stream Any async iterable.
 * @returns Its values, in order.
 *
 * @example
 * ```ts
 * import { collectStream, parseSSE } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const response = new Response('data: {"n":1}\n\ndata: {"n":2}\n\n');
 * assert.deepEqual(await collectStream(parseSSE(response)), [{ n: 1 }, { n: 2 }]);
 * ```
 */
export async function collectStream<Event>(
  stream: AsyncIterable<Event>,
): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
