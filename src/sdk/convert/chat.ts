/** Chat completions messages, as far as conversions read and write them. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, SharedText, TextKind } from "./carried.ts";
import type { MessagePath as Place } from "../shape.ts";

/** A text and where it stands in its source. */
export interface SourceText {
  /** The text. */
  readonly text: string;
  /** Place in the source messages of its group. */
  readonly place: Place;
  /** How it stands there. */
  readonly kind: TextKind;
}

/** Something that stands between texts, e.g. an image; chat completions have a part for it. */
export interface ChatPart {
  /** The part. */
  readonly part: AnyMessage;
}

/** What a message says, in order. */
export type Said = SourceText | ChatPart;

/** Chat messages that are being written, with the places of their texts. */
export class ChatGroup {
  /** The messages. */
  readonly messages: AnyMessage[] = [];
  /** Their texts. */
  readonly texts: SharedText[] = [];

  /**
   * Adds a message.
   *
   * @param head Its members before `content`, and behind it those of `tail`.
   * @param said Its content: `undefined` for `null`; a single text given as `text` for a plain string.
   */
  add(
    head: AnyMessage,
    said: readonly Said[] | SourceText | undefined,
    tail: AnyMessage = {},
  ): void {
    const at = this.messages.length;
    this.messages.push({ ...head, content: this.#content(at, said), ...tail });
  }

  #content(
    at: number,
    said: readonly Said[] | SourceText | undefined,
  ): unknown {
    if (said === undefined) return null;
    if ("text" in said) {
      this.texts.push([said.place, [at, "content"], said.kind]);
      return said.text;
    }
    return said.map((one, i) => {
      if ("part" in one) return one.part;
      this.texts.push([one.place, [at, "content", i, "text"], one.kind]);
      return { type: "text", text: one.text };
    });
  }
}

/** A call of a chat message. */
export interface ChatCall {
  /** Its id. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Its arguments; what is no JSON object stands under `arguments`. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Calls of an assistant message, those of functions only. */
export function chatCalls(message: AnyMessage): readonly ChatCall[] {
  const { tool_calls } = message;
  if (!Array.isArray(tool_calls)) return [];
  return tool_calls.map((call) => {
    const { id, function: called } = objectOr(call);
    const { name, arguments: given } = objectOr(called);
    return { id: textOr(id), name: textOr(name), input: inputOf(given) };
  });
}

function inputOf(given: unknown): Readonly<Record<string, unknown>> {
  const parsed = typeof given === "string" ? parseJson(given) : given;
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
    return objectOr(parsed);
  }
  return given === undefined || given === "" ? {} : { arguments: given };
}

/** A call as chat completions write it. */
export function chatCall(id: unknown, name: unknown, input: unknown): unknown {
  return {
    id: textOr(id),
    type: "function",
    function: {
      name: textOr(name),
      arguments: JSON.stringify(input ?? {}) ?? "{}",
    },
  };
}

/** Texts of a chat content and what stands between them, with their places from `place` down. */
export function chatContent(
  content: unknown,
  place: Place,
): readonly (SourceText | { readonly part: AnyMessage })[] {
  if (typeof content === "string") {
    return [{ text: content, place, kind: "text" }];
  }
  if (!Array.isArray(content)) return [];
  return content.map((part, i) => {
    const { type, text } = objectOr(part);
    return type === "text" && typeof text === "string"
      ? { text, place: [...place, i, "text"], kind: "text" }
      : { part: objectOr(part) };
  });
}

/** An image by its address or as a `data:` URL. */
export function imagePart(url: string): ChatPart {
  return { part: { type: "image_url", image_url: { url } } };
}

/** Media as a `data:` URL. */
export function dataUrl(mediaType: unknown, base64: unknown): string {
  return `data:${textOr(mediaType)};base64,${textOr(base64)}`;
}

/** Media type and base64 of a `data:` URL; `undefined` for other addresses. */
export function readDataUrl(
  url: string,
): { readonly mediaType: string; readonly data: string } | undefined {
  const match = /^data:([^;,]*);base64,/.exec(url);
  return match === null
    ? undefined
    : { mediaType: match[1]!, data: url.slice(match[0].length) };
}

/**
 * Chat messages by what they become: the results of parallel calls are one message elsewhere.
 *
 * @param withUser Whether what the user says right behind results belongs to them.
 */
export function chatTurns(
  messages: readonly unknown[],
  withUser: boolean,
): readonly (readonly AnyMessage[])[] {
  const turns: AnyMessage[][] = [];
  for (const message of messages.map(objectOr)) {
    const open = turns.at(-1);
    const { role } = message;
    const joins = open?.[0]?.role === "tool" &&
      (role === "tool"
        ? open.at(-1)?.role === "tool"
        : withUser && role === "user");
    if (joins) open.push(message);
    else turns.push([message]);
  }
  return turns;
}
