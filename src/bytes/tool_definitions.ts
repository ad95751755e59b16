/** The definitions of a tool array, one by one. @module */
import type { ByteSpan } from "../core/block.ts";
import { scanFlag, scanText } from "./content_parts.ts";
import { JsonCursor } from "./json_scan.ts";

/** One element of a tool array. */
export interface ToolDefinition {
  /** Its name; empty when it has none. */
  readonly name: string;
  /** The whole definition, braces included. */
  readonly span: ByteSpan;
  /** Its `type`; empty when it has none. */
  readonly type: string;
  /** Its `parameters`; `undefined` when it has none. */
  readonly parameters: ByteSpan | undefined;
  /** Whether it is marked to be loaded on demand; `undefined` when it does not say. */
  readonly isDeferred: boolean | undefined;
  /** Its mark for the provider's cache: the whole member, key included; `undefined` when it has none. */
  readonly cacheMark: ByteSpan | undefined;
}

const QUOTE = 0x22;

/**
 * Reads the definitions of the array at `array`.
 *
 * @throws {SyntaxError} If it is malformed, or an element is not an object.
 */
export function readTools(
  body: Uint8Array,
  array: ByteSpan,
): readonly ToolDefinition[] {
  const cursor = new JsonCursor(body, array.start);
  const tools: ToolDefinition[] = [];
  cursor.array(() => {
    let name = "";
    let type = "";
    let isDeferred: boolean | undefined;
    let cacheMark: ByteSpan | undefined;
    let parameters: ByteSpan | undefined;
    const span = cursor.object((key) => {
      if (key === "name") name = scanText(cursor, body) ?? "";
      else if (key === "type") type = scanText(cursor, body) ?? "";
      else if (key === "defer_loading") isDeferred = scanFlag(cursor, body);
      else if (key === "parameters") parameters = cursor.skip();
      else if (key === "cache_control") {
        const start = startOfKey(body, cursor.at);
        cacheMark = { start, end: cursor.skip().end };
      }
    });
    tools.push({ name, span, type, parameters, isDeferred, cacheMark });
  });
  return tools;
}

/** Where the key begins whose value stands at `value`. No quote stands within a key that is known. */
function startOfKey(body: Uint8Array, value: number): number {
  const close = body.lastIndexOf(QUOTE, value - 1);
  return body.lastIndexOf(QUOTE, close - 1);
}
