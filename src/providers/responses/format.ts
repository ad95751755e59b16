/** The responses wire format: `POST /v1/responses`. @module */
import { BodyScanner } from "../../bytes/body_scan.ts";
import {
  type ContentPart,
  insertionAtEnd,
  scanContent,
  scanFlag,
  scanText,
  scanTools,
} from "../../bytes/content_parts.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan, ProviderFormat } from "../../core/format.ts";
import { isContextTooLong, responsesError } from "../error_body.ts";
import { AUTOMATIC_CACHE } from "../prompt_cache.ts";
import { ToolsInDocument, ToolsInStream } from "./repeated_tools.ts";
import { responsesRetrieval } from "./retrieval.ts";
import type { UsageTap } from "../../core/usage.ts";
import { makeUsageTap, totalUsage } from "../../sse/usage_tap.ts";

/** Item types that hold a tool's output as text, and the tool's name where the call is not in the body. */
const OUTPUTS = new Map<string, string | undefined>([
  ["function_call_output", undefined],
  ["custom_tool_call_output", undefined],
  ["local_shell_call_output", "local_shell"],
  ["apply_patch_call_output", "apply_patch"],
]);
/** Item types that hold a model's call of a client's tool, and that tool's name where the item has none. */
const CALLS = new Map<string, string | undefined>([
  ["function_call", undefined],
  ["custom_tool_call", undefined],
  ["local_shell_call", "local_shell"],
  ["apply_patch_call", "apply_patch"],
]);
/** Item types that only the model writes, besides assistant messages. */
const MODEL_ITEMS = new Set(["reasoning", "compaction", "compaction_summary"]);
/** Part types that hold what a user wrote. */
const TEXT_PARTS = new Set(["text", "input_text"]);
const QUOTE = 0x22;
const utf8 = new TextEncoder();

/** One element of the `input` array. */
interface Item {
  type: string;
  role?: string | undefined;
  callId?: string | undefined;
  name?: string | undefined;
  args?: ByteSpan;
  content: readonly ContentPart[];
  output: readonly ContentPart[];
  isEncrypted?: boolean;
}

/** Members that the cache goes by; `text` holds the schema of an answer, which counts as part of the instructions. */
const PROMPT: ReadonlySet<string> = new Set([
  "tools",
  "instructions",
  "text",
  "input",
]);

/** Adapter for the responses wire format. */
export const responsesFormat: ProviderFormat = {
  id: "responses",
  scan(body, memory): BodyScan {
    const scan = new BodyScanner(body, memory);
    // The provider stores responses unless the client says otherwise.
    scan.keepsState = true;
    scan.members(PROMPT, (key) => topMember(scan, key));
    return scan.finish();
  },
  append,
  noToolChoice: '"none"',
  responseIdIn: (head) => /"id"\s*:\s*"(resp_[^"\\]+)"/.exec(head)?.[1],
  withSentTools: (sent, isStream) =>
    isStream ? new ToolsInStream(sent) : new ToolsInDocument(sent),
  usageTap: responsesUsageTap,
  errorBody: responsesError,
  isTooLong: isContextTooLong,
  streamBytesPerToken: 250,
  promptCache: AUTOMATIC_CACHE,
  betaHeader: "openai-beta",
  // Announces a reduced body, which the bodies that leave here are not.
  droppedHeaders: ["x-openai-internal-codex-responses-lite"],
  retrieval: responsesRetrieval,
};

function topMember(scan: BodyScanner, key: string): void {
  const { cursor, body } = scan;
  switch (key) {
    case "instructions":
      if (cursor.type() === "string") scan.found.count(cursor.string());
      return;
    case "tools":
      scan.tools = scanTools(cursor, body);
      scan.found.count(scan.tools?.span);
      return;
    case "conversation":
      if (cursor.type() !== "null") scan.noTool = "server_conversation";
      return;
    case "store":
      scan.keepsState = cursor.type() !== "boolean" || scanFlag(cursor, body);
      return;
    case "background":
      if (scanFlag(cursor, body)) scan.noTool = "background";
      return;
    case "previous_response_id":
      if (cursor.type() === "string") scan.continues = cursor.string();
      return;
    case "input":
      input(scan);
      return;
    default:
      scan.common(key);
  }
}

