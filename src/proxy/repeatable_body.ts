/** Whether a request body asks for an answer that may be given twice. @module */
import { scanFlag, scanText } from "../bytes/content_parts.ts";
import { JsonCursor } from "../bytes/json_scan.ts";

/** Members, not null, by which the answer depends on what is kept or looked up elsewhere, or something is done for it. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "container",
  "conversation",
  "mcp_servers",
  "plugins",
  "previous_response_id",
  "prompt",
  "web_search_options",
]);

/** Types of tools that the client runs. Others may be the provider's: a search finds other things later. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set(["function", "custom"]);

/** Bytes at both ends of a body in which clients write whether they want a stream. */
const END_BYTES = 1024;

/**
 * Whether `body` asks for one JSON document, with temperature 0 or a seed, and nothing else is done or kept for it.
 * One pass over bodies that do not ask for a stream near one of their ends.
 *
 * @param body The body, decoded.
 * @param keepsState Whether the provider keeps a response unless `store` is false.
 */
export function isRepeatable(body: Uint8Array, keepsState: boolean): boolean {
  if (looksStreamed(body)) return false;
  let isSteady = false;
  let isFree = true;
  let store: "yes" | "no" | undefined;
  try {
    const cursor = new JsonCursor(body);
    cursor.object((key) => {
      if (key === "temperature") isSteady ||= isZero(cursor, body);
      else if (key === "seed") isSteady ||= cursor.type() === "number";
      else if (key === "stream" || key === "background") {
        isFree &&= !scanFlag(cursor, body);
      } else if (key === "store" && cursor.type() === "boolean") {
        store = scanFlag(cursor, body) ? "yes" : "no";
      } else if (key === "tools") isFree &&= onlyClientTools(cursor, body);
      else if (ELSEWHERE.has(key)) isFree &&= cursor.type() === "null";
    });
    cursor.end();
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  const isKept = store === undefined ? keepsState : store === "yes";
  return isSteady && isFree && !isKept;
}

/** Nearly all large bodies ask for a stream, and say so first or last: the pass is saved. */
function looksStreamed(body: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  const ends = [body.subarray(0, END_BYTES), body.subarray(-END_BYTES)];
  return ends.some((end) => /"stream"\s*:\s*true/.test(latin1.decode(end)));
}

function isZero(cursor: JsonCursor, body: Uint8Array): boolean {
  if (cursor.type() !== "number") return false;
  const { start, end } = cursor.skip();
  return Number(new TextDecoder().decode(body.subarray(start, end))) === 0;
}

function onlyClientTools(cursor: JsonCursor, body: Uint8Array): boolean {
  if (cursor.type() !== "array") return cursor.type() === "null";
  let isOnly = true;
  cursor.array(() => {
    if (cursor.type() !== "object") return;
    cursor.object((key) => {
      if (key !== "type") return;
      isOnly &&= CLIENT_TOOLS.has(scanText(cursor, body) ?? "");
    });
  });
  return isOnly;
}
