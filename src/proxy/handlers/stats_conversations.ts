/** What was sent and saved per conversation, as JSON. @module */
import type { Handler } from "hono";
import type {
  ConversationPlace,
  ConversationQuery,
} from "../../core/activity.ts";
import type { ProxyEnv } from "../env.ts";
import { wrongQueries, type WrongQuery } from "../errors.ts";

/** Conversations without `limit`. */
const LIMIT = 50;
/** Conversations at most, whatever `limit` says. */
const MAX_LIMIT = 100;
/** Behind every time of a request. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/**
 * Makes the handler of `GET /stats-conversations?from=<ms>&until=<ms>&limit=50&after=<next>`; its route belongs behind the
 * loopback and the same-origin gate. A value that cannot be used: 422, with all that are wrong in `detail`.
 */
export function statsConversations(
  report: (query: ConversationQuery) => object,
): Handler<ProxyEnv> {
  return (c) => {
    const wrong: WrongQuery[] = [];
    const whole = (name: string, otherwise: number, must: string) => {
      const given = c.req.query(name) ?? `${otherwise}`;
      if (/^\d{1,16}$/.test(given)) return Number(given);
      wrong.push({ name, given, must, type: "value_error" });
      return otherwise;
    };
    const time = "a time in milliseconds since 1970";
    const from = whole("from", 0, time);
    const until = whole("until", FOREVER, time);
    const limit = whole("limit", LIMIT, LIMITS);
    const given = c.req.query("after");
    const after = given === undefined ? undefined : placeOf(given);
    if (limit === 0) {
      wrong.push({
        name: "limit",
        given: "0",
        must: LIMITS,
        type: "value_error",
      });
    }
    if (given !== undefined && after === undefined) {
      const must = "`next` of an earlier answer";
      wrong.push({ name: "after", given, must, type: "value_error" });
    }
    if (wrong.length > 0) return wrongQueries(wrong);
    const query = { from, until, limit: Math.min(limit, MAX_LIMIT), after };
    return Response.json(report(query), {
      headers: { "cache-control": "no-store" },
    });
  };
}

const LIMITS =
  `an integer from 1 on; at most ${MAX_LIMIT} conversations are given`;

function placeOf(text: string): ConversationPlace | undefined {
  const [, lastAt, id] = /^(\d{1,16})\.(.{1,200})$/s.exec(text) ?? [];
  return lastAt === undefined || id === undefined
    ? undefined
    : { lastAt: Number(lastAt), id };
}