function input(scan: BodyScanner): void {
  const { cursor } = scan;
  if (cursor.type() === "string") {
    scan.conversation = cursor.string();
    scan.found.count(scan.conversation);
    scan.found.userMessage([scan.conversation], 0);
  } else scan.conversation = scan.elements(item);
}

function item(scan: BodyScanner, messageIndex: number): void {
  const found: Item = { type: "", content: [], output: [] };
  scan.found.messages.push(
    scan.cursor.object((key) => itemMember(scan, found, key)),
  );
  const { type, role, callId, content, output } = found;
  scan.found.count(
    found.args,
    ...content.map(({ text }) => text),
    ...output.map(({ text }) => text),
  );
  if (MODEL_ITEMS.has(type) || role === "assistant") {
    scan.found.lastModelMessage = messageIndex;
    if (type === "reasoning" && !found.isEncrypted) {
      scan.found.reasoned(
        messageIndex,
        ...content.flatMap(({ type, text }) =>
          type === "reasoning_text" && text || []
        ),
      );
    }
  } else if (role === "user") {
    scan.found.userMessage(
      content.flatMap(({ type, text }) => TEXT_PARTS.has(type) && text || []),
      messageIndex,
    );
  } else if (CALLS.has(type)) {
    scan.found.lastCall = messageIndex;
    const name = found.name ?? CALLS.get(type);
    if (callId !== undefined) {
      scan.found.call(callId, { name, args: found.args });
    }
  } else if (OUTPUTS.has(type)) {
    const fallbackName = OUTPUTS.get(type);
    scan.found.result(output, { messageIndex, callId, fallbackName });
  } else if (!CLIENT_ITEM.test(type) && role === undefined) {
    // A call of a tool of the provider, or an item that is only named: the conversation has begun.
    scan.found.lastCall = messageIndex;
  }
}

/** Types of items that a client may begin with; a message may have no type. */
const CLIENT_ITEM = /^(?:|message|mcp_approval_response|.*_output)$/;

function itemMember(scan: BodyScanner, found: Item, key: string): void {
  const { cursor, body } = scan;
  switch (key) {
    case "type":
      found.type = scanText(cursor, body) ?? "";
      return;
    case "role":
      found.role = scanText(cursor, body);
      return;
    case "call_id":
      found.callId = scanText(cursor, body);
      return;
    case "encrypted_content":
      found.isEncrypted = cursor.type() !== "null";
      cursor.skip();
      return;
    case "name":
      found.name = scanText(cursor, body);
      return;
    case "arguments":
    case "input":
    case "action":
    case "operation":
      found.args = cursor.skip();
      return;
    case "content":
      found.content = scanContent(cursor, body);
      return;
    case "output":
      found.output = scanContent(cursor, body);
  }
}

function append(
  body: Uint8Array,
  { conversation, messages }: BodyScan,
  elements: Uint8Array,
): readonly Edit[] {
  const { start, end } = conversation;
  if (body[start] !== QUOTE) {
    return [insertionAtEnd(conversation, messages.length === 0, elements)];
  }
  // A plain string stands for one user message: written out, it can be followed by more.
  const after = new Uint8Array(elements.length + 3);
  after.set(utf8.encode("},"));
  after.set(elements, 2);
  after[after.length - 1] = 0x5d;
  return [
    {
      span: { start, end: start },
      replacement: utf8.encode('[{"role":"user","content":'),
    },
    { span: { start: end, end }, replacement: after },
  ];
}

/**
 * Makes a tap for one response, JSON or an event stream.
 *
 * A stream reports usage in the response object of its closing event (completed,
 * incomplete or failed), the only one where it is not null.
 *
 * @param contentType Value of the response's `content-type`.
 */
function responsesUsageTap(contentType: string): UsageTap {
  return makeUsageTap(contentType, {
    body: ["usage"],
    events: [["response", "usage"]],
    merge: (_known, reported) =>
      totalUsage(reported, "input_tokens", "output_tokens"),
  });
}
