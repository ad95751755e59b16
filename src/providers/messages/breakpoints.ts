/** Breakpoints of the prompt cache for clients that set none. @module */
import { BodyMark } from "../../bytes/body_mark.ts";
import { type ContentPart, scanPart } from "../../bytes/content_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import { readTools } from "../../bytes/tool_definitions.ts";
import type { Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import { MIN_BYTES } from "../prompt_cache.ts";

const utf8 = new TextEncoder();

const COLON = 0x3a;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Behind it a key has a colon; one that stands within a text has a backslash before its last quote. */
const BREAKPOINT = new BodyMark('"cache_control"', hasColon);

/** What our breakpoints insert. */
const MARK = utf8.encode('"cache_control":{"type":"ephemeral"},');

/** Types of content that may carry a breakpoint; a text may when it is not empty. */
const MAY_CARRY: ReadonlySet<string> = new Set([
  "text",
  "tool_result",
  "tool_use",
  "image",
  "document",
]);

/**
 * Edits that set two breakpoints, each the insertion of one member: behind the system prompt and the tools, and at the
 * newest message whose content is an array. A content or a system prompt that is one string stays as it is.
 *
 * Source: https://docs.claude.com/en/docs/build-with-claude/prompt-caching.
 *
 * @param scan The scan of `body`.
 * @param isDeferred Whether a tool is loaded on demand: such a tool may not carry a breakpoint.
 * @returns None where the client sets breakpoints itself, or the prompt is too short.
 */
export function breakpoints(
  body: Uint8Array,
  scan: BodyScan,
  isDeferred: (tool: string) => boolean,
): readonly Edit[] {
  const bytes = scan.prompt.reduce(
    (sum, { span }) => sum + span.end - span.start,
    0,
  );
  if (bytes < MIN_BYTES || isMarked(body)) return [];
  return [
    behindSystem(body, scan) ?? behindTools(body, scan, isDeferred),
    atNewest(body, scan),
  ]
    .filter((at) => at !== undefined)
    .toSorted((a, b) => a - b)
    .map((at) => ({ span: { start: at, end: at }, replacement: MARK }));
}

/** Whether a breakpoint stands anywhere in `body`. Most bytes are passed over: bodies are long, and most have none. */
export function isMarked(body: Uint8Array): boolean {
  return BREAKPOINT.isIn(body);
}

/** The same ahead, in steps; see `PromptCache.look`. */
export function lookForMark(
  body: Uint8Array,
  pause: () => Promise<void>,
): Promise<void> {
  return BREAKPOINT.look(body, pause);
}

function hasColon(body: Uint8Array, from: number): boolean {
  let at = from;
  while (WHITE_SPACE.has(body[at]!)) at++;
  return body[at] === COLON;
}

/** Where a breakpoint goes into the system prompt: behind the brace of its last part. The tools are before it. */
function behindSystem(body: Uint8Array, scan: BodyScan): number | undefined {
  const system = scan.prompt.find(({ name }) => name === "system");
  return system && lastCarrier(body, new JsonCursor(body, system.span.start));
}

function behindTools(
  body: Uint8Array,
  { tools }: BodyScan,
  isDeferred: (tool: string) => boolean,
): number | undefined {
  // An empty object has no member that a comma could part from ours.
  const last = tools &&
    readTools(body, tools.span).findLast(({ name, type, ...tool }) =>
      name + type !== "" && !tool.isDeferred && !isDeferred(name)
    );
  return last && last.span.start + 1;
}

function atNewest(
  body: Uint8Array,
  { messages }: BodyScan,
): number | undefined {
  for (let i = messages.length - 1; i >= 0; i--) {
    const cursor = new JsonCursor(body, messages[i]!.start);
    let at: number | undefined;
    cursor.object((key) => {
      if (key === "content") at = lastCarrier(body, cursor);
    });
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Behind the brace of the last part at the cursor that may carry a breakpoint; `undefined` for none, and for a plain string. */
function lastCarrier(
  body: Uint8Array,
  cursor: JsonCursor,
): number | undefined {
  if (cursor.type() !== "array") return undefined;
  let last: number | undefined;
  cursor.array(() => {
    if (cursor.type() !== "object") return;
    const { at } = cursor;
    if (mayCarry(scanPart(cursor, body))) last = at + 1;
  });
  return last;
}

function mayCarry({ type, text }: ContentPart): boolean {
  const isEmpty = type === "text" &&
    (text === undefined || text.end - text.start === EMPTY_LITERAL);
  return MAY_CARRY.has(type) && !isEmpty;
}

/** Bytes of `""`. */
const EMPTY_LITERAL = 2;
