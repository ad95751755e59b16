/** Chat completions messages, as far as conversions read and write them. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, Group, SharedText, TextKind } from "./carried.ts";
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

/** A message of another format, read for chat completions. */
export interface ReadMessage {
  /** Role there. */
  readonly role: string;
  /** What it says; a single text becomes a plain string. */
  readonly said: readonly Said[] | SourceText;
  /** Calls as chat completions write them. */
  readonly calls?: readonly unknown[];
  /** Results of tools, each a message of its own before the others. */
  readonly results?: readonly ReadResult[];
  /** Whether there is nothing beside the results. */
  readonly isSilent?: boolean;
}

/** A result of a tool. */
export interface ReadResult {
  /** Id of the call. */
  readonly id: string;
  /** Its texts; a single text becomes a plain string. */
  readonly said: readonly Said[] | SourceText;
}

/** Writes chat messages for one message, with the places of their texts. */
export function chatGroup(
  source: unknown,
  { role, said, calls = [], results = [], isSilent = false }: ReadMessage,
): Group {
  const target: AnyMessage[] = [];
  const texts: SharedText[] = [];
  const contentOf = (said: readonly Said[] | SourceText): unknown => {
    const at = [target.length, "content"];
    if ("text" in said) {
      texts.push([said.place, at, said.kind]);
      return said.text;
    }
    return said.map((one, i) => {
      if ("part" in one) return one.part;
      texts.push([one.place, [...at, i, "text"], one.kind]);
      return { type: "text", text: one.text };
    });
  };
  for (const { id, said } of results) {
    target.push({ role: "tool", tool_call_id: id, content: contentOf(said) });
  }
  if (isSilent) return { source: [source], target, texts };
  const isOne = "text" in said || calls.length === 0 || said.length > 0;
  const content = isOne
    ? contentOf(calls.length > 0 ? oneText(said) : said)
    : null;
  const tail = calls.length === 0 ? {} : { tool_calls: calls };
  target.push({ role, content, ...tail });
  return { source: [source], target, texts };
}

/** The text itself where there is nothing but one. */
export function oneText(
  said: readonly Said[] | SourceText,
): readonly Said[] | SourceText {
  if ("text" in said) return said;
  const [first] = said;
  return said.length === 1 && "text" in first! ? first : said;
}

/** How a format writes what chat completions say. */
export interface PartStyle {
  /** Key of the parts of a message. */
  readonly key: "content" | "parts";
  /** The members of a text's part beside the text. */
  readonly text: AnyMessage;
  /** Whether an empty text beside calls is left out. */
  readonly skipsEmpty?: boolean;
  /** What becomes of a part that is no text; nothing where there is no place for it. */
  media(part: AnyMessage): AnyMessage | undefined;
  /** A call. */
  call(call: ChatCall): AnyMessage;
  /** A result, and where in it its texts stand. */
  result(result: ChatResult): {
    readonly part: AnyMessage;
    readonly places: readonly Place[];
  };
}

/** A result of a tool in chat completions. */
export interface ChatResult {
  /** Id of the call. */
  readonly id: string;
  /** Its texts. */
  readonly texts: readonly string[];
  /** Whether they stand in a list. */
  readonly isList: boolean;
}

/** Writes chat messages as one message of parts, with the places of their texts. */
export function partsGroup(
  source: readonly AnyMessage[],
  head: AnyMessage,
  style: PartStyle,
): Group {
  const parts: AnyMessage[] = [];
  const texts: SharedText[] = [];
  const addText = (from: Place, inside: Place) =>
    texts.push([from, [0, style.key, parts.length, ...inside], "text"]);
  for (const [i, message] of source.entries()) {
    const content = chatContent(message.content, [i, "content"]);
    if (message.role === "tool") {
      const found = content.filter((one) => "text" in one);
      const { part, places } = style.result({
        id: textOr(message.tool_call_id),
        texts: found.map(({ text }) => text),
        isList: Array.isArray(message.content),
      });
      for (const [n, place] of places.entries()) {
        addText(found[n]!.place, place);
      }
      parts.push(part);
      continue;
    }
    const skipsEmpty = style.skipsEmpty && Array.isArray(message.tool_calls);
    for (const one of content) {
      if ("part" in one) parts.push(...[style.media(one.part) ?? []].flat());
      else if (one.text !== "" || !skipsEmpty) {
        addText(one.place, ["text"]);
        parts.push({ ...style.text, text: one.text });
      }
    }
    parts.push(...chatCalls(message).map(style.call));
  }
  return { source, target: [{ ...head, [style.key]: parts }], texts };
}

/** A chat message that is nothing but one text, and no result, with its content as it is; `undefined` for any other. */
export function plainGroup(
  source: readonly AnyMessage[],
  head: AnyMessage,
): Group | undefined {
  const [{ role, content, tool_calls } = {}] = source;
  const place = [0, "content"];
  const isPlain = source.length === 1 && role !== "tool" &&
    typeof content === "string" && !Array.isArray(tool_calls);
  return isPlain
    ? {
      source,
      target: [{ ...head, content }],
      texts: [[place, place, "text"]],
    }
    : undefined;
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
function chatCalls(message: AnyMessage): readonly ChatCall[] {
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

/** Reads the image of a chat part by its address; other parts have no place in the format. */
export function onlyImages(
  write: (url: string) => AnyMessage,
): PartStyle["media"] {
  return ({ type, image_url }) =>
    type === "image_url" ? write(textOr(objectOr(image_url).url)) : undefined;
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
