/** Message content as all three wire formats write it: a string, or an array of typed parts. @module */
import type { ByteSpan, Edit } from "../core/block.ts";
import type { ToolsScan } from "../core/format.ts";
import { decodeLiteral, shortText } from "./json_string.ts";
import type { JsonCursor } from "./json_scan.ts";

/** One part of a content value. */
export interface ContentPart {
  /** Its `type`; `text` for a content that is a plain string, empty when missing. */
  readonly type: string;
  /** String literal of its `text`, when it has one. */
  readonly text: ByteSpan | undefined;
}

/**
 * Reads the content value at the cursor.
 *
 * @param body The bytes that the cursor walks.
 * @returns Its parts in order; none for `null` and for shapes that hold no parts.
 * @throws {SyntaxError} If it is malformed.
 */
export function scanContent(
  cursor: JsonCursor,
  body: Uint8Array,
): readonly ContentPart[] {
  switch (cursor.type()) {
    case "string":
      return [{ type: "text", text: cursor.string() }];
    case "array": {
      const parts: ContentPart[] = [];
      cursor.array(() => {
        if (cursor.type() === "object") parts.push(scanPart(cursor, body));
      });
      return parts;
    }
    default:
      cursor.skip();
      return [];
  }
}

/**
 * Reads the part at the cursor: an object.
 *
 * @throws {SyntaxError} If it is malformed.
 */
export function scanPart(cursor: JsonCursor, body: Uint8Array): ContentPart {
  let type = "";
  let text: ByteSpan | undefined;
  cursor.object((key) => {
    if (key === "type") type = scanText(cursor, body) ?? "";
    else if (key === "text" && cursor.type() === "string") {
      text = cursor.string();
    }
  });
  return { type, text };
}

/** Reads the string at the cursor, decoded; any other value is skipped and gives `undefined`. */
export function scanText(
  cursor: JsonCursor,
  body: Uint8Array,
): string | undefined {
  const isString = cursor.type() === "string";
  const span = cursor.skip();
  if (!isString) return undefined;
  return shortText(body, span.start + 1, span.end - 1) ??
    decodeLiteral(body, span);
}

/** Reads the value at the cursor as a flag: only `true` is true. */
export function scanFlag(cursor: JsonCursor, body: Uint8Array): boolean {
  const isBoolean = cursor.type() === "boolean";
  return body[cursor.skip().start] === 0x74 && isBoolean;
}

/** Reads the value at the cursor as a number; `undefined` for any other value. */
export function scanNumber(
  cursor: JsonCursor,
  body: Uint8Array,
): number | undefined {
  const isNumber = cursor.type() === "number";
  const { start, end } = cursor.skip();
  return isNumber ? Number(ascii.decode(body.subarray(start, end))) : undefined;
}
const ascii = new TextDecoder();

/**
 * Reads a tool array.
 *
 * @param nested Key of the object that holds a tool's name; the tool itself when absent.
 * @returns Its span, how many it has, and the names in order, those of tools in a group included; `undefined` for `null`, an empty array and other values.
 * @throws {SyntaxError} If it is malformed.
 */
export function scanTools(
  cursor: JsonCursor,
  body: Uint8Array,
  nested?: readonly string[],
): ToolsScan | undefined {
  if (cursor.type() !== "array") {
    cursor.skip();
    return undefined;
  }
  const names: string[] = [];
  let count = 0;
  const scanName = (key: string) => {
    if (key === "name") names.push(scanText(cursor, body) ?? "");
  };
  const span = cursor.array(() => {
    count++;
    if (cursor.type() !== "object") {
      throw new SyntaxError("Cannot scan tools: a tool is not an object");
    }
    cursor.object((key) => {
      scanName(key);
      if (nested?.includes(key) && cursor.type() === "object") {
        cursor.object(scanName);
      } else if (key === GROUP && cursor.type() === "array") {
        cursor.array(() => {
          if (cursor.type() === "object") cursor.object(scanName);
        });
      }
    });
  });
  return count === 0 ? undefined : { span, names, count };
}

/** Key of the tools of a group: responses clients send those of an MCP server under its name. */
const GROUP = "tools";

/**
 * Edits that add `elements` behind the last element of the array at `array`.
 *
 * @param array Span of the array, brackets included.
 * @param elements JSON values separated by commas; not empty.
 */
export function insertionAtEnd(
  array: ByteSpan,
  isEmpty: boolean,
  elements: Uint8Array,
): Edit {
  const replacement = new Uint8Array(elements.length + (isEmpty ? 0 : 1));
  if (!isEmpty) replacement[0] = 0x2c;
  replacement.set(elements, isEmpty ? 0 : 1);
  return {
    span: { start: array.end - 1, end: array.end - 1 },
    replacement,
  };
}
