/** Answers the model's retrievals inside the proxy: the client sees one response without them. @module */
import { concat } from "../bytes/concat.ts";
import { ServiceError } from "../core/errors.ts";
import { SEARCH_TOOL } from "../core/deferral.ts";
import { CANNOT_CONTINUE, RETRIEVAL_TOOL } from "../core/retrieval.ts";
import type { Reply } from "../core/upstream.ts";
import { readerOf } from "../upstream/chunk_reader.ts";
import { AnsweredStream, withoutLength } from "./answered_stream.ts";
import { decodedReply } from "./content_encoding.ts";
import { readWhole, RefusedRound, type WholeBody } from "./response_chunks.ts";
import { kindOf, type RetrievalSession, Rounds } from "./retrieval_rounds.ts";

/** Longest JSON response that is looked into, in bytes. A longer one is relayed as it is. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/**
 * Relays `reply`, answering the retrievals in it.
 *
 * An event stream is relayed while it arrives, byte for byte up to a retrieval. A JSON document is
 * read whole first; without a retrieval its bytes are relayed as they came. What is neither, or not a
 * 200, is returned as it is; what is content-encoded is decoded first, since it may hold a retrieval.
 * A retrieval that cannot be answered ends the stream with the family's error event, or gives a 502. What the
 * provider says where it refuses a further round is in that event; for a document its reply is the client's.
 */
export async function answerRetrievals(
  reply: Reply,
  session: RetrievalSession,
): Promise<Reply> {
  const kind = kindOf(reply, session.streaming);
  if (kind === undefined || reply.body === null) return reply;
  const decoded = decodedReply(reply);
  const rounds = new Rounds(session, kind);
  if (kind === "json") return await answerDocument(decoded, rounds);
  const body = new AnsweredStream(readerOf(decoded.body!), rounds);
  return { ...decoded, headers: withoutLength(decoded.headers), body };
}

async function answerDocument(reply: Reply, rounds: Rounds): Promise<Reply> {
  const { signal } = rounds.session;
  const { bytes, rest } = await readDocument(reply.body!, signal);
  if (rest !== undefined) return { ...reply, body: rest };
  if (!mentionsTool(bytes)) return { ...reply, body: bytes };
  try {
    const body = concat(await documentParts(bytes, rounds));
    return rounds.exchange.touched
      ? { ...reply, headers: withoutLength(reply.headers), body }
      : { ...reply, body };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof RefusedRound) {
      rounds.session.onFailure?.(error);
      return error.reply;
    }
    const headers = new Headers({ "content-type": "application/json" });
    const body = rounds.failure(error);
    return { status: 502, statusText: "", headers, body };
  }
}

/** What the client gets of a document and of those that continue it. */
async function documentParts(
  first: Uint8Array,
  rounds: Rounds,
): Promise<readonly Uint8Array[]> {
  const { signal } = rounds.session;
  const parts: Uint8Array[] = [];
  for (let document = first;;) {
    parts.push(rounds.exchange.push(document));
    const { calls, continues, bytes } = rounds.end();
    parts.push(bytes);
    if (!continues) return [...parts, await rounds.finish(calls)];
    const body = await rounds.next(calls, signal);
    document = await furtherDocument(body, signal);
  }
}

async function furtherDocument(
  body: NonNullable<Reply["body"]>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { bytes, rest } = await readWhole(body, DOCUMENT_LIMIT, signal);
  if (rest === undefined) return bytes;
  await rest.cancel(undefined);
  throw new ServiceError(
    "provider_error",
    `${CANNOT_CONTINUE}: the response is longer than ${DOCUMENT_LIMIT} bytes`,
  );
}

/** A document is whole or nothing: one that breaks off gives a 502 with a reason, as an upstream that cannot be reached. */
async function readDocument(
  body: NonNullable<Reply["body"]>,
  signal: AbortSignal,
): Promise<WholeBody> {
  try {
    return await readWhole(body, DOCUMENT_LIMIT, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ServiceError(
      "connection_error",
      "The upstream's response broke off before its end",
    );
  }
}

/** One of them is in each call of a tool of ours, in every format. */
const OWN_CALLS = [RETRIEVAL_TOOL, SEARCH_TOOL, "tool_search_call"];

/** Whether a call of our tool can be in a document: most have none and need no closer look. */
function mentionsTool(bytes: Uint8Array): boolean {
  const text = latin1.decode(bytes);
  return OWN_CALLS.some((name) => text.includes(name));
}
const latin1 = new TextDecoder("latin1");
