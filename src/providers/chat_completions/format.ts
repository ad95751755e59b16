/** The chat-completions wire format: `POST /v1/chat/completions`. @module */
import { BodyScanner } from "../../bytes/body_scan.ts";
import {
  type ContentPart,
  insertionAtEnd,
  scanContent,
  scanText,
  scanTools,
} from "../../bytes/content_parts.ts";
import type { ByteSpan, ScannedCall } from "../../core/block.ts";
import type { BodyScan, ProviderFormat } from "../../core/format.ts";
import { isContextTooLong, openAiError } from "../error_body.ts";
import { AUTOMATIC_CACHE } from "../prompt_cache.ts";
import { WithoutUsage } from "../added_usage.ts";
import { scanStreamOptions, usageRequestOf } from "../stream_options.ts";
import { chatRetrieval } from "./retrieval.ts";
import type { UsageTap } from "../../core/usage.ts";
import { makeUsageTap, totalUsage } from "../../sse/usage_tap.ts";

/** One element of the `messages` array. */
interface Message {
  role?: string | undefined;
  content: readonly ContentPart[];
  calls: [id: string, call: ScannedCall][];
  toolCallId?: string | undefined;
  name?: string | undefined;
  reasoning: ByteSpan[];
  hasDetails?: boolean;
}

/** Members that the cache goes by; the schema of an answer counts as part of the instructions. */
const PROMPT: ReadonlySet<string> = new Set([
  "tools",
  "functions",
  "response_format",
  "messages",
]);

/** Adapter for the chat-completions wire format. */
export const chatCompletionsFormat: ProviderFormat = {
  id: "chat_completions",
  scan(body, memory): BodyScan {
    const scan = new BodyScanner(body, memory);
    const top = scan.members(PROMPT, (key) => topMember(scan, key));
    return scan.finish(usageRequestOf(scan, top));
  },
  append: (_, scan, elements) => [
    insertionAtEnd(scan.conversation, scan.messages.length === 0, elements),
  ],
  noToolChoice: '"none"',
  usageTap: chatUsageTap,
  withoutUsage: () => new WithoutUsage(),
  errorBody: openAiError,
  isTooLong: isContextTooLong,
  streamBytesPerToken: 250,
  promptCache: AUTOMATIC_CACHE,
  betaHeader: "openai-beta",
  retrieval: chatRetrieval,
};

function topMember(scan: BodyScanner, key: string): void {
  const { cursor, body } = scan;
  switch (key) {
    case "n": {
      const isNumber = cursor.type() === "number";
      const { start, end } = cursor.skip();
      const isOne = end - start === 1 && body[start] === 0x31;
      if (isNumber && !isOne) scan.noTool = "n_above_1";
      return;
    }
    case "stream_options":
      scanStreamOptions(scan);
      return;
    case "tools":
      scan.tools = scanTools(cursor, body, ["function", "custom"]);
      scan.found.count(scan.tools?.span);
      return;
    case "functions":
      scan.found.count(cursor.skip());
      return;
    case "messages":
      scan.conversation = scan.elements(message);
      return;
    default:
      scan.common(key);
  }
}

function message(scan: BodyScanner, messageIndex: number): void {
  const found: Message = { content: [], calls: [], reasoning: [] };
  scan.found.messages.push(
    scan.cursor.object((key) => messageMember(scan, found, key)),
  );
  const { role, content, calls, toolCallId, name } = found;
  if (role === undefined) {
    throw new SyntaxError(
      `Cannot scan messages: message ${messageIndex} has no role`,
    );
  }
  scan.found.count(...content.map(({ text }) => text));
  switch (role) {
    case "assistant":
      scan.found.lastModelMessage = messageIndex;
      for (const [id, call] of calls) scan.found.call(id, call);
      if (!found.hasDetails) {
        scan.found.reasoned(messageIndex, ...found.reasoning);
      }
      return;
    case "user":
      scan.found.userMessage(
        content.flatMap(({ type, text }) => type === "text" && text || []),
        messageIndex,
      );
      return;
    case "tool":
    case "function":
      scan.found.result(content, {
        messageIndex,
        callId: toolCallId,
        fallbackName: name,
      });
  }
}

function messageMember(scan: BodyScanner, found: Message, key: string): void {
  const { cursor, body } = scan;
  switch (key) {
    case "role":
      found.role = scanText(cursor, body);
      return;
    case "content":
      found.content = scanContent(cursor, body);
      return;
    case "reasoning":
    case "reasoning_content":
      if (cursor.type() === "string") found.reasoning.push(cursor.string());
      return;
    case "reasoning_details":
      found.hasDetails = true;
      cursor.skip();
      return;
    case "tool_call_id":
      found.toolCallId = scanText(cursor, body);
      return;
    case "name":
      found.name = scanText(cursor, body);
      return;
    case "tool_calls":
      if (cursor.type() === "array") cursor.array(() => call(scan, found));
      return;
    case "function_call":
      if (cursor.type() === "object") scan.found.count(cursor.skip());
  }
}

function call(scan: BodyScanner, found: Message): void {
  const { cursor, body } = scan;
  let id: string | undefined;
  let name: string | undefined;
  let args: ByteSpan | undefined;
  cursor.object((key) => {
    if (key === "id") id = scanText(cursor, body);
    else if (
      (key === "function" || key === "custom") && cursor.type() === "object"
    ) {
      cursor.object((inner) => {
        if (inner === "name") name = scanText(cursor, body);
        else if (inner === "arguments" || inner === "input") {
          args = cursor.skip();
        }
      });
    }
  });
  scan.found.count(args);
  if (id !== undefined) found.calls.push([id, { name, args }]);
}

/**
 * Makes a tap for one response, JSON or an event stream.
 *
 * A stream reports usage only if the client asked for it; where several chunks carry
 * one, each is a running total and the last counts.
 *
 * @param contentType Value of the response's `content-type`.
 */
function chatUsageTap(contentType: string): UsageTap {
  return makeUsageTap(contentType, {
    body: ["usage"],
    events: [["usage"]],
    merge: (_known, reported) =>
      totalUsage(reported, "prompt_tokens", "completion_tokens"),
  });
}
