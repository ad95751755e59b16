/** Answers of repeated requests, from memory. @module */
import { concat } from "../bytes/concat.ts";
import { JsonCursor } from "../bytes/json_scan.ts";
import { Lru } from "../bytes/lru.ts";
import { scanText } from "../bytes/content_parts.ts";
import type { Clock } from "../core/clock.ts";
import type { Reply } from "../core/upstream.ts";
import { responseHeaders } from "../upstream/header_policy.ts";

/** Bounds of a cache. */
export interface ResponseCacheOptions {
  /** Bytes of all answers together; 32 MiB unless given. */
  readonly maxBytes?: number;
  /** Bytes of one body; 2 MiB unless given. */
  readonly maxEntryBytes?: number;
  /** Answers; 1000 unless given. */
  readonly maxEntries?: number;
  /** Milliseconds that an answer lives; an hour unless given. */
  readonly ttlMs?: number;
  /** Time. */
  readonly clock: Clock;
}

/** What a cache holds, in wire names. */
export interface ResponseCacheStats {
  /** Answers. */
  readonly entries: number;
  /** Requests that were answered since the start. */
  readonly total_hits: number;
  /** Bytes of all answers together. */
  readonly bytes: number;
  /** Largest value of `bytes`. */
  readonly max_bytes: number;
  /** Seconds that an answer lives. */
  readonly ttl_seconds: number;
}

/** Sees one response go by, and keeps it if it ends well. */
export interface ResponseKeeper {
  /** Takes the next chunk; it is copied. */
  push(chunk: Uint8Array): void;
  /** Called once. `isWhole`: nothing broke and the client did not leave. */
  end(isWhole: boolean): void;
}

const MIB = 1 << 20;
const DEFAULT_MAX_BYTES = 32 * MIB;
const DEFAULT_MAX_ENTRY_BYTES = 2 * MIB;
const DEFAULT_MAX_ENTRIES = 1000;
const DEFAULT_TTL_MS = 3_600_000;
/** Bytes that an answer takes beside its text. */
const ENTRY_BYTES = 512;

/** One answer. */
interface Kept {
  readonly body: Uint8Array;
  readonly fields: readonly (readonly [string, string])[];
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Answers by what was asked, see {@linkcode responseKey}; they live in this process and end with it. The least recently
 * used ones go first. Equal requests that are under way at the same time are all sent: none of them waits for another
 * one's answer.
 */
export class ResponseCache {
  readonly #maxBytes: number;
  readonly #maxEntryBytes: number;
  readonly #maxEntries: number;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  readonly #rows: Lru<string, Kept>;
  #hits = 0;
  /** Bytes of responses under way. */
  #pending = 0;
  #clearings = 0;

  /** Begins empty. */
  constructor(options: ResponseCacheOptions) {
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#maxEntryBytes = options.maxEntryBytes ?? DEFAULT_MAX_ENTRY_BYTES;
    this.#maxEntries = options.maxEntries ?? DEFAULT_MAX_ENTRIES;
    this.#ttlMs = options.ttlMs ?? DEFAULT_TTL_MS;
    this.#clock = options.clock;
    this.#rows = new Lru(this.#maxBytes, weigh);
  }

  /** The answer, with `x-svc-cached: true` and without what was said of the first sending only. */
  get(key: string): Response | undefined {
    const kept = this.#rows.get(key);
    if (kept === undefined) return undefined;
    if (this.#isExpired(kept)) {
      this.#rows.delete(key);
      return undefined;
    }
    this.#hits++;
    const headers = new Headers(
      kept.fields.map(([name, value]): [string, string] => [name, value]),
    );
    headers.set("x-svc-cached", "true");
    return new Response(kept.body as Uint8Array<ArrayBuffer>, { headers });
  }

