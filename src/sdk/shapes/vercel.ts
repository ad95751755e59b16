/** Model messages of the `ai` package, versions 4 to 7, and the prompts that it hands to its models. @module */
import { isJsonObject, objectOr, textOr } from "../../bytes/json_parts.ts";
import type { MessagePath, MessageShape, Slot } from "../shape.ts";

/** Parts that no other way of writing messages has. */
const OWN_PARTS: ReadonlySet<unknown> = new Set([
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
  "reasoning-file",
]);

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

function isVercelMessage(message: unknown): boolean {
  const { content, role, providerOptions } = objectOr(message);
  if (!Array.isArray(content)) return isJsonObject(providerOptions);
  return isJsonObject(providerOptions) ||
    content.some((part) => isOwnPart(objectOr(part))) ||
    (role === "assistant" &&
      content.some((part) => objectOr(part).type === "reasoning"));
}

function isOwnPart(part: Readonly<Record<string, unknown>>): boolean {
  const { type, mediaType, image } = part;
  return OWN_PARTS.has(type) || isJsonObject(part.providerOptions) ||
    (type === "file" && typeof mediaType === "string") ||
    (type === "image" && image !== undefined);
}

function shadowMessage(
  message: Readonly<Record<string, unknown>>,
  at: number,
  slots: Map<string, Slot>,
): unknown {
  const { role, content } = message;
  if (!Array.isArray(content)) {
    return { role: shadowRole(role), content: textOr(content) };
  }
  const parts = content.map((part, i) =>
    role === "tool"
      ? shadowResult(objectOr(part), [at, "content", i], slots)
      : shadowPart(objectOr(part))
  );
  return { role: shadowRole(role), content: parts };
}

function shadowRole(role: unknown): string {
  return role === "assistant" || role === "system" ? role : "user";
}

function shadowPart(part: Readonly<Record<string, unknown>>): unknown {
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

/** A text of a result. */
interface ResultText {
  readonly text: string;
  readonly slot: Slot;
}

function shadowResult(
  part: Readonly<Record<string, unknown>>,
  path: MessagePath,
  slots: Map<string, Slot>,
): unknown {
  if (part.type !== "tool-result") return { type: "other" };
  const texts = resultTexts(part, path);
  const place = `/${path.join("/")}/content`;
  for (const [i, { slot }] of texts.entries()) {
    slots.set(`${place}/${i}/text`, slot);
  }
  return {
    type: "tool_result",
    tool_use_id: textOr(part.toolCallId),
    content: texts.map(({ text }) => ({ type: "text", text })),
  };
}

function resultTexts(
  part: Readonly<Record<string, unknown>>,
  path: MessagePath,
): readonly ResultText[] {
  const { output, result } = part;
  if (output === undefined) {
    // How version 4 wrote results.
    return typeof result === "string"
      ? [{ text: result, slot: { path: [...path, "result"] } }]
      : jsonText(result, { path: [...path, "result"], value: (text) => text });
  }
  const { type, value } = objectOr(output);
  const place = [...path, "output"];
  switch (type) {
    case "text":
    case "error-text":
      return typeof value === "string"
        ? [{ text: value, slot: { path: [...place, "value"] } }]
        : [];
    case "json":
    case "error-json":
      return jsonText(value, {
        path: place,
        value: (text) => ({
          ...objectOr(output),
          type: type === "json" ? "text" : "error-text",
          value: text,
        }),
      });
    case "content":
      return contentTexts(value, [...place, "value"]);
    default:
      return [];
  }
}

function jsonText(value: unknown, slot: Slot): readonly ResultText[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === undefined ? [] : [{ text, slot }];
}

function contentTexts(
  value: unknown,
  path: MessagePath,
): readonly ResultText[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part, i) => {
    const { type, text } = objectOr(part);
    return type === "text" && typeof text === "string"
      ? [{ text, slot: { path: [...path, i, "text"] } }]
      : [];
  });
}
