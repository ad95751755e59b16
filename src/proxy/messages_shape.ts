/** Which wire format an array of messages is written in. @module */
import { scanText } from "../bytes/content_parts.ts";
import type { JsonCursor } from "../bytes/json_scan.ts";
import type { ByteSpan } from "../core/block.ts";

/** Ids of the formats that can be told from each other. */
export type MessagesShape = "messages" | "chat_completions" | "responses";

/** Roles of tool results that are messages of their own. */
const RESULT_ROLES: ReadonlySet<string> = new Set(["tool", "function"]);
/** Members in which an assistant message calls tools. */
const CALL_MEMBERS: ReadonlySet<string> = new Set([
  "tool_calls",
  "function_call",
]);
/** Types of content blocks that no other format has. */
const BLOCK_TYPES: ReadonlySet<string> = new Set(["tool_use", "tool_result"]);

/** What there is. */
export interface ShapedMessages {
  /** The array, brackets included. */
  readonly span: ByteSpan;
  /** That of the first element that tells, so that it stays as messages are added; chat completions where none does. */
  readonly shape: MessagesShape;
}

/**
 * Passes an array of messages, and looks at every element on the way.
 *
 * @param cursor Stands at the array.
 * @param body The bytes that the cursor walks.
 * @param onUnknown Called with the index of an element that is no message and no item.
 * @throws {SyntaxError} If it is no array, or malformed.
 */
export function scanMessages(
  cursor: JsonCursor,
  body: Uint8Array,
  onUnknown: (index: number) => never,
): ShapedMessages {
  let first: MessagesShape | undefined;
  const span = cursor.array((index) => {
    if (cursor.type() !== "object") onUnknown(index);
    const shape = elementShape(cursor, body);
    if (shape === undefined) onUnknown(index);
    if (shape !== "any") first ??= shape;
  });
  return { span, shape: first ?? "chat_completions" };
}

/** `any`: a message that stands like this in every format. `undefined`: neither a message nor an item. */
function elementShape(
  cursor: JsonCursor,
  body: Uint8Array,
): MessagesShape | "any" | undefined {
  let role: string | undefined;
  let type: string | undefined;
  let calls = false;
  let hasBlocks = false;
  cursor.object((key) => {
    if (key === "role") role = scanText(cursor, body);
    else if (key === "type") type = scanText(cursor, body);
    else if (key === "content") hasBlocks = holdsBlocks(cursor, body);
    else if (CALL_MEMBERS.has(key)) calls ||= cursor.type() !== "null";
  });
  if (hasBlocks) return "messages";
  if (role === undefined) return type === undefined ? undefined : "responses";
  return calls || RESULT_ROLES.has(role) ? "chat_completions" : "any";
}

function holdsBlocks(cursor: JsonCursor, body: Uint8Array): boolean {
  let found = false;
  if (cursor.type() !== "array") {
    cursor.skip();
    return false;
  }
  cursor.array(() => {
    if (cursor.type() !== "object") return;
    cursor.object((key) => {
      if (key === "type" && BLOCK_TYPES.has(scanText(cursor, body) ?? "")) {
        found = true;
      }
    });
  });
  return found;
}
