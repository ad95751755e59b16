/** Texts of the last requests, kept in memory for those who asked to see them. @module */
import { JsonCursor } from "../bytes/json_scan.ts";
import { parseJson } from "../bytes/json_parts.ts";
import { withoutImages } from "./images.ts";

/** Texts of one request as JSON; `null` for what is not kept. */
export interface LoggedTexts {
  /** Messages as received. */
  readonly request_messages: string | null;
  /** Messages as sent. */
  readonly compressed_messages: string | null;
  /** The response as it came, a stream with its events: a JSON string. */
  readonly response_content: string | null;
}

/** Texts of one request, parsed. */
export interface LoggedMessages {
  /** Messages as received; the whole body when it has none. */
  readonly request_messages: unknown;
  /** Messages as sent. */
  readonly compressed_messages: unknown;
  /** The response as it came, a stream with its events. */
  readonly response_content: string | null;
}

/** Bodies of one request. */
export interface SentBodies {
  /** As the client sent it, decoded. */
  readonly received: Uint8Array;
  /** As it went upstream; the same array when nothing was changed. */
  readonly sent: Uint8Array;
}

/** Limits of what is kept. */
export interface MessageLogOptions {
  /** Bytes of all bodies; 20 MiB unless given. */
  readonly maxBytes?: number;
  /** Requests; 100 unless given. */
  readonly maxRequests?: number;
}

/** What is kept of one request. */
interface Kept extends SentBodies {
  readonly response: Uint8Array | undefined;
  readonly bytes: number;
}

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REQUESTS = 100;

/**
 * Keeps bodies by the id of their request, the last ones.
 *
 * Only the bodies: credentials are in header fields. They are the user's own texts and kept word for word; images are
 * taken out when they are read. Keeping costs no copy and no parsing.
 */
export class MessageLog {
  readonly #maxBytes: number;
  readonly #maxRequests: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** Makes an empty log. */
  constructor(options: MessageLogOptions = {}) {
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#maxRequests = options.maxRequests ?? MAX_REQUESTS;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps the bodies of a request; older requests go when there are too many. */
  note(id: string, { received, sent }: SentBodies): void {
    const bytes = received.length + (sent === received ? 0 : sent.length);
    this.#put(id, { received, sent, response: undefined, bytes });
  }

  /** Keeps the response of a request that is kept. */
  noteResponse(id: string, response: Uint8Array): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    const { received, sent, bytes, response: before } = kept;
    this.#put(id, {
      received,
      sent,
      response,
      bytes: bytes - (before?.length ?? 0) + response.length,
    });
  }

  /** The texts of a request, parsed; `undefined` when they are not kept. Linear in their length. */
  get(id: string): LoggedMessages | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    const { received, sent, response } = kept;
    const request_messages = parsed(messagesIn(received));
    return {
      request_messages,
      compressed_messages: sent === received
        ? request_messages
        : parsed(messagesIn(sent)),
      response_content: response === undefined
        ? null
        : withoutImages(utf8.decode(response)),
    };
  }

  /** The texts of a request, each as JSON on one line; `undefined` when they are not kept. Linear, nothing is parsed. */
  texts(id: string): LoggedTexts | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    const { received, sent, response } = kept;
    const request_messages = messagesIn(received);
    return {
      request_messages,
      compressed_messages: sent === received
        ? request_messages
        : messagesIn(sent),
      response_content: response === undefined
        ? null
        : JSON.stringify(withoutImages(utf8.decode(response))),
    };
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #put(id: string, entry: Kept): void {
    this.#drop(id);
    this.#kept.set(id, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#kept.keys()) {
      const isMuch = this.#bytes > this.#maxBytes ||
        this.#kept.size > this.#maxRequests;
      if (!isMuch) return;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#bytes -= kept.bytes;
    this.#kept.delete(id);
  }
}

const utf8 = new TextDecoder();

/** The messages of a body as JSON on one line; the whole body when it has none, as a string when it is not JSON. */
function messagesIn(body: Uint8Array): string {
  let start = 0;
  let end = body.length;
  try {
    const cursor = new JsonCursor(body);
    cursor.object((key) => {
      if (key === "messages" || key === "input") {
        ({ start, end } = cursor.skip());
      }
    });
    cursor.end();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return JSON.stringify(withoutImages(utf8.decode(body)));
  }
  const text = utf8.decode(body.subarray(start, end));
  // Between the tokens of JSON a line break is white space, and inside of them there is none.
  const line = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text;
  return withoutImages(line);
}

function parsed(json: string): unknown {
  return parseJson(json) ?? json;
}
