/** Messages of content blocks to chat completions and back. @module */
import { objectOr, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, Group } from "./carried.ts";
import {
  chatCall,
  chatCalls,
  chatContent,
  ChatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  readDataUrl,
  type Said,
  type SourceText,
} from "./chat.ts";
import { isPlainText, PartsWriter, textMessage } from "./parts.ts";
import type { MessagePath as Place } from "../shape.ts";

/**
 * To chat completions: each result of a tool becomes a message of its own, before what else the user says in the same
 * message. Thinking, blocks that chat completions do not know, and media in results are only carried.
 */
export function anthropicToChat(messages: readonly unknown[]): Group[] {
  return messages.map((source) => {
    const group = new ChatGroup();
    const { role, content } = objectOr(source);
    if (role === "assistant") writeAssistant(group, content);
    else writeUser(group, role === "system" ? "system" : "user", content);
    return { source: [source], target: group.messages, texts: group.texts };
  });
}

function writeAssistant(group: ChatGroup, content: unknown): void {
  const blocks = Array.isArray(content) ? content.map(objectOr) : [];
  const calls = blocks.filter(({ type }) => type === "tool_use");
  const said = saidBy(content, [0, "content"]);
  const isOne = !Array.isArray(content) || calls.length > 0;
  group.add(
    { role: "assistant" },
    isOne && said.length === 1 && "text" in said[0]!
      ? said[0]
      : calls.length > 0 && said.length === 0
      ? undefined
      : said,
    calls.length === 0 ? {} : {
      tool_calls: calls.map(({ id, name, input }) => chatCall(id, name, input)),
    },
  );
}

function writeUser(group: ChatGroup, role: string, content: unknown): void {
  if (!Array.isArray(content)) {
    group.add({ role }, onlyText(content, [0, "content"]));
    return;
  }
  for (const [i, value] of content.entries()) {
    const { type, tool_use_id, content: result } = objectOr(value);
    if (type !== "tool_result") continue;
    const place = [0, "content", i, "content"];
    group.add(
      { role: "tool", tool_call_id: textOr(tool_use_id) },
      Array.isArray(result)
        ? saidBy(result, place).filter((one) => "text" in one)
        : onlyText(result, place),
    );
  }
  const isRest = (value: unknown) => objectOr(value).type !== "tool_result";
  if (content.some(isRest) || content.length === 0) {
    group.add({ role }, saidBy(content, [0, "content"]));
  }
}

/** A content that is one text; what is none is an empty one, and is carried. */
function onlyText(content: unknown, place: Place): SourceText {
  return { text: textOr(content), place, kind: "text" };
}

/** Texts and media of a content. */
function saidBy(content: unknown, place: Place): readonly Said[] {
  if (!Array.isArray(content)) return [onlyText(content, place)];
  return content.flatMap((value, i): readonly Said[] => {
    const block = objectOr(value);
    const source = objectOr(block.source);
    const { type, media_type, data, url } = source;
    switch (block.type) {
      case "text":
        return typeof block.text === "string"
          ? [{ text: block.text, place: [...place, i, "text"], kind: "text" }]
          : [];
      case "image":
        return type === "base64"
          ? [imagePart(dataUrl(media_type, data))]
          : type === "url"
          ? [imagePart(textOr(url))]
          : [];
      case "document":
        return type === "text" && typeof data === "string"
          ? [{
            text: data,
            place: [...place, i, "source", "data"],
            kind: "text",
          }]
          : type === "base64"
          ? [documentPart(block.title, dataUrl(media_type, data))]
          : [];
      default:
        return [];
    }
  });
}

function documentPart(title: unknown, file_data: string): Said {
  const filename = typeof title === "string" ? { filename: title } : {};
  return { part: { type: "file", file: { ...filename, file_data } } };
}

/**
 * From chat completions: results of parallel calls, and what the user says right behind them, are one message, so that
 * user and assistant alternate. Instructions become the user's. Arguments that are no JSON object stand under
 * `arguments`.
 */
export function chatToAnthropic(messages: readonly unknown[]): Group[] {
  return chatTurns(messages, true).map((source) => {
    const [first] = source;
    const head = { role: first?.role === "assistant" ? "assistant" : "user" };
    if (source.length === 1 && isPlainText(first!)) {
      return textMessage(first!, head);
    }
    const parts = new PartsWriter("content");
    for (const [i, message] of source.entries()) {
      if (message.role === "tool") writeResult(parts, message, i);
      else writeSaid(parts, message, i);
    }
    return parts.group(source, head);
  });
}

function writeResult(
  parts: PartsWriter,
  message: AnyMessage,
  at: number,
): void {
  const { tool_call_id, content } = message;
  const place = [at, "content"];
  const texts = chatContent(content, place).filter((one) => "text" in one);
  const isList = Array.isArray(content);
  parts.add(
    {
      type: "tool_result",
      tool_use_id: textOr(tool_call_id),
      content: isList
        ? texts.map(({ text }) => ({ type: "text", text }))
        : textOr(content),
    },
    texts.map(({ place }, i) => [
      place,
      isList ? ["content", i, "text"] : ["content"],
    ]),
  );
}

function writeSaid(parts: PartsWriter, message: AnyMessage, at: number): void {
  for (const one of chatContent(message.content, [at, "content"])) {
    if ("part" in one) {
      const block = mediaBlock(one.part);
      if (block !== undefined) parts.add(block);
    } else if (one.text !== "" || !Array.isArray(message.tool_calls)) {
      // The provider refuses an empty text beside calls.
      parts.text(one);
    }
  }
  for (const { id, name, input } of chatCalls(message)) {
    parts.add({ type: "tool_use", id, name, input });
  }
}

function mediaBlock(part: AnyMessage): AnyMessage | undefined {
  if (part.type === "image_url") {
    const url = textOr(objectOr(part.image_url).url);
    return { type: "image", source: base64Of(url) ?? { type: "url", url } };
  }
  const { file_data, filename } = objectOr(part.file);
  const source = base64Of(textOr(file_data));
  if (part.type !== "file" || source === undefined) return undefined;
  const title = typeof filename === "string" ? { title: filename } : {};
  return { type: "document", source, ...title };
}

function base64Of(url: string): AnyMessage | undefined {
  const read = readDataUrl(url);
  return read &&
    { type: "base64", media_type: read.mediaType, data: read.data };
}
