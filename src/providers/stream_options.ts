/** Usage in the streams of chat completions and completions: providers report it only to requests that ask for it. @module */
import { insertion, replacement } from "./put_back.ts";
import type { BodyScanner } from "../bytes/body_scan.ts";
import { scanFlag } from "../bytes/content_parts.ts";
import type { ByteSpan, Edit } from "../core/block.ts";

const OPTIONS = '{"include_usage":true}';
/**
 * Members of `stream_options` that mean the same with usage as without it. One that does not, such as vLLM's
 * `continuous_usage_stats`, would put usage where the client can see it.
 */
const INDEPENDENT: ReadonlySet<string> = new Set([
  "include_usage",
  "include_obfuscation",
]);

/** Reads the value of `stream_options` at the cursor, a member of the body; one that is no object is left to the cursor. */
export function scanStreamOptions(scan: BodyScanner): void {
  scan.streamOptions = { usageRequest: requestWithin(scan) };
}

/**
 * The edit that asks for usage on behalf of a client that did not; `undefined` where it did, or where the answer could
 * differ for it in more than the usage.
 *
 * @param top The body's top value.
 */
export function usageRequestOf(
  { streamOptions }: BodyScanner,
  top: ByteSpan,
): Edit | undefined {
  return streamOptions === undefined
    // Behind all else, so that the bytes before it stay where they are.
    ? insertion(top.end - 1, `,"stream_options":${OPTIONS}`)
    : streamOptions.usageRequest;
}

function requestWithin(scan: BodyScanner): Edit | undefined {
  const { cursor, body } = scan;
  const type = cursor.type();
  if (type === "null") return replacement(cursor.skip(), OPTIONS);
  if (type !== "object") return undefined;
  let members = 0;
  let isKnown = true;
  let asked: ByteSpan | undefined;
  const { end } = cursor.object((key) => {
    members++;
    isKnown &&= INDEPENDENT.has(key);
    if (key !== "include_usage") return;
    const isWord = cursor.type() === "boolean" || cursor.type() === "null";
    isKnown &&= isWord;
    const start = cursor.at;
    scan.includeUsage = scanFlag(cursor, body);
    asked = { start, end: cursor.at };
  });
  if (!isKnown || scan.includeUsage) return undefined;
  if (asked !== undefined) return replacement(asked, "true");
  const comma = members > 0 ? "," : "";
  return insertion(end - 1, `${comma}"include_usage":true`);
}
