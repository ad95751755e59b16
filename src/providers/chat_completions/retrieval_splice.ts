/** Puts answered retrievals back into a chat conversation. @module */
import { parseJson, textOr } from "../../bytes/json_parts.ts";
import type { Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type {
  AnsweredBeside,
  AnsweredRetrieval,
  AnsweredTurn,
} from "../../core/retrieval.ts";
import { type SentMessage, SentMessages } from "./retrieval_messages.ts";
import { contentOf, type Turn, turnOf } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();

/** See {@linkcode RetrievalFormat.turnContext}. */
export function turnContext(body: Uint8Array, scan: BodyScan): string {
  return new SentMessages(body, scan).context();
}

/** See {@linkcode RetrievalFormat.turnNames}. */
export function turnNames(
  body: Uint8Array,
  scan: BodyScan,
): readonly string[] {
  return new SentMessages(body, scan).index().names();
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  // A turn that was generated again is the one that the client kept.
  const own = retrievals.filter(({ format }) => format === "chat_completions")
    .toReversed();
  if (own.length === 0) return [];
  const messages = new SentMessages(body, scan);
  const index = messages.index(own.map(({ anchor }) => anchor));
  const edits: Edit[] = [];
  for (const { anchor, data } of own) {
    let parsed: AnsweredTurn | undefined;
    const turn = () => parsed ??= JSON.parse(data) as AnsweredTurn;
    const place = index.find(index.places(anchor), () => turn().at);
    if (place === undefined) continue;
    const put = [
      ...roundEdits(messages, place, turn()),
      ...besideEdits(messages, place, turn()),
    ];
    if (put.length > 0) index.use(place);
    edits.push(...put);
  }
  return edits.sort((a, b) =>
    a.span.start - b.span.start || a.span.end - b.span.end
  );
}

/** Splits the message that the client saw as one into the rounds that made it. */
function roundEdits(
  messages: SentMessages,
  index: number,
  { rounds, last }: AnsweredTurn,
): readonly Edit[] {
  const message = messages.at(index)!;
  const before = messages.span(index - 1);
  if (rounds.length === 0 || before === undefined) return [];
  const turns = rounds.map(({ turn }) => turnOf(turn));
  const final = turnOf(last[0] ?? "{}");
  const { literal, value } = message.content;
  const text = messages.said(message);
  const start = turns.map(contentOf).join("");
  if (text !== start + contentOf(final)) return [];
  const put = utf8.encode(
    rounds.map(({ turn, answer }) => `,${turn},${answer}`).join(""),
  );
  const behind = before.end;
  const isAllSaid = contentOf(final) === "" && message.calls.length === 0;
  if (isAllSaid) {
    const span = { start: behind, end: message.span.end };
    return [{ span, replacement: put }];
  }
  const edits: Edit[] = [
    { span: { start: behind, end: behind }, replacement: put },
    ...textEdits(messages, message, turns, final),
  ];
  if (start !== "") {
    const rest = final.members.get("content") ?? "null";
    const span = rest.startsWith('"') ? literal! : value!;
    edits.push({ span, replacement: utf8.encode(rest) });
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
    return [{ span, replacement: utf8.encode(rest) }];
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
  return placed(messages.at(index)!, beside);
}

function placed(
  { calls, span }: SentMessage,
  beside: AnsweredBeside,
): readonly Edit[] {
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of beside.calls) {
    const call = calls.find(({ id }) => id === neighbour);
    if (!call) return [];
    const offset = side === "before" ? call.span.start : call.span.end;
    const text = side === "before" ? `${json},` : `,${json}`;
    at.set(offset, (at.get(offset) ?? "") + text);
  }
  at.set(span.end, `,${beside.answer}`);
  return [...at].map(([offset, text]) => ({
    span: { start: offset, end: offset },
    replacement: utf8.encode(text),
  }));
}
