/** Where string literals of a JSON text stand, as keys and indices. @module */
import { JsonCursor } from "../bytes/json_scan.ts";
import type { MessagePath } from "./shape.ts";

/**
 * Finds string literals by their first byte.
 *
 * @param json Bytes of a JSON text that has been scanned before.
 * @param at Offset of the value to look into.
 * @param wanted Offsets of the literals' opening quotes.
 * @returns The path from the value to each literal that is inside it. O(bytes of the value).
 */
export function literalPaths(
  json: Uint8Array,
  at: number,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, MessagePath> {
  const cursor = new JsonCursor(json, at);
  const found = new Map<number, MessagePath>();
  const path: (string | number)[] = [];
  const inside = (key: string | number) => {
    path.push(key);
    look();
    path.pop();
  };
  const look = () => {
    switch (cursor.type()) {
      case "object":
        cursor.object(inside);
        return;
      case "array":
        cursor.array(inside);
        return;
      case "string":
        if (wanted.has(cursor.at)) found.set(cursor.at, [...path]);
        cursor.skip();
        return;
      default:
        cursor.skip();
    }
  };
  look();
  return found;
}

/** A path as a JSON Pointer (RFC 6901). */
export function jsonPointer(path: MessagePath): string {
  return path.map((key) =>
    `/${`${key}`.replaceAll("~", "~0").replaceAll("/", "~1")}`
  ).join("");
}
