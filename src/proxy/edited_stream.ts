/** An event stream from which something is taken out on its way. @module */
import type { StreamEdit } from "../core/format.ts";
import { isDecodable } from "./decoded_response.ts";
import {
  type ChunkReader,
  chunkReader,
  streamOf,
} from "../upstream/chunk_reader.ts";

/** Whether a response to a request for a stream is one whose events can be read, once it is decoded. */
export function isEditable(response: Response): boolean {
  const { ok, body, headers } = response;
  const type = headers.get("content-type") ?? "text/event-stream";
  return ok && body !== null && /^\s*text\/event-stream\b/i.test(type) &&
    isDecodable(response);
}

/**
 * The response with `edit` applied to its stream. Chunks are edited as they are asked for: nothing is read ahead. A
 * stream that breaks off gives what was held back before its error.
 *
 * @param response Without content encoding.
 */
export function editedStream(response: Response, edit: StreamEdit): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const body = streamOf(new Edited(chunkReader(response.body!), edit));
  return new Response(body as BodyInit, { status, statusText, headers });
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
