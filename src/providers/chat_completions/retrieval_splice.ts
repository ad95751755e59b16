/** Puts answered retrievals back into a chat conversation. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type {
  AnsweredBeside,
  AnsweredRetrieval,
  AnsweredTurn,
} from "../../core/retrieval.ts";
import { anchorsOf, contentOf, type Turn, turnOf } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A message of the client's body. */
interface Message {
  readonly span: ByteSpan;
  readonly role: string;
  readonly toolCallId: string;
  readonly content: Content;
  readonly calls: readonly { readonly span: ByteSpan; readonly id: string }[];
  /** Other members that are texts. */
  readonly texts: ReadonlyMap<
    string,
    { readonly span: ByteSpan; readonly text: string }
  >;
}

/** What a message says. */
interface Content {
  /** Its text; `undefined` when it is more than one text. */
  readonly text: string | undefined;
  /** String literal of the text. */
  readonly literal: ByteSpan | undefined;
  /** The whole value. */
  readonly value: ByteSpan | undefined;
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  const messages = new Map<number, Message | undefined>();
  const messageAt = (index: number) => {
    const span = scan.messages[index];
    if (!messages.has(index)) {
      messages.set(index, span && readMessage(body, span));
    }
    return messages.get(index);
  };
  const edits: Edit[] = [];
  const used = new Set<number>();
  for (const { anchor, format, data } of retrievals) {
    if (format !== "chat_completions") continue;
    const turn = JSON.parse(data) as AnsweredTurn;
    const isHere = (index: number) => {
      const message = messageAt(index);
      if (message?.role !== "assistant" || used.has(index)) return false;
      const ids = message.calls.map(({ id }) => id);
      return anchorsOf(message.content.text ?? "", ids).includes(anchor);
    };
    const index = find(turn.at, scan.messages.length, isHere);
    if (index === undefined) continue;
    const own = [
      ...roundEdits(messageAt(index)!, scan.messages[index - 1], turn),
      ...besideEdits(messageAt(index)!, messageAt(index + 1), turn.beside),
    ];
    if (own.length > 0) used.add(index);
    edits.push(...own);
  }
  return edits.sort((a, b) =>
    a.span.start - b.span.start || a.span.end - b.span.end
  );
}

/** The element at `at` if it fits, else the only one that does. */
function find(
  at: number,
  length: number,
  fits: (index: number) => boolean,
): number | undefined {
  if (at < length && fits(at)) return at;
  const all = Array.from({ length }, (_, i) => i).filter(fits);
  return all.length === 1 ? all[0] : undefined;
}

function readMessage(body: Uint8Array, span: ByteSpan): Message {
  const cursor = new JsonCursor(body, span.start);
  const valueOf = ({ start, end }: ByteSpan) =>
    parseJson(decoder.decode(body.subarray(start, end)));
  let content: Content = { text: "", literal: undefined, value: undefined };
  const calls: Message["calls"][number][] = [];
  const texts = new Map<string, { span: ByteSpan; text: string }>();
  cursor.object((key) => {
    const type = cursor.type();
    if (key === "content") content = readContent(cursor, body);
    else if (key === "tool_calls" && type === "array") {
      cursor.array(() => {
        const at = cursor.skip();
        calls.push({ span: at, id: textOr(objectOr(valueOf(at)).id) });
      });
    } else if (type === "string") {
      const at = cursor.string();
      texts.set(key, { span: at, text: textOr(valueOf(at)) });
    }
  });
  const role = texts.get("role")?.text ?? "";
  const toolCallId = texts.get("tool_call_id")?.text ?? "";
  texts.delete("role");
  return { span, role, toolCallId, content, calls, texts };
}

function readContent(cursor: JsonCursor, body: Uint8Array): Content {
  const textOf = (literal: ByteSpan | undefined) =>
    literal && textOr(
      parseJson(decoder.decode(body.subarray(literal.start, literal.end))),
    );
  switch (cursor.type()) {
    case "string": {
      const literal = cursor.string();
      return { text: textOf(literal), literal, value: literal };
    }
    case "array": {
      let parts = 0;
      let literal: ByteSpan | undefined;
      const value = cursor.array(() => {
        parts++;
        if (cursor.type() !== "object") return;
        cursor.object((key) => {
          if (key === "text" && cursor.type() === "string") {
            literal = cursor.string();
          }
        });
      });
      return {
        text: parts === 1 ? textOf(literal) : undefined,
        literal,
        value,
      };
    }
    default:
      return { text: "", literal: undefined, value: cursor.skip() };
  }
}

/** Splits the message that the client saw as one into the rounds that made it. */
function roundEdits(
  message: Message,
  before: ByteSpan | undefined,
  { rounds, last }: AnsweredTurn,
): readonly Edit[] {
  if (rounds.length === 0 || before === undefined) return [];
  const turns = rounds.map(({ turn }) => turnOf(turn));
  const final = turnOf(last[0] ?? "{}");
  const { text, literal, value } = message.content;
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
    ...textEdits(message, turns, final),
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
  { texts }: Message,
  turns: readonly Turn[],
  final: Turn,
): readonly Edit[] {
  return [...texts].flatMap(([key, { span, text }]): readonly Edit[] => {
    const said = ({ members }: Turn) =>
      textOr(parseJson(members.get(key) ?? "null"));
    const start = turns.map(said).join("");
    if (start === "" || text !== start + said(final)) return [];
    const rest = final.members.get(key) ?? "null";
    return [{ span, replacement: utf8.encode(rest) }];
  });
}

/** Puts the calls that stood beside the client's own back into the turn, and their results before the client's. */
function besideEdits(
  message: Message,
  next: Message | undefined,
  beside: AnsweredBeside | undefined,
): readonly Edit[] {
  if (!beside || next?.role !== "tool") return [];
  if (!beside.clientCalls.includes(next.toolCallId)) return [];
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of beside.calls) {
    const call = message.calls.find(({ id }) => id === neighbour);
    if (!call) return [];
    const offset = side === "before" ? call.span.start : call.span.end;
    const text = side === "before" ? `${json},` : `,${json}`;
    at.set(offset, (at.get(offset) ?? "") + text);
  }
  at.set(message.span.end, `,${beside.answer}`);
  return [...at].map(([offset, text]) => ({
    span: { start: offset, end: offset },
    replacement: utf8.encode(text),
  }));
}
