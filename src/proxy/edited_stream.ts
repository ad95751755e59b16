/** An event stream from which something is taken out on its way. @module */
import type { StreamEdit } from "../core/format.ts";
import { isDecodable } from "./content_encoding.ts";
import type { ChunkReader, Reply } from "../core/upstream.ts";
import { readerOf } from "../upstream/chunk_reader.ts";

/** Whether a reply to a request for a stream is one whose events can be read, once it is decoded. */
export function isEditable(reply: Reply): boolean {
  const { status, body, headers } = reply;
  const type = headers.get("content-type") ?? "text/event-stream";
  return status < 300 && body !== null &&
    /^\s*text\/event-stream\b/i.test(type) && isDecodable(reply);
}

/** Whether a reply is a document that can be read, once it is decoded. */
export function isDocument(reply: Reply): boolean {
  const { status, body, headers } = reply;
  const type = headers.get("content-type") ?? "";
  return status < 300 && body !== null &&
    /^\s*application\/json\b/i.test(type) && isDecodable(reply);
}

/**
 * The reply with `edit` applied to its stream. Chunks are edited as they are asked for: nothing is read ahead. A
 * stream that breaks off gives what was held back before its error.
 *
 * @param reply Without content encoding; one without a body is given back.
 */
export function editedStream(reply: Reply, edit: StreamEdit): Reply {
  if (reply.body === null) return reply;
  const body = new Edited(readerOf(reply.body), edit);
  return { ...reply, headers: withoutLength(reply.headers), body };
}

/** The fields of a reply whose body is replaced by one of another length. */
export function withoutLength(original: Headers): Headers {
  const headers = new Headers(original);
  headers.delete("content-length");
  return headers;
}

class Edited implements ChunkReader {
  readonly #reader: ChunkReader;
  readonly #edit: StreamEdit;
  #isEnded = false;
  #broken: { readonly error: unknown } | undefined;

  constructor(reader: ChunkReader, edit: StreamEdit) {
    this.#reader = reader;
    this.#edit = edit;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#broken) throw this.#broken.error;
    while (!this.#isEnded) {
      const shown = await this.#next();
      if (shown.length > 0) return shown;
    }
    return undefined;
  }

  async #next(): Promise<Uint8Array> {
    let chunk: Uint8Array | undefined;
    try {
      chunk = await this.#reader.read();
    } catch (error) {
      const rest = this.#edit.rest();
      if (rest.length === 0) throw error;
      this.#broken = { error };
      return rest;
    }
    if (chunk !== undefined) return this.#edit.push(chunk);
    this.#isEnded = true;
    return this.#edit.end();
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}
