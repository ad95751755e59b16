/** Giving originals back over HTTP. @module */
import type { Context, Handler } from "hono";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { CcrEntry, CcrKey, CcrMiss, CcrStore } from "../../core/store.ts";
import type { ProxyEnv } from "../env.ts";
import { detailResponse, statusOf } from "../errors.ts";
import { readBody } from "../request_body.ts";

/** What the routes need. */
export interface RetrieveParts {
  /** Where the originals are. */
  readonly store: Pick<CcrStore, "entry">;
  /** Tells the store what has expired. */
  readonly clock: Clock;
  /** Lifetime of an entry in seconds, for the messages. */
  readonly ttlSeconds: number;
}

/** Handlers of `GET /v1/retrieve/{hash}` and `POST /v1/retrieve`; both belong behind the loopback gate. */
export interface RetrieveHandlers {
  /** Route parameter `hash`. */
  readonly get: Handler<ProxyEnv>;
  /** JSON body `{"hash"}`; other members are ignored. */
  readonly post: Handler<ProxyEnv>;
}

const HASH = /^(?:[0-9a-f]{12}|[0-9a-f]{24})$/;
/** Largest request body in bytes; a hash needs 24. */
const MAX_BODY = 64 * 1024;
/** Entries whose retrievals are counted; the oldest are forgotten. */
const MAX_COUNTED = 1000;

/** Makes the retrieval handlers. */
export function retrieve(parts: RetrieveParts): RetrieveHandlers {
  const counts = new Map<CcrKey, number>();
  const answer = (hash: unknown): Response => {
    if (typeof hash !== "string" || hash === "") {
      return detailResponse(400, "hash required");
    }
    if (!HASH.test(hash)) {
      return detailResponse(
        400,
        "malformed hash: must be 12 or 24 lowercase hex digits",
      );
    }
    const found = parts.store.entry(hash as CcrKey, parts.clock.now());
    return "original" in found
      ? hit(found, countUse(counts, found.key))
      : miss(found, parts.ttlSeconds);
  };
  return {
    get: (c) => answer(c.req.param("hash")),
    post: async (c) => await answerPost(c, answer),
  };
}

async function answerPost(
  c: Context<ProxyEnv>,
  answer: (hash: unknown) => Response,
): Promise<Response> {
  try {
    const { decoded, wire } = await readBody(c.req.raw, {
      maxBytes: MAX_BODY,
      maxDecodedBytes: MAX_BODY,
    });
    const body: unknown = JSON.parse(
      new TextDecoder().decode(decoded ?? wire),
    );
    return answer((body as { hash?: unknown } | null)?.hash);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return detailResponse(400, "the body must be JSON");
    }
    if (error instanceof ServiceError) {
      return detailResponse(statusOf(error), error.message);
    }
    throw error;
  }
}

function hit(entry: CcrEntry, retrievalCount: number): Response {
  return Response.json({
    hash: entry.key,
    original_content: entry.original,
    original_tokens: entry.originalTokens,
    original_item_count: entry.originalItems,
    compressed_item_count: entry.keptItems,
    tool_name: entry.toolName,
    retrieval_count: retrievalCount,
  }, { headers: { "cache-control": "no-store" } });
}

function miss(found: CcrMiss, ttlSeconds: number): Response {
  const ttl = `CCR TTL: ${ttlSeconds} seconds`;
  if (found.status === "missing") {
    return detailResponse(404, `Entry not found (${ttl})`);
  }
  const age = Math.floor(found.ageMs / 1000);
  return detailResponse(404, `Entry expired (${ttl}; age: ${age} seconds)`);
}

/** Retrievals of `key` since the start, this one included. */
function countUse(counts: Map<CcrKey, number>, key: CcrKey): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.delete(key);
  counts.set(key, count);
  const [oldest] = counts.keys();
  if (counts.size > MAX_COUNTED && oldest !== undefined) counts.delete(oldest);
  return count;
}
