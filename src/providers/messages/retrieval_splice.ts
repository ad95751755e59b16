/** Puts answered retrievals back into a messages conversation. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type {
  AnsweredBeside,
  AnsweredRetrieval,
  AnsweredTurn,
} from "../../core/retrieval.ts";
import {
  anchorsOf,
  isEmptyText,
  isSameBlock,
  turnBlock,
} from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A message of the client's body. */
interface Message {
  readonly span: ByteSpan;
  readonly role: string;
  /** The content value. */
  readonly content: ByteSpan;
  /** Content blocks; a string counts as one text block. */
  readonly blocks: readonly {
    readonly span: ByteSpan;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
  readonly isString: boolean;
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  const messages = new Map<number, Message | undefined>();
  const messageAt = (index: number) => {
    if (!messages.has(index)) {
      messages.set(index, readMessage(body, scan.messages[index]));
    }
    return messages.get(index);
  };
  const edits: Edit[] = [];
  const used = new Set<number>();
  for (const { anchor, format, data } of retrievals) {
    if (format !== "messages") continue;
    const turn = JSON.parse(data) as AnsweredTurn;
    const isHere = (index: number) => {
      const message = messageAt(index);
      return message?.role === "assistant" && !used.has(index) &&
        anchorsOf(message.blocks.map(({ value }) => value)).includes(anchor);
    };
    const index = find(turn.at, scan.messages.length, isHere);
    if (index === undefined) continue;
    const own = [
      ...roundEdits(messageAt(index)!, scan.messages[index - 1], turn),
      ...besideEdits(index, messageAt, turn),
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

function readMessage(
  body: Uint8Array,
  span: ByteSpan | undefined,
): Message | undefined {
  if (span === undefined) return undefined;
  const cursor = new JsonCursor(body, span.start);
  let role = "";
  let content: ByteSpan | undefined;
  const blocks: Message["blocks"][number][] = [];
  let isString = false;
  const valueOf = ({ start, end }: ByteSpan) =>
    parseJson(decoder.decode(body.subarray(start, end)));
  cursor.object((key) => {
    if (key === "role") role = textOr(valueOf(cursor.skip()));
    if (key !== "content") return;
    isString = cursor.type() === "string";
    if (isString) {
      content = cursor.string();
      blocks.push({
        span: content,
        value: { type: "text", text: valueOf(content) },
      });
    } else if (cursor.type() === "array") {
      content = cursor.array(() => {
        const at = cursor.skip();
        blocks.push({ span: at, value: objectOr(valueOf(at)) });
      });
    }
  });
  return content && { span, role, content, blocks, isString };
}

/** Splits the message that the client saw as one into the rounds that made it. */
function roundEdits(
  message: Message,
  before: ByteSpan | undefined,
  { rounds }: AnsweredTurn,
): readonly Edit[] {
  if (rounds.length === 0 || before === undefined) return [];
  const seen = rounds.flatMap(({ turn }) =>
    (objectOr(parseJson(turn)).content as readonly unknown[]).map((block) =>
      turnBlock(JSON.stringify(block))
    )
  ).filter(({ calls }) => calls !== "proxy").map(({ value }) => value);
  const rest = restAfter(message, seen);
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
  message: Message,
  seen: readonly Readonly<Record<string, unknown>>[],
): Edit | null | "nothing" | undefined {
  if (message.isString) return textAfter(message, seen);
  let next = 0;
  for (const value of seen.filter((block) => !isEmptyText(block))) {
    while (isEmptyText(message.blocks[next]?.value ?? {})) next++;
    const block = message.blocks[next++];
    if (!block || !isSameBlock(block.value, value)) return undefined;
  }
  if (message.blocks.slice(next).every(({ value }) => isEmptyText(value))) {
    return "nothing";
  }
  if (next === 0) return null;
  const span = {
    start: message.blocks[0]!.span.start,
    end: message.blocks[next]!.span.start,
  };
  return { span, replacement: new Uint8Array(0) };
}

/** The same for a client that keeps nothing but the text. */
function textAfter(
  message: Message,
  seen: readonly Readonly<Record<string, unknown>>[],
): Edit | null | "nothing" | undefined {
  if (seen.some(({ type }) => type !== "text")) return undefined;
  const start = seen.map(({ text }) => textOr(text)).join("");
  const text = textOr(message.blocks[0]?.value.text);
  if (!text.startsWith(start)) return undefined;
  if (text === start) return "nothing";
  if (start === "") return null;
  const replacement = utf8.encode(JSON.stringify(text.slice(start.length)));
  return { span: message.content, replacement };
}

/** Puts the calls that stood beside the client's own back into the turn, and their results beside the client's. */
function besideEdits(
  index: number,
  messageAt: (index: number) => Message | undefined,
  { beside }: AnsweredTurn,
): readonly Edit[] {
  const message = messageAt(index)!;
  const results = resultsAfter(index, messageAt, beside?.clientCalls ?? []);
  if (!beside || !results) return [];
  const calls = placed(message, beside);
  if (calls === undefined) return [];
  return [...calls, {
    span: { start: results, end: results },
    replacement: utf8.encode(`${beside.answer},`),
  }];
}

/** Where the client's results of these calls begin. */
function resultsAfter(
  index: number,
  messageAt: (index: number) => Message | undefined,
  calls: readonly string[],
): number | undefined {
  for (let i = index + 1;; i++) {
    const message = messageAt(i);
    if (message === undefined || message.role === "assistant") return undefined;
    const isAnswer = message.blocks.some(({ value }) =>
      value.type === "tool_result" && calls.includes(textOr(value.tool_use_id))
    );
    if (isAnswer) return message.blocks[0]!.span.start;
  }
}

function placed(
  message: Message,
  { calls }: AnsweredBeside,
): readonly Edit[] | undefined {
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of calls) {
    const block = message.blocks.find(({ value }) =>
      value.type === "tool_use" && value.id === neighbour
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
