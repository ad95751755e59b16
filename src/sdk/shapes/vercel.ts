/** Model messages of the `ai` package, versions 4 to 7: what is compressed of them, and to chat completions and back. @module */
import { objectOr, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, Group } from "../convert/carried.ts";
import {
  chatCall,
  chatContent,
  chatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  onlyImages,
  partsGroup,
  type PartStyle,
  plainGroup,
  readDataUrl,
  type ReadMessage,
  type Said,
  type SourceText,
} from "../convert/chat.ts";
import type { ConvertContext } from "../convert/convert.ts";
import { valueAt } from "../patch.ts";
import { isVercelMessage } from "./look.ts";
import type { MessagePath, MessageShape, Slot } from "../shape.ts";

/**
 * Results in `role: "tool"` messages are compressed, in every form of `output`: the text of `text` and `error-text`,
 * the texts of `content`, and the value of `json` and `error-json`, which becomes a text if anything is gained by it.
 * Files, and results of tools that the provider ran itself, stay as they are.
 */
export const vercelShape: MessageShape = {
  id: "vercel",
  tells: isVercelMessage,
  shadow(messages) {
    const slots = new Map<string, Slot>();
    const shadow = messages.map((message, i) =>
      shadowMessage(objectOr(message), i, slots)
    );
    return { format: "messages", messages: shadow, slots };
  },
};

function shadowMessage(
  message: AnyMessage,
  at: number,
  slots: Map<string, Slot>,
): unknown {
  const { role: given, content } = message;
  const role = given === "assistant" || given === "system" ? given : "user";
  if (!Array.isArray(content)) return { role, content: textOr(content) };
  const parts = content.map((part, i) =>
    given === "tool"
      ? shadowResult(objectOr(part), [at, "content", i], slots)
      : shadowPart(objectOr(part))
  );
  return { role, content: parts };
}

function shadowPart(part: AnyMessage): unknown {
  switch (part.type) {
    case "text":
      return { type: "text", text: textOr(part.text) };
    case "reasoning":
      return { type: "thinking", thinking: textOr(part.text) };
    case "tool-call":
      return {
        type: "tool_use",
        id: textOr(part.toolCallId),
        name: textOr(part.toolName),
        input: part.input ?? part.args ?? {},
      };
    default:
      return { type: "other" };
  }
}

function shadowResult(
  part: AnyMessage,
  path: MessagePath,
  slots: Map<string, Slot>,
): unknown {
  if (part.type !== "tool-result") return { type: "other" };
  const texts = resultTexts(part, path);
  for (const [i, { slot }] of texts.entries()) {
    slots.set(`/${path.join("/")}/content/${i}/text`, slot);
  }
  return {
    type: "tool_result",
    tool_use_id: textOr(part.toolCallId),
    content: texts.map(({ text }) => ({ type: "text", text })),
  };
}

/** Texts of a result that are there, and what becomes of them when they are compressed. */
function resultTexts(
  part: AnyMessage,
  path: MessagePath,
): readonly { readonly text: string; readonly slot: Slot }[] {
  const read = resultOf(part, path);
  return ("text" in read ? [read] : read).flatMap((one) => {
    if ("part" in one) return [];
    const { text, place, kind } = one;
    const held = valueAt(part, place.slice(path.length));
    if (kind === "text") {
      const isThere = held === text && place.at(-1) !== "reason";
      return isThere ? [{ text, slot: { path: place } }] : [];
    }
    const value = kind === "output" ? objectOr(held).value : held;
    if (JSON.stringify(value) === undefined) return [];
    const slot: Slot = {
      path: place,
      value: (text) =>
        kind === "json" ? text : {
          ...objectOr(held),
          type: objectOr(held).type === "json" ? "text" : "error-text",
          value: text,
        },
    };
    return [{ text: typeof value === "string" ? value : text, slot }];
  });
}

/**
 * To chat completions: each result becomes a message of its own, a value its JSON text. Reasoning, approvals, options
 * of providers and files that are neither images nor text are only carried; bytes and `URL` objects are no JSON, and
 * come back as long as the messages are not written and read in between.
 */
export function vercelToChat(messages: readonly unknown[]): Group[] {
  return messages.map((source) => chatGroup(source, read(objectOr(source))));
}

function read({ role, content }: AnyMessage): ReadMessage {
  const said = saidBy(content);
  const parts = Array.isArray(content) ? content.map(objectOr) : [];
  if (role === "assistant") {
    const calls = parts.filter(({ type }) => type === "tool-call");
    return {
      role,
      said,
      calls: calls.map(({ toolCallId, toolName, input, args }) =>
        chatCall(toolCallId, toolName, input ?? args)
      ),
    };
  }
  const results = parts.flatMap((part, i) =>
    role === "tool" && part.type === "tool-result"
      ? [{
        id: textOr(part.toolCallId),
        said: resultOf(part, [0, "content", i]),
      }]
      : []
  );
  return {
    role: role === "system" ? role : "user",
    said,
    results,
    isSilent: results.length > 0,
  };
}

function resultOf(
  part: AnyMessage,
  place: MessagePath,
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
  place: MessagePath,
  kind: "json" | "output",
): SourceText {
  return typeof value === "string" && kind === "json"
    ? { text: value, place, kind: "text" }
    : { text: JSON.stringify(value) ?? "", place, kind };
}

function saidBy(content: unknown): readonly Said[] | SourceText {
  const place = [0, "content"];
  return Array.isArray(content)
    ? saidIn(content, place)
    : { text: textOr(content), place, kind: "text" };
}

function saidIn(content: unknown, place: MessagePath): readonly Said[] {
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
  const style = styleOf(names);
  return chatTurns(messages, false).map((source) => {
    const first = source[0]!;
    const isSystem = first.role === "system" || first.role === "developer";
    const isOther = first.role !== "assistant" && first.role !== "tool";
    const role = isSystem ? "system" : isOther ? "user" : first.role;
    const plain = plainGroup(source, { role });
    if (plain !== undefined) return plain;
    // Instructions are one text there.
    const content = chatContent(first.content, [])
      .flatMap((one) => "text" in one ? one.text : []).join("\n");
    return isSystem
      ? { source, target: [{ role, content }], texts: [] }
      : partsGroup(source, { role }, style);
  });
}

function styleOf(names: ReadonlyMap<string, string>): PartStyle {
  return {
    key: "content",
    text: { type: "text" },
    media: onlyImages(filePart),
    call: ({ id, name, input }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input,
    }),
    result: ({ id, texts, isList }) => ({
      part: {
        type: "tool-result",
        toolCallId: id,
        toolName: names.get(id) ?? "unknown",
        output: isList
          ? {
            type: "content",
            value: texts.map((text) => ({ type: "text", text })),
          }
          : { type: "text", value: texts[0] ?? "" },
      },
      places: texts.map((_, i) =>
        isList ? ["output", "value", i, "text"] : ["output", "value"]
      ),
    }),
  };
}

function filePart(url: string): AnyMessage {
  const read = readDataUrl(url);
  return {
    type: "file",
    mediaType: read?.mediaType ?? "image/*",
    data: read?.data ?? url,
  };
}
