/** Messages of content blocks to chat completions and back. @module */
import { objectOr, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, Group } from "./carried.ts";
import {
  chatCall,
  chatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  partsGroup,
  type PartStyle,
  plainGroup,
  readDataUrl,
  type ReadMessage,
  type Said,
  type SourceText,
} from "./chat.ts";
import type { MessagePath as Place } from "../shape.ts";

/**
 * To chat completions: each result of a tool becomes a message of its own, before what else the user says in the same
 * message. Thinking, blocks that chat completions do not know, and media in results are only carried.
 */
export function anthropicToChat(messages: readonly unknown[]): Group[] {
  return messages.map((source) => chatGroup(source, read(objectOr(source))));
}

function read({ role, content }: AnyMessage): ReadMessage {
  const said = saidBy(content, [0, "content"]);
  const blocks = Array.isArray(content) ? content.map(objectOr) : [];
  if (role === "assistant") {
    const calls = blocks.filter(({ type }) => type === "tool_use");
    return {
      role,
      said,
      calls: calls.map(({ id, name, input }) => chatCall(id, name, input)),
    };
  }
  const results = blocks.flatMap((block, i) => {
    if (block.type !== "tool_result") return [];
    const said = saidBy(block.content, [0, "content", i, "content"]);
    return [{
      id: textOr(block.tool_use_id),
      said: "text" in said ? said : said.filter((one) => "text" in one),
    }];
  });
  return {
    role: role === "system" ? role : "user",
    said,
    results,
    isSilent: results.length > 0 && results.length === blocks.length,
  };
}

/** Texts and media of a content; one that is no list is a single text, and what is none is an empty one. */
function saidBy(
  content: unknown,
  place: Place,
): readonly Said[] | SourceText {
  if (!Array.isArray(content)) {
    return { text: textOr(content), place, kind: "text" };
  }
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
    const isAssistant = source[0]?.role === "assistant";
    const head = { role: isAssistant ? "assistant" : "user" };
    return plainGroup(source, head) ?? partsGroup(source, head, STYLE);
  });
}

const STYLE: PartStyle = {
  key: "content",
  text: { type: "text" },
  // The provider refuses an empty text beside calls.
  skipsEmpty: true,
  media: mediaBlock,
  call: ({ id, name, input }) => ({ type: "tool_use", id, name, input }),
  result: ({ id, texts, isList }) => ({
    part: {
      type: "tool_result",
      tool_use_id: id,
      content: isList
        ? texts.map((text) => ({ type: "text", text }))
        : texts[0] ?? "",
    },
    places: texts.map((_, i) => isList ? ["content", i, "text"] : ["content"]),
  }),
};

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
