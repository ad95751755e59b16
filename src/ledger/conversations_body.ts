/** Body of `GET /stats-conversations`: what was sent and saved per conversation. @module */
import type {
  ActivityReader,
  ConversationQuery,
  LoggedConversation,
} from "../core/activity.ts";
import { type SumsReport, sumsReport } from "./sums.ts";

/** All requests of a conversation, in the names of the wire. */
export interface ConversationReport extends SumsReport {
  /** Digest that names it. */
  readonly conversation: string;
  /** When its first request came, ISO 8601, UTC. */
  readonly first_at: string;
  /** When its newest request came. */
  readonly last_at: string;
  /** Of its newest request that has one. */
  readonly model: string | null;
  /** See `model`. */
  readonly agent: string | null;
  /** See `model`. */
  readonly project: string | null;
  /** Requests with a 4xx status, but for clients that left (499). */
  readonly refused: number;
  /** Originals that its model was given back. */
  readonly retrievals: number;
  /** What became of the bytes of the request before. */
  readonly prefix: {
    /** Requests that sent all of it again, and added to it. */
    readonly extended: number;
    /** Requests in which the client changed something itself. */
    readonly client: number;
    /** Requests in which older tool results were made smaller on purpose. */
    readonly decided: number;
    /** Requests in which svc changed something though the client did not: must be 0. */
    readonly ours: number;
  };
}

/** The whole body. */
export interface ConversationsBody {
  /** Of this shape. */
  readonly schema_version: 1;
  /** ISO 8601. */
  readonly generated_at: string;
  /** The one with the newest request first. */
  readonly conversations: readonly ConversationReport[];
  /** `after` of the next page; `null` on the last one. */
  readonly next: string | null;
}

/** What the body is made of. */
export interface ConversationsParts {
  /** Reads the ledger. */
  readonly activity: Pick<ActivityReader, "conversations">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Puts one page together. @throws What the database throws. */
export function conversationsBody(
  { activity, now }: ConversationsParts,
  query: ConversationQuery,
): ConversationsBody {
  // One more says whether there is another page.
  const found = activity.conversations({ ...query, limit: query.limit + 1 });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    schema_version: 1,
    generated_at: new Date(now).toISOString(),
    conversations: page.map(conversationReport),
    next: last === undefined || found.length === page.length
      ? null
      : `${last.lastAt}.${last.id}`,
  };
}

function conversationReport(
  conversation: LoggedConversation,
): ConversationReport {
  const { extended, client, decided, ours } = conversation;
  return {
    conversation: conversation.id,
    first_at: new Date(conversation.firstAt).toISOString(),
    last_at: new Date(conversation.lastAt).toISOString(),
    model: conversation.model || null,
    agent: conversation.agent || null,
    project: conversation.project || null,
    ...sumsReport(conversation),
    refused: conversation.refused,
    retrievals: conversation.retrievals,
    prefix: { extended, client, decided, ours },
  };
}
