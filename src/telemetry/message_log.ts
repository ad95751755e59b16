/** Texts of the last requests, kept in memory for those who asked to see them. @module */
import { JsonCursor } from "../bytes/json_scan.ts";

/** Texts of one request as JSON; `null` for what is not kept. */
export interface LoggedTexts {
  /** Messages as received. */
  readonly request_messages: string | null;
  /** Messages as sent. */
  readonly compressed_messages: string | null;
  /** The response as it came, a stream with its events: a JSON string. */
  readonly response_content: string | null;
}

/** Bodies of one request. */
interface SentBodies {
  /** As the client sent it, decoded. */
  readonly received: Uint8Array;
  /** As it went upstream; the same array when nothing was changed. */
  readonly sent: Uint8Array;
}

/** Limits of what is kept. */
interface MessageLogOptions {
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

/** Characters of base64 from which on they are taken out. */
const MIN_CHARS = 1024;

/** Members that hold images. */
const IMAGE_MEMBER = /"(?:data|url|image_url|image)"\s*:\s*"/g;
/** Images that stand anywhere in a string. */
const DATA_URL = /data:image\\?\/[\w.+-]{1,40};base64,/gi;
/** Where base64 ends, also base64 whose slashes are escaped. */
const NO_BASE64 = /[^\w+/=\\-]|\\(?!\/)/g;

/**
 * The text with each image of 1,024 base64 characters or more replaced by `<image:base64-redacted bytes=N>`, N being
 * their count.
 *
 * Images are strings of base64 under the keys `data`, `url`, `image_url` and `image`, and `data:image/` URLs anywhere.
 * A JSON text stays one, and its other bytes stay as they are. Time linear in the text.
 */
export function withoutImages(text: string): string {
  if (!hasLongWord(text)) return text;
  return replaced(replaced(text, DATA_URL), IMAGE_MEMBER);
}

/** Whether there is a stretch without a blank or a quote that an image would fit in; looks at few characters of a text. */
function hasLongWord(text: string): boolean {
  for (let at = MIN_CHARS - 1; at < text.length; at += MIN_CHARS) {
    let start = at;
    while (start >= 0 && isInWord(text.charCodeAt(start))) start--;
    let end = at;
    while (end < text.length && isInWord(text.charCodeAt(end))) end++;
    if (end - start > MIN_CHARS) return true;
  }
  return false;
}

function isInWord(code: number): boolean {
  return code > 0x20 && code !== 0x22;
}

function replaced(text: string, head: RegExp): string {
  const parts: string[] = [];
  let copied = 0;
  for (const match of text.matchAll(head)) {
    const start = match.index + match[0].length;
    if (start < copied) continue;
    const end = endOfBase64(text, start);
    if (end - start < MIN_CHARS) continue;
    // A member must be an image as a whole.
    if (head === IMAGE_MEMBER && text[end] !== '"') continue;
    const from = head === DATA_URL ? match.index : start;
    parts.push(
      text.slice(copied, from),
      `<image:base64-redacted bytes=${end - start}>`,
    );
    copied = end;
  }
  if (copied === 0) return text;
  parts.push(text.slice(copied));
  return parts.join("");
}

function endOfBase64(text: string, start: number): number {
  NO_BASE64.lastIndex = start;
  return NO_BASE64.exec(text)?.index ?? text.length;
}
