/** Puts answered retrievals back into a chat conversation. @module */
import { parseJson, textOr } from "../../bytes/json_parts.ts";
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
import { contentOf, type Turn, turnOf } from "./retrieval_turn.ts";
import { scanText } from "../../bytes/content_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import type { AnchorIndex, Speech } from "../../bytes/turn_anchor.ts";
import { SentConversation } from "../sent_conversation.ts";

export const { turnContext, turnNames, spliceBack } = splicing(
  "chat_completions",
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

/** Roles by who speaks; clients add and move what has another. */
const SPEAKERS = new Map<string, Speech["by"]>([
  ["assistant", "model"],
  ["user", "client"],
  ["tool", "client"],
  ["function", "client"],
]);

/** What a message says. */
interface SentContent {
  /** String literals of its texts. */
  readonly texts: readonly ByteSpan[];
  /** String literal of the text, when it says nothing else. */
  readonly literal: ByteSpan | undefined;
  /** Whether it says anything else than one text. */
  readonly isMixed: boolean;
  /** The whole value. */
  readonly value: ByteSpan | undefined;
}

/** One message. */
interface SentMessage {
  /** The whole message. */
  readonly span: ByteSpan;
  /** Its role. */
  readonly role: string;
  /** Its `tool_call_id`. */
  readonly answers: string;
  /** Its content. */
  readonly content: SentContent;
  /** Its calls, in order. */
  readonly calls: readonly { readonly span: ByteSpan; readonly id: string }[];
  /** String literals of its other members, by key. */
  readonly texts: ReadonlyMap<string, ByteSpan>;
}

/** The messages of a body. */
class SentMessages extends SentConversation<SentMessage> {
  /** The messages of `body`. */
  constructor(body: Uint8Array, scan: BodyScan) {
    super(body, scan, { read: readMessage, speech: speechOf });
  }

  /** Where the turns with these anchors may be; without them, all turns. */
  index(anchors?: readonly string[]): AnchorIndex {
    return this.turns(anchors, (index, at, message) => {
      for (const { id } of message.calls) {
        if (id !== "") index.add(`call:${id}`, at);
      }
      const text = () => this.said(message) ?? "";
      index.addText(at, text);
    });
  }

  /** The text of a message; `undefined` when it says anything else. */
  said({ content }: SentMessage): string | undefined {
    return content.isMixed ? undefined : this.text(content.literal);
  }
}

function speechOf({ role, content }: SentMessage): Speech {
  return { by: SPEAKERS.get(role) ?? "other", texts: content.texts };
}

function readMessage(body: Uint8Array, at: ByteSpan): SentMessage {
  const cursor = new JsonCursor(body, at.start);
  let content: SentContent = {
    texts: [],
    literal: undefined,
    isMixed: false,
    value: undefined,
  };
  let role = "";
  let answers = "";
  const calls: SentMessage["calls"][number][] = [];
  const texts = new Map<string, ByteSpan>();
  const span = cursor.object((key) => {
    const type = cursor.type();
    if (key === "content") content = readContent(cursor);
    else if (key === "role") role = scanText(cursor, body) ?? "";
    else if (key === "tool_calls" && type === "array") {
      cursor.array(() => calls.push(readCall(cursor, body)));
    } else if (key === "tool_call_id") answers = scanText(cursor, body) ?? "";
    else if (type === "string") texts.set(key, cursor.string());
  });
  return { span, role, answers, content, calls, texts };
}

function readCall(
  cursor: JsonCursor,
  body: Uint8Array,
): SentMessage["calls"][number] {
  let id = "";
  const span = cursor.object((key) => {
    if (key === "id") id = scanText(cursor, body) ?? "";
  });
  return { span, id };
}

function readContent(cursor: JsonCursor): SentContent {
  switch (cursor.type()) {
    case "string": {
      const value = cursor.string();
      return { texts: [value], literal: value, isMixed: false, value };
    }
    case "array": {
      let parts = 0;
      const texts: ByteSpan[] = [];
      const value = cursor.array(() => {
        parts++;
        if (cursor.type() !== "object") return;
        cursor.object((key) => {
          if (key === "text" && cursor.type() === "string") {
            texts.push(cursor.string());
          }
        });
      });
      const isMixed = parts !== 1 || texts.length !== 1;
      return { texts, literal: texts[0], isMixed, value };
    }
    default: {
      const value = cursor.skip();
      return { texts: [], literal: undefined, isMixed: false, value };
    }
  }
}
