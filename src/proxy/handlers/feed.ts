/** The last requests, and what was changed in one of them. @module */
import type { Context } from "hono";
import type { Clock } from "../../core/clock.ts";
import {
  blockFacts,
  blockTexts,
  requestFacts,
  type TextStore,
} from "../../core/inspected.ts";
import type { SeenBlock } from "../../core/ledger.ts";
import type {
  LedgerReader,
  LoggedRequest,
  RequestLister,
  RequestListQuery,
} from "../../core/ledger_reader.ts";
import { ruleLabel } from "../../core/rule_label.ts";
import type { ProxyEnv } from "../env.ts";
import { detailResponse } from "../errors.ts";
import { Query } from "./query.ts";

/** Texts of a request, each as JSON; kept only while messages are logged. `null` for what is not kept. */
export interface KeptMessages {
  /** Messages as received. */
  readonly request_messages: string | null;
  /** Messages as sent. */
  readonly compressed_messages: string | null;
  /** What the model answered. */
  readonly response_content: string | null;
}

/** What the routes need. */
export interface FeedParts {
  /** Finished requests. */
  readonly reader: Pick<LedgerReader, "request"> & RequestLister;
  /** Where forms and originals are. */
  readonly store: TextStore;
  /** Time of look-ups. */
  readonly clock: Pick<Clock, "now">;
  /** Whether texts of messages are logged. */
  readonly logMessages: boolean;
  /** Texts of the request with this id; `undefined` when they are not kept. Asked only while messages are logged. */
  readonly messages?: (id: string) => KeptMessages | undefined;
}

/** Requests without `limit`. */
const LIMIT = 20;
/** Requests at most, whatever `limit` says. */
const MAX_LIMIT = 100;
/** UTF-16 units of one text. */
const MAX_TEXT = 256 * 1024;
/** UTF-16 units of all texts of one answer. */
const MAX_TEXTS = 4 * 1024 * 1024;
/** UTF-16 units of all message texts of one answer: those of older requests are left out. */
const MAX_MESSAGES = 8 * 1024 * 1024;
const NO_MESSAGES: KeptMessages = {
  request_messages: null,
  compressed_messages: null,
  response_content: null,
};

/** Makes the handlers. */
export function feed(parts: FeedParts) {
  return {
    /**
     * `GET /transformations/feed?limit=20`, the newest first; its route stands before the one with an id. `conversation` and
     * `problems=1` choose among them, `before=<seq>` gives the next page.
     */
    feed: (c: Context<ProxyEnv>) => {
      const query = queryOf(c);
      if (query instanceof Response) return query;
      return noStore(feedBody(parts.reader.list(query), parts));
    },
    /** `GET /transformations/{id}`: one request by its id or the first characters of it, with the texts of its blocks. */
    one: (c: Context<ProxyEnv>) => {
      const id = c.req.param("id") ?? "";
      const request = parts.reader.request(id);
      return request === undefined
        ? detailResponse(
          404,
          "No such request, or more than one begins like that",
        )
        : noStore(inspectedBody(request, parts));
    },
  };
}

/** What is asked for, or the answer to what cannot be used. */
function queryOf(c: Context<ProxyEnv>): RequestListQuery | Response {
  const asked = new Query(c);
  const whole = (name: string, must: string) => {
    const text = asked.text(name, ABOVE_0, must);
    return text === undefined ? undefined : Number(text);
  };
  const limit = whole(
    "limit",
    `an integer from 1 on; at most ${MAX_LIMIT} requests are given`,
  ) ?? LIMIT;
  const before = whole("before", "the seq of a request, from 1 on");
  const conversation = c.req.query("conversation");
  return asked.refusal ?? {
    limit: Math.min(limit, MAX_LIMIT),
    hasProblem: /^(1|true)$/i.test(c.req.query("problems") ?? ""),
    ...conversation !== undefined && { conversation },
    ...before !== undefined &&
      { before: Math.min(before, Number.MAX_SAFE_INTEGER) },
  };
}

