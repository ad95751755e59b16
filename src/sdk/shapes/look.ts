/** Looking into values of which nothing is known, and how messages are told from others. @module */
import { isJsonObject, objectOr } from "../../bytes/json_parts.ts";

/** Whether a value has members. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A member of an object; `undefined` where there is none, or no object. */
export function fieldOf(value: unknown, key: string): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined;
}

/** An array member; empty where there is none. */
export function arrayAt(value: unknown, key: string): readonly unknown[] {
  const member = fieldOf(value, key);
  return Array.isArray(member) ? member : [];
}

/** Types of the parts of a message's content. */
export function partTypes(message: unknown): readonly unknown[] {
  return arrayAt(message, "content").map((part) => fieldOf(part, "type"));
}

/** Whether a message is one of Google's contents. */
export function isGoogleContent(message: unknown): boolean {
  const { parts, content, role } = objectOr(message);
  return content === undefined &&
    (Array.isArray(parts) && (role !== undefined || !isUiMessage(parts)));
}

/** Messages for a screen, of the `ai` package, have `parts` too. */
function isUiMessage(parts: readonly unknown[]): boolean {
  return parts.some((part) => typeof objectOr(part).type === "string");
}

/** Parts that no other way of writing messages has. */
const OWN_PARTS: ReadonlySet<unknown> = new Set([
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
  "reasoning-file",
]);

/** Whether a message is one of the `ai` package. */
export function isVercelMessage(message: unknown): boolean {
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
