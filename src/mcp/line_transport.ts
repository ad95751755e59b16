/** MCP over two byte streams: one JSON message per line. @module */
import { concat } from "../bytes/concat.ts";
import {
  deserializeMessage,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";

/** Longest message in bytes: 64 MiB. */
const MAX_LINE_BYTES = 2 ** 26;
const LINE_FEED = 10;
/** How long a client that does not read may delay the end, in milliseconds. */
const UNREAD_MS = 1000;

/** The two streams. */
export interface LineStreams {
  /** What the client writes. */
  readonly input: ReadableStream<Uint8Array>;
  /** Writes all of `bytes` to the client; rejects when it is gone. Called one at a time. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

/**
 * The transport of a server that a client starts.
 *
 * The SDK's own drops what is still being worked on when the input ends; this one answers first, so that a shell
 * may pipe its requests in. It knows no Node streams, and takes long messages in linear time.
 */
export class LineTransport implements Transport {
  /** Set by the SDK. */
  onclose?: () => void;
  /** Set by the SDK. */
  onerror?: (error: Error) => void;
  /** Set by the SDK. */
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves once the transport is closed, by whatever. */
  readonly closed: Promise<void>;
  readonly #streams: LineStreams;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #close = Promise.withResolvers<void>();
  /** Requests without an answer yet. */
  readonly #open = new Set<unknown>();
  #written: Promise<void> = Promise.resolve();
  #isInputOver = false;
  #isClosed = false;

  /** Takes the streams; nothing is read before {@linkcode LineTransport.start}. */
  constructor(streams: LineStreams) {
    this.#streams = streams;
    this.#reader = streams.input.getReader();
    this.closed = this.#close.promise;
  }

  /** Starts reading. */
  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  /** Writes one message; resolves when it is written. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error("Cannot send: the transport is closed");
    const bytes = new TextEncoder().encode(serializeMessage(message));
    const written = this.#written.then(() => this.#streams.write(bytes));
    this.#written = written.catch(() => {});
    try {
      await written;
    } catch (error) {
      await this.close();
      throw error;
    }
    if (!("method" in message) && "id" in message) this.#settle(message.id);
  }

  /** Stops reading. What was sent before is still written, unless the client takes longer than a second. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, UNREAD_MS);
    await Promise.race([this.#written, limit.promise]);
    clearTimeout(timer);
    void this.#reader.cancel().catch(() => {});
    this.onclose?.();
    this.#close.resolve();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(this.#reader)) this.#take(line);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    this.#isInputOver = true;
    this.#closeIfDone();
  }

  #take(line: string): void {
    if (line.trim() === "" || this.#isClosed) return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      // The error's own words may repeat the line.
      this.onerror?.(new Error("Cannot read a line: no JSON-RPC message"));
      return;
    }
    if (isJSONRPCRequest(message)) this.#open.add(message.id);
    if (
      isJSONRPCNotification(message) &&
      message.method === "notifications/cancelled"
    ) {
      this.#settle(message.params?.requestId);
    }
    this.onmessage?.(message);
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isInputOver && this.#open.size === 0) void this.close();
  }
}

/**
 * Splits at line feeds. A rest without one is a line too.
 *
 * @throws {RangeError} If a line is longer than 64 MiB.
 */
async function* linesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<string> {
  let begun: Uint8Array[] = [];
  let length = 0;
  const take = () => {
    const text = new TextDecoder().decode(concat(begun));
    begun = [];
    length = 0;
    return text;
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let rest = value;
    for (let end; (end = rest.indexOf(LINE_FEED)) >= 0;) {
      begun.push(rest.subarray(0, end));
      length += end;
      rest = rest.subarray(end + 1);
      yield take();
    }
    begun.push(rest);
    length += rest.length;
    if (length > MAX_LINE_BYTES) {
      throw new RangeError(
        `Cannot read a message of more than ${MAX_LINE_BYTES} bytes`,
      );
    }
  }
  if (length > 0) yield take();
}
