/** What clients of chat completions and completions want to know of a stream. @module */
import type { BodyScanner } from "../bytes/body_scan.ts";
import { scanFlag } from "../bytes/content_parts.ts";

/** Reads the value of `stream_options` at the cursor, a member of an object; one that is no object is left to the cursor. */
export function scanStreamOptions(scan: BodyScanner): void {
  const { cursor, body } = scan;
  if (cursor.type() !== "object") return;
  cursor.object((key) => {
    if (key === "include_usage") scan.includeUsage = scanFlag(cursor, body);
  });
}