  /**
   * Watches a response that was sent for `key`. Its body is not touched.
   *
   * @param reply As it came.
   * @returns `undefined` when it may not be kept: another status than 200, no JSON, encoded, too large.
   */
  keeper(
    key: string,
    reply: Pick<Reply, "status" | "headers" | "body">,
  ): ResponseKeeper | undefined {
    if (!isKeepable(reply, this.#maxEntryBytes)) return undefined;
    const { headers } = reply;
    const length = headers.get("content-length");
    const fields = responseHeaders(headers).filter(([name]) =>
      !STALE.test(name)
    );
    const clearing = this.#clearings;
    return this.#collector((body) => {
      if (clearing !== this.#clearings) return;
      if (length !== null && Number(length) !== body.length) return;
      if (isWholeAnswer(body)) this.#keep(key, { body, fields });
    });
  }

  /** Collects a body within the bounds, and gives it to `onWhole` if nothing of it is missing. */
  #collector(onWhole: (body: Uint8Array) => void): ResponseKeeper {
    let chunks: Uint8Array[] = [];
    let total = 0;
    let isOver = false;
    const release = () => {
      isOver = true;
      this.#pending -= total;
      chunks = [];
    };
    return {
      push: (chunk) => {
        if (isOver) return;
        const isFull = total + chunk.length > this.#maxEntryBytes ||
          this.#pending + chunk.length > this.#maxBytes;
        if (isFull) return release();
        total += chunk.length;
        this.#pending += chunk.length;
        chunks.push(chunk.slice());
      },
      end: (isWhole) => {
        if (isOver) return;
        const parts = chunks;
        release();
        if (isWhole) onWhole(concat(parts));
      },
    };
  }

  #keep(key: string, kept: Omit<Kept, "at">): void {
    this.#rows.set(key, { ...kept, at: this.#clock.now() });
    while (this.#rows.size > this.#maxEntries) this.#rows.evict();
  }

  /** Forgets all answers, those that are under way included. Hits stay counted. */
  clear(): void {
    this.#clearings++;
    this.#rows.clear();
  }

  /** What is held. O(entries). */
  stats(): ResponseCacheStats {
    this.#rows.deleteWhere((kept) => this.#isExpired(kept));
    return {
      entries: this.#rows.size,
      total_hits: this.#hits,
      bytes: this.#rows.weight,
      max_bytes: this.#maxBytes,
      ttl_seconds: this.#ttlMs / 1000,
    };
  }

  /** Also when the clock was set back: how old it is cannot be told then. */
  #isExpired({ at }: Kept): boolean {
    const age = this.#clock.now() - at;
    return age >= this.#ttlMs || age < 0;
  }
}

/** Fields that are about one sending: its time, its ids, its limits, its length, what it took, what we did for it. */
const STALE = new RegExp([
  "^(date|age|expires|etag|last-modified|via|set-cookie|retry-after|content-length|server-timing)$",
  "^(alt-svc|nel|report-to|x-cache.*|cf-.*|x-served-by|x-timer)$",
  "^x-svc-",
  "rate-?limit",
  "-(processing|service|response|upstream)-(ms|time)$",
  "(request|trace|span|correlation|transaction|operation|invocation)-?id$",
].join("|"));

/** Whether a response with these fields can be an answer for others. */
function isKeepable(
  { status, headers, body }: Pick<Reply, "status" | "headers" | "body">,
  maxBytes: number,
): boolean {
  const said = (name: string) => headers.get(name)?.trim().toLowerCase() ?? "";
  return status === 200 && body !== null &&
    /^application\/([\w.-]+\+)?json(\s*;|$)/.test(said("content-type")) &&
    /^(identity)?$/.test(said("content-encoding")) &&
    !said("cache-control").includes("no-store") &&
    !(Number(said("content-length")) > maxBytes);
}

/** Whether these bytes are one JSON object, and the answer that it holds came to its end. */
function isWholeAnswer(body: Uint8Array): boolean {
  let isFine = true;
  try {
    const cursor = new JsonCursor(body);
    cursor.object((key) => {
      if (key === "error") isFine &&= cursor.type() === "null";
      else if (key === "status") {
        isFine &&= scanText(cursor, body) === "completed";
      }
    });
    cursor.end();
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  return isFine;
}

function weigh({ body, fields }: Kept): number {
  return fields.reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    ENTRY_BYTES + body.length,
  );
}
