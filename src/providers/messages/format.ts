/** The messages wire format: `POST /v1/messages`. @module */
import { BodyScanner } from "../../bytes/body_scan.ts";
import {
  type ContentPart,
  insertionAtEnd,
  scanContent,
  scanText,
  scanTools,
} from "../../bytes/content_parts.ts";
import type { ByteSpan } from "../../core/block.ts";
import type { BodyScan, ProviderFormat } from "../../core/format.ts";
import { promptCache } from "../prompt_cache.ts";
import { breakpoints, isMarked, lookForMark } from "./breakpoints.ts";
import { messagesRetrieval } from "./retrieval.ts";
import type { Usage, UsageTap } from "../../core/usage.ts";
import { makeUsageTap, member, tokens } from "../../sse/usage_tap.ts";
import { isContextTooLong } from "../error_body.ts";

/** One element of a message's content array. */
interface Block {
  type: string;
  text?: ByteSpan;
  thinking?: ByteSpan;
  isSigned?: boolean;
  id?: string | undefined;
  name?: string | undefined;
  input?: ByteSpan;
  toolUseId?: string | undefined;
  content: readonly ContentPart[];
}

const MINUTE_MS = 60_000;

/** Members that the cache goes by: https://docs.claude.com/en/docs/build-with-claude/prompt-caching. */
const PROMPT: ReadonlySet<string> = new Set(["tools", "system", "messages"]);

/** Adapter for the messages wire format. */
export const messagesFormat: ProviderFormat = {
  id: "messages",
  scan(body, memory): BodyScan {
    const scan = new BodyScanner(body, memory);
    scan.members(PROMPT, (key) => topMember(scan, key));
    return scan.finish();
  },
  append: (_, scan, elements) => [
    insertionAtEnd(scan.conversation, scan.messages.length === 0, elements),
  ],
  noToolChoice: '{"type":"none"}',
  usageTap: messagesUsageTap,
  errorBody: (status, message, slug = ERROR_TYPES[status] ?? "api_error") =>
    JSON.stringify({ type: "error", error: { type: slug, message } }),
  isTooLong: isContextTooLong,
  streamBytesPerToken: 40,
  breakpoints,
  promptCache: promptCache({
    write: 1.25,
    read: 0.1,
    lifeMs: 5 * MINUTE_MS,
    longer: { mark: '"1h"', lifeMs: 60 * MINUTE_MS },
    isMarked,
    look: lookForMark,
  }),
  betaHeader: "anthropic-beta",
  retrieval: messagesRetrieval,
};

function topMember(scan: BodyScanner, key: string): void {
  const { cursor, body } = scan;
  switch (key) {
    case "system":
      scan.found.count(...scanContent(cursor, body).map(({ text }) => text));
      return;
    case "tools":
      scan.tools = scanTools(cursor, body);
      scan.found.count(scan.tools?.span);
      return;
    case "messages":
      scan.conversation = scan.elements(message);
      return;
    default:
      scan.common(key);
  }
}

function message(scan: BodyScanner, index: number): void {
  const { cursor, body } = scan;
  let role: string | undefined;
  let blocks: readonly Block[] = [];
  scan.found.messages.push(cursor.object((key) => {
    if (key === "role") role = scanText(cursor, body);
    else if (key === "content") blocks = content(scan);
  }));
  if (role === undefined) {
    throw new SyntaxError(`Cannot scan messages: message ${index} has no role`);
  }
  for (const { text, thinking, input, content } of blocks) {
    scan.found.count(
      text,
      thinking,
      input,
      ...content.map((part) => part.text),
    );
  }
  if (role === "assistant") assistant(scan, index, blocks);
  else if (role === "user") user(scan, index, blocks);
}

function content(scan: BodyScanner): readonly Block[] {
  const { cursor } = scan;
  if (cursor.type() === "string") {
    return [{ type: "text", text: cursor.string(), content: [] }];
  }
  const blocks: Block[] = [];
  cursor.array(() => {
    const block: Block = { type: "", content: [] };
    cursor.object((key) => blockMember(scan, block, key));
    blocks.push(block);
  });
  return blocks;
}

