/** Puts answered retrievals back into a chat conversation. @module */
import { parseJson, textOr } from "../../bytes/json_parts.ts";
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
import { type SentMessage, SentMessages } from "./retrieval_messages.ts";
import { contentOf, type Turn, turnOf } from "./retrieval_turn.ts";

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
  const own = newestFirst(retrievals, "chat_completions");
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
  { rounds, last }: AnsweredTurn,
): readonly Edit[] {
  const message = messages.at(index)!;
  const before = messages.spans[index - 1];
  if (rounds.length === 0 || before === undefined) return [];
  const turns = rounds.map(({ turn }) => turnOf(turn));
  const final = turnOf(last[0] ?? "{}");
  const { literal, value } = message.content;
  const text = messages.said(message);
  const start = turns.map(contentOf).join("");
  if (text !== start + contentOf(final)) return [];
  const put = `,${roundsJson(rounds)}`;
  const behind = before.end;
  const isAllSaid = contentOf(final) === "" && message.calls.length === 0;
  if (isAllSaid) {
    return [replacement({ start: behind, end: message.span.end }, put)];
  }
  const edits: Edit[] = [
    insertion(behind, put),
    ...textEdits(messages, message, turns, final),
  ];
  if (start !== "") {
    const rest = final.members.get("content") ?? "null";
    const span = rest.startsWith('"') ? literal! : value!;
    edits.push(replacement(span, rest));
  }
  return edits;
}

/** The same split for other texts, such as reasoning, where the client sends them back joined. */
function textEdits(
  messages: SentMessages,
  { texts }: SentMessage,
  turns: readonly Turn[],
  final: Turn,
): readonly Edit[] {
  return [...texts].flatMap(([key, span]): readonly Edit[] => {
    const said = ({ members }: Turn) =>
      textOr(parseJson(members.get(key) ?? "null"));
    const start = turns.map(said).join("");
    if (start === "" || messages.text(span) !== start + said(final)) return [];
    const rest = final.members.get(key) ?? "null";
    return [replacement(span, rest)];
  });
}

/** Puts the calls that stood beside the client's own back into the turn, and their results beside the client's. */
function besideEdits(
  messages: SentMessages,
  index: number,
  { beside }: AnsweredTurn,
): readonly Edit[] {
  const next = messages.at(index + 1);
  if (!beside || next?.role !== "tool") return [];
  if (!beside.clientCalls.includes(next.answers)) return [];
  const { calls, span } = messages.at(index)!;
  const put = callEdits(
    beside.calls,
    (call) => calls.find(({ id }) => id === call)?.span,
  );
  return put ? [...put, insertion(span.end, `,${beside.answer}`)] : [];
}
