/** Puts answered retrievals back into a messages conversation. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type { AnsweredTurn } from "../../core/retrieval.ts";
import { callEdits } from "../beside_calls.ts";
import {
  editsOfTurns,
  insertion,
  replacement,
  roundsJson,
  splicing,
} from "../put_back.ts";
import { isEmptyText, isSameBlock, turnBlock } from "./retrieval_turn.ts";
import { scanText } from "../../bytes/content_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import {
  type AnchorIndex,
  type Speech,
  turnDigest,
} from "../../bytes/turn_anchor.ts";
import { SentConversation } from "../sent_conversation.ts";

export const { turnContext, turnNames, spliceBack } = splicing(
  "messages",
  (body, scan) => new SentMessages(body, scan),
  (messages, records) =>
    editsOfTurns(messages, records, (place, turn) => [
      ...roundEdits(messages, place, turn),
      ...besideEdits(messages, place, turn),
    ]),
);

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

/** One content block; a content that is a string counts as one of text. */
interface SentBlock {
  /** The whole block. */
  readonly span: ByteSpan;
  /** Its `type`. */
  readonly type: string;
  /** Its `id`. */
  readonly id: string;
  /** Its `tool_use_id`. */
  readonly answers: string;
  /** String literal of its text. */
  readonly text: ByteSpan | undefined;
  /** String literal of what signs it. */
  readonly signature: ByteSpan | undefined;
}

/** One message. */
interface SentMessage {
  /** The whole message. */
  readonly span: ByteSpan;
  /** Its role. */
  readonly role: string;
  /** The content value. */
  readonly content: ByteSpan | undefined;
  /** What it holds. */
  readonly blocks: readonly SentBlock[];
  /** Whether the content is a string. */
  readonly isString: boolean;
}

/** The messages of a body. */
class SentMessages extends SentConversation<SentMessage> {
  /** The messages of `body`. */
  constructor(body: Uint8Array, scan: BodyScan) {
    super(body, scan, { read: readMessage, speech: speechOf });
  }

  /** Where the turns with these anchors may be; without them, all turns. */
  index(anchors?: readonly string[]): AnchorIndex {
    return this.turns(anchors, (index, at, { blocks }) => {
      for (const { type, id, signature } of blocks) {
        if (type === "tool_use" && id !== "") index.add(`call:${id}`, at);
        if (signature && index.wants("signature")) {
          const digest = turnDigest(this.text(signature));
          if (digest !== "") index.add(`signature:${digest}`, at);
        }
      }
      const text = () => blocks.map(({ text }) => this.text(text)).join("");
      index.addText(at, text);
    });
  }

  /** The block as a value. */
  value({ span, text }: SentBlock): Readonly<Record<string, unknown>> {
    return span === text
      ? { type: "text", text: this.text(text) }
      : objectOr(this.parsed(span));
  }
}

function speechOf({ role, blocks }: SentMessage): Speech {
  const by = role === "assistant"
    ? "model"
    : role === "user"
    ? "client"
    : "other";
  return { by, texts: blocks.flatMap(({ text }) => text ?? []) };
}

function readMessage(body: Uint8Array, at: ByteSpan): SentMessage {
  const cursor = new JsonCursor(body, at.start);
  const blocks: SentBlock[] = [];
  let role = "";
  let content: ByteSpan | undefined;
  let isString = false;
  const span = cursor.object((key) => {
    if (key === "role") role = scanText(cursor, body) ?? "";
    if (key !== "content") return;
    isString = cursor.type() === "string";
    if (isString) {
      content = cursor.string();
      blocks.push({ ...NO_BLOCK, span: content, text: content });
    } else content = cursor.array(() => blocks.push(readBlock(cursor, body)));
  });
  return { span, role, content, blocks, isString };
}

const NO_BLOCK = {
  type: "text",
  id: "",
  answers: "",
  text: undefined,
  signature: undefined,
} as const;

function readBlock(cursor: JsonCursor, body: Uint8Array): SentBlock {
  const texts = new Map<string, string | undefined>();
  const literals = new Map<string, ByteSpan>();
  const span = cursor.object((key) => {
    if (cursor.type() !== "string") return;
    if (key === "type" || key === "id" || key === "tool_use_id") {
      texts.set(key, scanText(cursor, body));
    } else if (key === "text" || key === "signature" || key === "data") {
      literals.set(key, cursor.string());
    }
  });
  const type = texts.get("type") ?? "";
  return {
    span,
    type,
    id: texts.get("id") ?? "",
    answers: texts.get("tool_use_id") ?? "",
    text: literals.get("text"),
    signature: literals.get(
      type === "redacted_thinking" ? "data" : "signature",
    ),
  };
}