function blockMember(scan: BodyScanner, block: Block, key: string): void {
  const { cursor, body } = scan;
  switch (key) {
    case "type":
      block.type = scanText(cursor, body) ?? "";
      return;
    case "text":
    case "thinking":
      if (cursor.type() === "string") block[key] = cursor.string();
      return;
    case "signature":
      block.isSigned = true;
      cursor.skip();
      return;
    case "id":
      block.id = scanText(cursor, body);
      return;
    case "name":
      block.name = scanText(cursor, body);
      return;
    case "input":
      block.input = cursor.skip();
      return;
    case "tool_use_id":
      block.toolUseId = scanText(cursor, body);
      return;
    case "content":
      block.content = scanContent(cursor, body);
  }
}

function assistant(
  scan: BodyScanner,
  index: number,
  blocks: readonly Block[],
): void {
  scan.found.lastModelMessage = index;
  for (const { type, id, name, input, thinking, isSigned } of blocks) {
    if (type === "thinking" && thinking && !isSigned) {
      scan.found.reasoned(index, thinking);
    }
    if (type === "tool_use" && id !== undefined) {
      scan.found.call(id, { name, args: input });
    }
  }
}

function user(
  scan: BodyScanner,
  messageIndex: number,
  blocks: readonly Block[],
): void {
  const isText = ({ type }: Block) => type === "text";
  const firstText = blocks.findIndex(isText);
  const texts = blocks.filter(isText).flatMap(({ text }) => text ?? []);
  for (const [i, block] of blocks.entries()) {
    // All texts of the message at once: the first user message is the conversation's identity.
    if (i === firstText) scan.found.user(texts);
    if (isText(block) && block.text) {
      scan.found.userText(block.text, { messageIndex, texts });
    } else if (block.type === "tool_result") {
      scan.found.result(block.content, {
        messageIndex,
        callId: block.toolUseId,
      });
    }
  }
}

/** Error slugs of this family: https://docs.claude.com/en/api/errors. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/**
 * Makes a tap for one response, JSON or an event stream.
 *
 * In a stream `message_start` reports the input side and `message_delta` the output,
 * each a running total; some servers correct the input side in `message_delta`.
 *
 * @param contentType Value of the response's `content-type`.
 */
function messagesUsageTap(contentType: string): UsageTap {
  return makeUsageTap(contentType, {
    body: ["usage"],
    events: [["message", "usage"], ["usage"]],
    merge,
  });
}

function merge(known: Usage, reported: object): Usage {
  return {
    ...total("input", known.input, tokens(reported, "input_tokens")),
    ...total("output", known.output, tokens(reported, "output_tokens")),
    ...total(
      "cacheRead",
      known.cacheRead,
      tokens(reported, "cache_read_input_tokens"),
    ),
    ...total("cacheWrite", known.cacheWrite, written(reported)),
    ...total(
      "cacheWrite1h",
      known.cacheWrite1h,
      tokens(member(reported, "cache_creation"), LONG),
    ),
  };
}

/** Tokens written to the cache for an hour. */
const LONG = "ephemeral_1h_input_tokens";

/** Tokens written to the cache: their sum, or the two lifetimes where only those are given. */
function written(reported: object): number | undefined {
  const sum = tokens(reported, "cache_creation_input_tokens");
  if (sum !== undefined) return sum;
  const parts = member(reported, "cache_creation");
  const short = tokens(parts, "ephemeral_5m_input_tokens");
  const long = tokens(parts, LONG);
  return short === undefined && long === undefined
    ? undefined
    : (short ?? 0) + (long ?? 0);
}

/** The larger of two running totals: the later report may lack or zero what the earlier one had. */
function total(
  name: keyof Usage,
  known: number | undefined,
  reported: number | undefined,
): Usage {
  if (known === undefined && reported === undefined) return {};
  return { [name]: Math.max(known ?? 0, reported ?? 0) };
}
