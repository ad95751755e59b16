/** Puts answered retrievals back into a messages conversation. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import type { Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type { AnsweredRetrieval, AnsweredTurn } from "../../core/retrieval.ts";
import { callEdits } from "../beside_calls.ts";
import {
  editsOfTurns,
  insertion,
  newestFirst,
  replacement,
  roundsJson,
} from "../put_back.ts";
import {
  type SentBlock,
  type SentMessage,
  SentMessages,
} from "./retrieval_messages.ts";
import { isEmptyText, isSameBlock, turnBlock } from "./retrieval_turn.ts";

/** See {@linkcode RetrievalFormat.turnContext}. */
export function turnContext(body: Uint8Array, scan: BodyScan): string {
  return new SentMessages(body, scan).context();
}

/** See {@linkcode RetrievalFormat.turnNames}. */
export function turnNames(
  body: Uint8Array,
  scan: BodyScan,
): readonly string[] {
  return new SentMessages(body, scan).index().forkNames();
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  const own = newestFirst(retrievals, "messages");
  const messages = new SentMessages(body, scan);
  return editsOfTurns(own, messages, (place, turn) => [
    ...roundEdits(messages, place, turn),
    ...besideEdits(messages, place, turn),
  ]);
}

/** Splits the message that the client saw as one into the rounds that made it. */
function roundEdits(
  messages: SentMessages,
  index: number,
  { rounds }: AnsweredTurn,
): readonly Edit[] {
  const message = messages.at(index)!;
  const before = messages.spans[index - 1];
  if (rounds.length === 0 || before === undefined) return [];
  const seen = rounds.flatMap(({ turn }) =>
    (objectOr(parseJson(turn)).content as readonly unknown[]).map((block) =>
      turnBlock(JSON.stringify(block))
    )
  ).filter(({ calls }) => calls !== "proxy").map(({ value }) => value);
  const rest = restAfter(messages, message, seen);
  if (rest === undefined) return [];
  const put = `,${roundsJson(rounds)}`;
  const behind = before.end;
  if (rest === "nothing") {
    return [replacement({ start: behind, end: message.span.end }, put)];
  }
  return [insertion(behind, put), ...rest ? [rest] : []];
}

/**
 * What removes the blocks of earlier rounds from the message.
 * @returns An edit; `null` if there are none; `nothing` if the message holds no others; `undefined` if they are not there.
 */
function restAfter(
  messages: SentMessages,
  message: SentMessage,
  seen: readonly Readonly<Record<string, unknown>>[],
): Edit | null | "nothing" | undefined {
  if (message.isString) return textAfter(messages, message, seen);
  const isEmpty = ({ type, text }: SentBlock) =>
    type === "text" && text !== undefined && messages.text(text) === "";
  const { blocks } = message;
  let next = 0;
  for (const value of seen.filter((block) => !isEmptyText(block))) {
    while (blocks[next] && isEmpty(blocks[next]!)) next++;
    const block = blocks[next++];
    if (!block || !isSameBlock(messages.value(block), value)) return undefined;
  }
  if (blocks.slice(next).every(isEmpty)) return "nothing";
  if (next === 0) return null;
  const span = {
    start: blocks[0]!.span.start,
    end: blocks[next]!.span.start,
  };
  return replacement(span, "");
}

/** The same for a client that keeps nothing but the text. */
function textAfter(
  messages: SentMessages,
  { blocks, content }: SentMessage,
  seen: readonly Readonly<Record<string, unknown>>[],
): Edit | null | "nothing" | undefined {
  if (seen.some(({ type }) => type !== "text")) return undefined;
  const start = seen.map(({ text }) => textOr(text)).join("");
  const text = messages.text(blocks[0]?.text);
  if (!text.startsWith(start)) return undefined;
  if (text === start) return "nothing";
  if (start === "") return null;
  return replacement(content!, JSON.stringify(text.slice(start.length)));
}

/** Puts the calls that stood beside the client's own back into the turn, and their results beside the client's. */
function besideEdits(
  messages: SentMessages,
  index: number,
  { beside }: AnsweredTurn,
): readonly Edit[] {
  if (!beside) return [];
  const results = resultsAfter(messages, index, new Set(beside.clientCalls));
  const { blocks } = messages.at(index)!;
  const calls = callEdits(
    beside.calls,
    (call) =>
      blocks.find(({ type, id }) => type === "tool_use" && id === call)?.span,
  );
  if (results === undefined || calls === undefined) return [];
  return [...calls, insertion(results, `${beside.answer},`)];
}

/** Where the client's results of these calls begin. */
function resultsAfter(
  messages: SentMessages,
  index: number,
  calls: ReadonlySet<string>,
): number | undefined {
  for (let i = index + 1;; i++) {
    const message = messages.at(i);
    if (message === undefined || message.role === "assistant") return undefined;
    const isAnswer = message.blocks.some(({ type, answers }) =>
      type === "tool_result" && calls.has(answers)
    );
    if (isAnswer) return message.blocks[0]!.span.start;
  }
}