/** Whole numbers from 1 on. */
const ABOVE_0 = /^0*[1-9]\d*$/;

function feedBody(
  requests: readonly LoggedRequest[],
  parts: FeedParts,
): string {
  let left = MAX_MESSAGES;
  const rows = requests.map((request) => {
    const messages = left < 0 ? NO_MESSAGES : messagesOf(request, parts);
    left -= sizeOf(messages);
    return withMessages(row(request), left < 0 ? NO_MESSAGES : messages);
  });
  return `{"transformations":[${
    rows.join(",")
  }],"log_full_messages":${parts.logMessages}}`;
}

function row(request: LoggedRequest) {
  const { tokens_before, tokens_after, strategies, ...facts } = requestFacts(
    request,
  );
  return {
    ...facts,
    input_tokens_original: tokens_before,
    input_tokens_optimized: tokens_after,
    transforms_applied: strategies,
    transform_labels: strategies.map(ruleLabel),
    // Nothing of a request that is kept names the question of the user that it belongs to.
    turn_id: null,
    blocks: request.blocks.length,
  };
}

function inspectedBody(request: LoggedRequest, parts: FeedParts): string {
  let left = MAX_TEXTS;
  const take = (text: string | undefined) => {
    const taken = cutText(text, Math.min(MAX_TEXT, left));
    left -= taken.text?.length ?? 0;
    return taken;
  };
  const facts = {
    ...requestFacts(request),
    strategy_labels: request.strategies.map(ruleLabel),
    log_full_messages: parts.logMessages,
    blocks: request.blocks.map((block, index) => ({
      ...blockFacts(block, index),
      kind_label: block.kind === "" ? null : ruleLabel(block.kind),
      strategy_label: block.strategy === "" ? null : ruleLabel(block.strategy),
      ...textsOf(block, parts, take),
    })),
  };
  return withMessages(facts, messagesOf(request, parts));
}

function messagesOf(
  { id }: LoggedRequest,
  { logMessages, messages }: FeedParts,
): KeptMessages {
  return logMessages ? messages?.(id) ?? NO_MESSAGES : NO_MESSAGES;
}

function sizeOf(messages: KeptMessages): number {
  const { request_messages, compressed_messages, response_content } = messages;
  return [request_messages, compressed_messages, response_content]
    .reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** They are JSON already, and may be long: parsing them would only take time. */
function withMessages(facts: object, messages: KeptMessages): string {
  const { request_messages, compressed_messages, response_content } = messages;
  return `${
    JSON.stringify(facts).slice(0, -1)
  },"request_messages":${request_messages},"compressed_messages":${compressed_messages},"response_content":${response_content}}`;
}

/** A text as it is answered. */
interface CutText {
  /** Its start; `null` when there is no text. */
  readonly text: string | null;
  /** UTF-16 units that were left out at its end. */
  readonly cut: number;
}

function textsOf(
  block: SeenBlock,
  { store, clock }: FeedParts,
  take: (text: string | undefined) => CutText,
) {
  const { form, original, originalStatus } = blockTexts(
    block,
    store,
    clock.now(),
  );
  const sent = take(form);
  const received = take(original);
  return {
    form: sent.text,
    form_cut: sent.cut,
    original: received.text,
    original_cut: received.cut,
    original_status: originalStatus,
  };
}

/** Never splits a surrogate pair. */
function cutText(text: string | undefined, max: number): CutText {
  if (text === undefined) return { text: null, cut: 0 };
  if (text.length <= max) return { text, cut: 0 };
  const last = text.charCodeAt(max - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return { text: text.slice(0, end), cut: text.length - end };
}

/** Originals are plain text of the user's: no cache keeps a copy. */
function noStore(json: string): Response {
  return new Response(json, {
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
    },
  });
}
