/** Giving originals back over HTTP. @module */
import { noStore } from "../routes.ts";
import { objectOr } from "../../bytes/json_parts.ts";
import type { Context } from "hono";
import {
  type RetrievalArguments,
  retrievalArguments,
  type ToolCall,
} from "../../core/retrieval.ts";
import type {
  Retrieved,
  RetrievedHit,
  RetrievedMiss,
} from "../../core/retrieved.ts";
import type { CcrStore, RetrievalEvent } from "../../core/store.ts";
import type { ProxyEnv } from "../env.ts";
import { detailResponse } from "../errors.ts";
import { withJson } from "../request_body.ts";

/** What the routes need. */
export interface RetrieveParts {
  /** Where the originals are. */
  readonly store: Pick<
    CcrStore,
    "stats" | "retrievalEvents" | "retrievalCount"
  >;
  /** Looks up what is asked for; resolves when what is given back is counted. */
  readonly retrieve: (wanted: RetrievalArguments) => Promise<Retrieved>;
  /**
   * Reads a tool call.
   * @returns Why it is not one of ours, in words, when it is not.
   */
  readonly readToolCall: (
    call: unknown,
    provider: string | undefined,
  ) => ToolCall | string;
  /** Lifetime of an entry in seconds. */
  readonly ttlSeconds: number;
}

const HASH = /^(?:[0-9a-f]{12}|[0-9a-f]{24})$/;
/** Largest request body in bytes; a hash needs 24. */
const LIMIT = { maxBytes: 64 * 1024 };
/** Retrievals that `stats` lists. */
const RECENT = 20;

/** Makes the retrieval handlers. */
export function retrieve(parts: RetrieveParts) {
  return {
    /** `GET /v1/retrieve/{hash}`, with `lines`, `query` or `path` for a part. */
    get: (c: Context<ProxyEnv>) => {
      const hash = c.req.param("hash");
      return answer(parts, retrievalArguments({ ...c.req.query(), hash }));
    },
    /** `POST /v1/retrieve` with `{hash, lines?, query?, path?}`; other members are ignored. */
    post: (c: Context<ProxyEnv>) =>
      withJson(
        c.req.raw,
        LIMIT,
        (body) => answer(parts, retrievalArguments(objectOr(body))),
      ),
    /** `POST /v1/retrieve/tool_call` with `{tool_call, provider?}`: for clients that run the model's tools themselves. */
    toolCall: (c: Context<ProxyEnv>) =>
      withJson(c.req.raw, LIMIT, (body) => {
        const { tool_call: call, provider } = objectOr(body);
        const read = parts.readToolCall(
          call,
          typeof provider === "string" ? provider : undefined,
        );
        return typeof read === "string"
          ? detailResponse(400, read)
          : toolResult(parts, read);
      }),
    /** `GET /v1/retrieve/stats`; its route stands before the one with a hash. */
    stats: () => noStore(statsOf(parts)),
  };
}

async function answer(
  parts: RetrieveParts,
  wanted: RetrievalArguments,
): Promise<Response> {
  if (wanted.hash === "") return detailResponse(400, "hash required");
  if (!HASH.test(wanted.hash)) {
    return detailResponse(
      400,
      "malformed hash: must be 12 or 24 lowercase hex digits",
    );
  }
  const found = await parts.retrieve(wanted);
  return found.success ? hit(parts, found) : miss(found);
}

function hit(
  { store }: RetrieveParts,
  { data, entry, tokens }: RetrievedHit,
): Response {
  const { part, ...rest } = data;
  return noStore({
    ...rest,
    original_tokens: entry.originalTokens,
    tool_name: entry.toolName,
    compression_strategy: entry.strategy,
    // This one included, also where it could not be counted.
    retrieval_count: Math.max(1, store.retrievalCount(entry.key)),
    ...part === undefined ? {} : { part, part_tokens: tokens },
  });
}

function miss({ data: { status, error } }: RetrievedMiss): Response {
  return detailResponse(status === "bad_part" ? 400 : 404, error);
}

async function toolResult(
  parts: RetrieveParts,
  { wanted, result }: ToolCall,
): Promise<Response> {
  const { success, data } = await parts.retrieve(wanted);
  const content = JSON.stringify(data, null, 2);
  return noStore({ tool_result: result(content), success, data });
}

function statsOf({ store, ttlSeconds }: RetrieveParts) {
  const stats = store.stats();
  return {
    store: {
      entry_count: stats.entries,
      // The bound is one of bytes.
      max_entries: null,
      bytes: stats.bytes,
      max_bytes: stats.maxBytes,
      default_ttl_seconds: ttlSeconds,
      total_original_tokens: stats.originalTokens,
      total_compressed_tokens: stats.formTokens,
      total_retrievals: stats.retrievals,
      event_count: stats.retrievals,
      backend: { type: stats.backend },
    },
    recent_retrievals: store.retrievalEvents(RECENT).map(recent),
  };
}

function recent(event: RetrievalEvent) {
  return {
    hash: event.key,
    query: event.query,
    items_retrieved: event.items,
    total_items: event.totalItems,
    tool_name: event.toolName,
    retrieval_type: event.part,
  };
}
