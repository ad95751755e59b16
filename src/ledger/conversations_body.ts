/** Body of `GET /stats-conversations`: what was sent and saved per conversation. @module */
import type {
  ActivityReader,
  ConversationQuery,
  LoggedConversation,
} from "../core/activity.ts";
import { sumsReport } from "./sums.ts";

/** What the body is made of. */
interface ConversationsParts {
  /** Reads the ledger. */
  readonly activity: Pick<ActivityReader, "conversations">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The whole body. */
export type ConversationsBody = Readonly<ReturnType<typeof conversationsBody>>;

/** Puts one page together. @throws What the database throws. */
export function conversationsBody(
  { activity, now }: ConversationsParts,
  query: ConversationQuery,
) {
  // One more says whether there is another page.
  const found = activity.conversations({ ...query, limit: query.limit + 1 });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    /** Of this shape. */
    schema_version: 1 as const,
    /** ISO 8601. */
    generated_at: new Date(now).toISOString(),
    /** The one with the newest request first. */
    conversations: page.map(conversationReport),
    /** `after` of the next page; `null` on the last one. */
    next: last === undefined || found.length === page.length
      ? null
      : `${last.lastAt}.${last.id}`,
  };
}

/** All requests of a conversation, in the names of the wire. */
export type ConversationReport = Readonly<
  ReturnType<typeof conversationReport>
>;

function conversationReport(conversation: LoggedConversation) {
  const { extended, client, decided, ours } = conversation;
  return {
    /** Digest that names it. */
    conversation: conversation.id,
    /** When its first request came, ISO 8601, UTC. */
    first_at: new Date(conversation.firstAt).toISOString(),
    /** When its newest request came. */
    last_at: new Date(conversation.lastAt).toISOString(),
    /** Of its newest request that has one. */
    model: conversation.model || null,
    /** See `model`. */
    agent: conversation.agent || null,
    /** See `model`. */
    project: conversation.project || null,
    ...sumsReport(conversation),
    /** Requests with a 4xx status, but for clients that left (499). */
    refused: conversation.refused,
    /** Originals that its model was given back. */
    retrievals: conversation.retrievals,
    /** What became of the bytes of the request before. */
    prefix: { extended, client, decided, ours },
  };
}
