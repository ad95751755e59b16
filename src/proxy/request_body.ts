/** Reading a request body once, under limits. @module */
import { concat } from "../bytes/concat.ts";
import { ServiceError } from "../core/errors.ts";
import type { BodyLease } from "./body_bytes.ts";
import { type BodyPace, inTime, PacedReader } from "./client_body.ts";
import { encodingsIn, withoutEncodings } from "./content_encoding.ts";
import { BodyTooLarge, detailResponse, statusOf } from "./errors.ts";

/** Limits in bytes, and how long the client may take. */
export interface BodyLimits {
  /** Largest body, on the wire and decoded. */
  readonly maxBytes: number;
  /** Variable that sets it, for the message. */
  readonly setBy?: string;
  /** How long the client may take; a minute for each 64 KiB unless given. */
  readonly pace?: BodyPace;
  /** Holds the body's bytes as long as its owner wants; without it they are not counted. */
  readonly lease?: BodyLease;
}

/**
 * Bytes that a body takes for each of its own: itself, the texts in it, and what is made of them to be stored, counted
 * or sent. Once it is compressed its owner knows better.
 */
export const BODY_COPIES = 3;

/** A body as it came, and what it says. */
export interface RequestBody {
  /** The bytes on the wire. */
  readonly wire: Uint8Array;
  /**
   * The bytes without their content encoding; the same array as `wire` when there is
   * none. `undefined` when they cannot be decoded: the body is then forwarded as it came.
   */
  readonly decoded: Uint8Array | undefined;
  /** Value of `content-encoding`; `undefined` when absent or `identity`. */
  readonly encoding: string | undefined;
}

/** Sets the limit of bodies that are compressed. */
export const BODY_SETTING = "SVC_REQUEST_BODY_MAX_BYTES";

/**
 * Reads and decodes the body of `request`.
 *
 * Decoding runs in small steps, is stopped as soon as it passes the limit, and knows
 * `gzip`, `deflate` (with or without zlib header), `br` and `zstd`, also stacked. A
 * truncated `br` or `zstd` body gives what there is of it, which is no whole JSON text.
 *
 * @throws {BodyTooLarge} If the body passes the limit; the rest is not read.
 * @throws {BodyTooSlow} If the client falls behind the pace; the rest is not waited for.
 * @throws {BodiesBusy} If the lease cannot be had in time; the rest is not read.
 * @throws {DOMException} An `AbortError` if the client left before it was complete.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
): Promise<RequestBody> {
  const layers = encodingsIn(request.headers);
  const copies = layers.length > 0 ? 1 : BODY_COPIES;
  const wire = await readWire(request, limits, copies);
  if (layers.length === 0) return { wire, decoded: wire, encoding: undefined };
  const { maxBytes, setBy, lease } = limits;
  const decoded = await withoutEncodings(wire, layers, {
    maxBytes,
    setBy,
    grow: lease && ((bytes) => lease.grow(bytes * BODY_COPIES)),
  });
  return { wire, decoded, encoding: layers.join(", ") };
}

/**
 * Bodies with a declared length up to this many bytes are read in one piece. With larger ones that takes twice the time
 * of reading chunks, and the runtime keeps a copy for as long as the connection is open.
 */
const ONE_PIECE = 64 * 1024;

/**
 * Reads the body of `request` as it comes; see {@linkcode readBody}.
 *
 * @param copies Bytes of the lease for each byte; 1 for a body that nothing is made of.
 */
export async function readWire(
  request: Request,
  { maxBytes, setBy, pace, lease }: BodyLimits,
  copies = 1,
): Promise<Uint8Array> {
  const tooLarge = () => new BodyTooLarge("request body", maxBytes, setBy);
  const declared = Number(request.headers.get("content-length") ?? NaN);
  if (declared > maxBytes) throw tooLarge();
  if (request.body === null) return new Uint8Array(0);
  const isKnown = declared >= 0;
  if (isKnown) await lease?.grow(declared * copies);
  // The runtime holds the sender to the declared length.
  const chunks = new Chunks(declared);
  let reader: PacedReader | undefined;
  try {
    if (declared <= ONE_PIECE) {
      return await inTime(request.bytes(), declared, pace);
    }
    reader = new PacedReader(request.body, pace);
    for (;;) {
      const chunk = await reader.read(chunks.room());
      if (chunk === undefined) {
        if (!isKnown || chunks.length === declared) break;
        throw new TypeError("The body is shorter than declared");
      }
      if (chunks.length + chunk.length > maxBytes) throw tooLarge();
      chunks.add(chunk);
      if (!isKnown) await lease?.grow(chunk.length * copies);
    }
  } catch (error) {
    await reader?.cancel();
    if (error instanceof ServiceError) throw error;
    throw new DOMException(
      `Client left after ${chunks.length} bytes of its body`,
      "AbortError",
    );
  }
  return chunks.whole();
}

/** Chunks on their way to one array. */
class Chunks {
  /** Where the chunks go, if the length is known; else nothing. */
  #known: Uint8Array<ArrayBuffer> | undefined;
  readonly #list: Uint8Array[] = [];
  #length = 0;

  /** `expected` is the number of bytes that will come; `NaN` when that is not known. */
  constructor(expected: number) {
    // Pages are taken when they are written to: a length that is only claimed takes none.
    this.#known = expected > 0 ? new Uint8Array(expected) : undefined;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Where the next chunk is to be; whoever fills it gives it back with {@linkcode Chunks.add}. */
  room(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#known === undefined) return undefined;
    const left = this.#known.subarray(this.#length);
    // Only to see the end.
    return left.length > 0 ? left : new Uint8Array(1);
  }

  add(chunk: Uint8Array): void {
    const at = this.#length;
    this.#length += chunk.length;
    if (this.#known === undefined) this.#list.push(chunk);
    else if (this.#known.length > 0) this.#known.set(chunk, at);
    else {
      // It was filled in place, and its buffer came back with it.
      this.#known = new Uint8Array(chunk.buffer as ArrayBuffer);
    }
  }

  /** All of them; the list is empty afterwards. */
  whole(): Uint8Array {
    if (this.#known) return this.#known.subarray(0, this.#length);
    return concat(this.#list.splice(0));
  }
}

/**
 * Reads the body of an own route and answers with what `use` makes of it; 400 for what is no JSON.
 *
 * @param options `maxBytes`: bytes that are read at most, encoded or not. `blank`: the value of a body of blanks;
 * without it, that is no JSON. `notJson`: the answer to what is none, where a route has its own.
 */
export async function withJson(
  request: Request,
  { maxBytes, blank, notJson = NOT_JSON }: {
    readonly maxBytes: number;
    readonly blank?: object;
    readonly notJson?: () => Response;
  },
  use: (body: unknown) => Response | Promise<Response>,
): Promise<Response> {
  try {
    const { decoded, wire } = await readBody(request, { maxBytes });
    const text = new TextDecoder().decode(decoded ?? wire);
    return await use(blank && text.trim() === "" ? blank : JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return notJson();
    if (error instanceof ServiceError) {
      return detailResponse(statusOf(error), error.message);
    }
    throw error;
  }
}

const NOT_JSON = () => detailResponse(400, "the body must be JSON");
