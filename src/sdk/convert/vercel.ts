/** Model messages of the `ai` package to chat completions and back. @module */
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
import type { ConvertContext } from "./convert.ts";
import { isPlainText, PartsWriter, textMessage } from "./parts.ts";
import type { MessagePath as Place } from "../shape.ts";

/**
 * To chat completions: each result becomes a message of its own, a value its JSON text. Reasoning, approvals, options
 * of providers and files that are neither images nor text are only carried; bytes and `URL` objects are no JSON, and
 * come back as long as the messages are not written and read in between.
 */
export function vercelToChat(messages: readonly unknown[]): Group[] {
  return messages.map((source) => {
    const group = new ChatGroup();
    const { role, content } = objectOr(source);
    if (role === "tool" && Array.isArray(content)) writeResults(group, content);
    if (role === "assistant") writeAssistant(group, content);
    else if (group.messages.length === 0) {
      group.add({ role: role === "system" ? role : "user" }, saidBy(content));
    }
    return { source: [source], target: group.messages, texts: group.texts };
  });
}

function writeResults(group: ChatGroup, content: readonly unknown[]): void {
  for (const [i, value] of content.entries()) {
    const part = objectOr(value);
    if (part.type !== "tool-result") continue;
    group.add(
      { role: "tool", tool_call_id: textOr(part.toolCallId) },
      resultOf(part, [0, "content", i]),
    );
  }
}

function resultOf(
  part: AnyMessage,
  place: Place,
): readonly Said[] | SourceText {
  if (part.output === undefined) {
    return jsonText(part.result, [...place, "result"], "json");
  }
  const output = objectOr(part.output);
  const at = [...place, "output"];
  switch (output.type) {
    case "text":
    case "error-text":
      return {
        text: textOr(output.value),
        place: [...at, "value"],
        kind: "text",
      };
    case "content":
      return saidIn(output.value, [...at, "value"])
        .filter((one) => "text" in one);
    case "json":
    case "error-json":
      return jsonText(output.value, at, "output");
    default:
      return {
        text: textOr(output.reason),
        place: [...at, "reason"],
        kind: "text",
      };
  }
}

/** A text stands for itself, every other value for its JSON. */
function jsonText(
  value: unknown,
  place: Place,
  kind: "json" | "output",
): SourceText {
  return typeof value === "string" && kind === "json"
    ? { text: value, place, kind: "text" }
    : { text: JSON.stringify(value) ?? "", place, kind };
}

function writeAssistant(group: ChatGroup, content: unknown): void {
  const parts = Array.isArray(content) ? content.map(objectOr) : [];
  const calls = parts.filter(({ type }) => type === "tool-call");
  const said = saidBy(content);
  const isNone = Array.isArray(said) && said.length === 0 && calls.length > 0;
  group.add(
    { role: "assistant" },
    isNone ? undefined : isOne(said) && calls.length > 0 ? said[0] : said,
    calls.length === 0 ? {} : {
      tool_calls: calls.map(({ toolCallId, toolName, input, args }) =>
        chatCall(toolCallId, toolName, input ?? args)
      ),
    },
  );
}

function isOne(
  said: readonly Said[] | SourceText,
): said is readonly [SourceText] {
  return Array.isArray(said) && said.length === 1 && "text" in said[0]!;
}

function saidBy(content: unknown): readonly Said[] | SourceText {
  const place = [0, "content"];
  return Array.isArray(content)
    ? saidIn(content, place)
    : { text: textOr(content), place, kind: "text" };
}

function saidIn(content: unknown, place: Place): readonly Said[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((value, i): readonly Said[] => {
    const { type, text, mediaType, data, image } = objectOr(value);
    if (type === "text" && typeof text === "string") {
      return [{ text, place: [...place, i, "text"], kind: "text" }];
    }
    const isImage = type === "image" ||
      (type === "file" && textOr(mediaType).startsWith("image/"));
    const url = isImage ? addressOf(image ?? data, mediaType) : undefined;
    return url === undefined ? [] : [imagePart(url)];
  });
}

/** The address of media given as a text, as a `URL` or as `{ type, url | data }`; `undefined` for bytes. */
function addressOf(data: unknown, mediaType: unknown): string | undefined {
  if (data instanceof URL) return data.href;
  if (typeof data === "string") {
    return /^(?:data|https?):/.test(data)
      ? data
      : dataUrl(mediaType ?? "image/png", data);
  }
  const inner = objectOr(data);
  return inner.type === "url"
    ? addressOf(inner.url, mediaType)
    : inner.type === "data"
    ? addressOf(inner.data, mediaType)
    : undefined;
}

/** From chat completions: results of parallel calls are one message. */
export function chatToVercel(
  messages: readonly unknown[],
  { names }: Pick<ConvertContext, "names">,
): Group[] {
  return chatTurns(messages, false).map((source) => {
    const first = source[0]!;
    const { role } = first;
    const isSystem = role === "system" || role === "developer";
    const head = {
      role: isSystem
        ? "system"
        : role === "assistant" || role === "tool"
        ? role
        : "user",
    };
    if (isPlainText(first)) return textMessage(first, head);
    if (isSystem) {
      return {
        source,
        target: [{ ...head, content: joined(first) }],
        texts: [],
      };
    }
    const parts = new PartsWriter("content");
    for (const [i, message] of source.entries()) {
      if (role === "tool") writeResult(parts, { message, at: i, names });
      else writeSaid(parts, message, i);
    }
    return parts.group(source, head);
  });
}

/** Instructions are one text there. */
function joined({ content }: AnyMessage): string {
  return chatContent(content, []).flatMap((one) =>
    "text" in one ? one.text : []
  ).join("\n");
}

function writeResult(
  parts: PartsWriter,
  { message, at, names }: {
    readonly message: AnyMessage;
    readonly at: number;
    readonly names: ReadonlyMap<string, string>;
  },
): void {
  const { tool_call_id, content } = message;
  const toolCallId = textOr(tool_call_id);
  const texts = chatContent(content, [at, "content"])
    .filter((one) => "text" in one);
  const isList = Array.isArray(content);
  parts.add(
    {
      type: "tool-result",
      toolCallId,
      toolName: names.get(toolCallId) ?? "unknown",
      output: isList
        ? {
          type: "content",
          value: texts.map(({ text }) => ({ type: "text", text })),
        }
        : { type: "text", value: textOr(content) },
    },
    texts.map(({ place }, i) => [
      place,
      isList ? ["output", "value", i, "text"] : ["output", "value"],
    ]),
  );
}

function writeSaid(parts: PartsWriter, message: AnyMessage, at: number): void {
  for (const one of chatContent(message.content, [at, "content"])) {
    if ("text" in one) {
      parts.text(one);
    } else if (one.part.type === "image_url") {
      parts.add(filePart(textOr(objectOr(one.part.image_url).url)));
    }
  }
  for (const { id, name, input } of chatCalls(message)) {
    parts.add({ type: "tool-call", toolCallId: id, toolName: name, input });
  }
}

function filePart(url: string): AnyMessage {
  const read = readDataUrl(url);
  return {
    type: "file",
    mediaType: read?.mediaType ?? "image/*",
    data: read?.data ?? url,
  };
}
