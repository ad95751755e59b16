/** What passes between the proxy and a provider for one call, further rounds included. @module */
import {
  editedStream,
  isDocument,
  isEditable,
  withoutLength,
} from "./answered_stream.ts";
import { concat } from "../bytes/concat.ts";
import { splice } from "../bytes/splice.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type { BodyScan, ProviderFormat, StreamEdit } from "../core/format.ts";
import type { BodyCount } from "../core/tokens.ts";
import type { Reply } from "../core/upstream.ts";
import { noting } from "../pipeline/attempt.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { answerRetrievals } from "./answer_retrievals.ts";
import type { Exchange, ExchangeParts } from "./exchange_parts.ts";
import { retrievalSession } from "./retrieval_session.ts";
import { countWhole, sendRound, tapped } from "./rounds.ts";
import { notingDeferral, sendUntilAccepted } from "./send_attempts.ts";

/** What the client is to get. */
export interface Answer {
  /** The last reply. */
  readonly reply: Reply;
  /** What was sent for it. */
  readonly call: CompressedBody;
  /** Its tokens. */
  readonly count: BodyCount;
  /** Whether the usage of every round is observed already. */
  readonly isTapped: boolean;
}

/** Sends one call, answers what its model asks for, and returns the reply that is the client's. */
export async function exchange(
  parts: ExchangeParts,
  first: Exchange,
): Promise<Answer> {
  const { reply, exchange, count } = await sendUntilAccepted(parts, first);
  const { call, meter, format, signal } = exchange;
  if (call.declaration.by !== "proxy" || call.scan === undefined) {
    return { ...hidden(exchange, reply), call, count };
  }
  const answered = await answerRetrievals(
    tapped(exchange, reply),
    retrievalSession({
      ...parts.retrievals,
      attempt: noting(parts.retrievals.attempt, call.failures),
    }, {
      format,
      call,
      scan: call.scan,
      signal,
      onAnswer: (content, event) => {
        if (event) meter.retrieved(event);
        const count = countWhole(parts, call, utf8.encode(content));
        meter.beside.answers.push(count);
      },
      send: async (elements, forbidTools, signal) => {
        const body = continued(format, call, elements, forbidTools);
        const pending = sendRound(parts, exchange, {
          bytes: body,
          further: signal,
        });
        parts.proofs.wentOn(call, elements);
        const round = await notingDeferral(parts, exchange, await pending);
        return tapped(exchange, round);
      },
    }),
  );
  const shown = edited(answered, toolsEdit(exchange, answered));
  return { reply: shown, call, count, isTapped: true };
}

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** The edit that hides what only we added to the tools; `undefined` where nothing can tell of it. */
function toolsEdit(
  { call: { body, scan, tools }, format }: Exchange,
  reply: Reply,
): StreamEdit | undefined {
  if (scan === undefined || tools.edits.length === 0) return undefined;
  const isStream = isEditable(reply) &&
    (scan.streaming || reply.headers.has("content-type"));
  if (!isStream && !isDocument(reply)) return undefined;
  const textOf = (span: ByteSpan | undefined, otherwise: string) =>
    span === undefined
      ? otherwise
      : decoder.decode(body.subarray(span.start, span.end));
  return format.withSentTools?.({
    tools: textOf(scan.tools?.span, "[]"),
    toolChoice: textOf(scan.toolChoice, '"auto"'),
  }, isStream);
}

/** The reply with `edit`, if any, applied to its body. */
function edited(reply: Reply, edit: StreamEdit | undefined): Reply {
  const { body } = reply;
  if (edit === undefined) return reply;
  if (!(body instanceof Uint8Array)) return editedStream(reply, edit);
  const whole = concat([edit.push(body), edit.end()]);
  return { ...reply, headers: withoutLength(reply.headers), body: whole };
}

/** The reply without what only we asked for. */
function hidden(
  exchange: Exchange,
  reply: Reply,
): Pick<Answer, "reply" | "isTapped"> {
  const { call, format } = exchange;
  const edit = call.usageRequest && isEditable(reply)
    ? format.withoutUsage?.()
    : toolsEdit(exchange, reply);
  return edit === undefined
    ? { reply, isTapped: false }
    : { reply: edited(tapped(exchange, reply), edit), isTapped: true };
}

/** The body of a further round: the bytes of the first, and what has been said since. */
function continued(
  format: ProviderFormat,
  call: CompressedBody,
  elements: Uint8Array,
  forbidTools: boolean,
): Uint8Array {
  const { body, scan, edits } = call;
  if (scan === undefined) throw new TypeError("Cannot continue: no scan");
  const appended = [
    ...edits,
    ...format.append(body, scan, elements),
    ...forbidTools ? [noTools(format, body, scan)] : [],
  ];
  return splice(
    body,
    // What is written in front of a text comes before what is written in its place.
    appended.toSorted((a, b) =>
      a.span.start - b.span.start || a.span.end - b.span.end
    ),
  );
}

function noTools(
  format: ProviderFormat,
  body: Uint8Array,
  { toolChoice }: BodyScan,
): Edit {
  if (toolChoice !== undefined) {
    return { span: toolChoice, replacement: utf8.encode(format.noToolChoice) };
  }
  const at = body.indexOf(0x7b) + 1;
  const replacement = utf8.encode(`"tool_choice":${format.noToolChoice},`);
  return { span: { start: at, end: at }, replacement };
}
