/** Puts answered retrievals back into a messages conversation. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import type { Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type {
  AnsweredBeside,
  AnsweredRetrieval,
  AnsweredTurn,
} from "../../core/retrieval.ts";
import {
  type SentBlock,
  type SentMessage,
  SentMessages,
} from "./retrieval_messages.ts";
import { isEmptyText, isSameBlock, turnBlock } from "./retrieval_turn.ts";

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
  const own = retrievals.filter(({ format }) => format === "messages")
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
  { rounds }: AnsweredTurn,
): readonly Edit[] {
  const message = messages.at(index)!;
  const before = messages.span(index - 1);
  if (rounds.length === 0 || before === undefined) return [];
  const seen = rounds.flatMap(({ turn }) =>
    (objectOr(parseJson(turn)).content as readonly unknown[]).map((block) =>
      turnBlock(JSON.stringify(block))
    )
  ).filter(({ calls }) => calls !== "proxy").map(({ value }) => value);
  const rest = restAfter(messages, message, seen);
  if (rest === undefined) return [];
  const put = utf8.encode(
    rounds.map(({ turn, answer }) => `,${turn},${answer}`).join(""),
  );
  const behind = before.end;
  if (rest === "nothing") {
    const span = { start: behind, end: message.span.end };
    return [{ span, replacement: put }];
  }
  const insertion = { span: { start: behind, end: behind }, replacement: put };
  return rest ? [insertion, rest] : [insertion];
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
  return { span, replacement: new Uint8Array(0) };
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
  const replacement = utf8.encode(JSON.stringify(text.slice(start.length)));
  return { span: content!, replacement };
}

/** Puts the calls that stood beside the client's own back into the turn, and their results beside the client's. */
function besideEdits(
  messages: SentMessages,
  index: number,
  { beside }: AnsweredTurn,
): readonly Edit[] {
  if (!beside) return [];
  const results = resultsAfter(messages, index, new Set(beside.clientCalls));
  const calls = placed(messages.at(index)!, beside);
  if (results === undefined || calls === undefined) return [];
  return [...calls, {
    span: { start: results, end: results },
    replacement: utf8.encode(`${beside.answer},`),
  }];
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

function placed(
  { blocks }: SentMessage,
  { calls }: AnsweredBeside,
): readonly Edit[] | undefined {
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of calls) {
    const block = blocks.find(({ type, id }) =>
      type === "tool_use" && id === neighbour
    );
    if (!block) return undefined;
    const offset = side === "before" ? block.span.start : block.span.end;
    const text = side === "before" ? `${json},` : `,${json}`;
    at.set(offset, (at.get(offset) ?? "") + text);
  }
  return [...at].map(([offset, text]) => ({
    span: { start: offset, end: offset },
    replacement: utf8.encode(text),
  }));
}
