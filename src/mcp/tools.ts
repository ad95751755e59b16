/** What the MCP tools answer. @module */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { RetrievedHit, RetrievedMiss } from "../core/retrieved.ts";
import type { CcrStats } from "../core/store.ts";
import type { KeptCompression, McpParts, McpTotals } from "./parts.ts";

/** What the caller of `headroom_compress` gives. */
export interface CompressArguments {
  /** The text. */
  readonly content: string;
  /** What the reader looks for. */
  readonly query?: string;
}

/** Compresses a text and keeps its original. */
export async function compressTool(
  parts: McpParts,
  { content, query = "" }: CompressArguments,
): Promise<CallToolResult> {
  if (content === "") {
    return failed({
      error: "content is empty",
      hint: "Give the text that is to be shortened",
    });
  }
  const kept = await parts.compress(content, query);
  const { text, hash, tokensBefore, tokensAfter, strategy } = kept;
  const saved = tokensBefore - tokensAfter;
  parts.onEvent({
    type: "compress",
    tokensBefore,
    tokensAfter,
    hash: hash ?? "",
  });
  return succeeded({
    compressed: text,
    ...hash !== undefined && { hash },
    original_tokens: tokensBefore,
    compressed_tokens: tokensAfter,
    tokens_saved: saved,
    savings_percent: tokensBefore === 0
      ? 0
      : Math.floor(1000 * saved / tokensBefore) / 10,
    transforms: strategy === "" ? [] : [strategy],
    note: noteOf(kept),
  });
}

function noteOf({ hash, reason }: KeptCompression): string {
  const where = hash === undefined
    ? "the original could not be kept, so nothing was left out"
    : "headroom_retrieve gives the original back";
  return reason === undefined
    ? where
    : `unchanged (${reason.replaceAll("_", " ")}); ${where}`;
}

/** Gives an original or a part of it back: from the local store, else from the proxy. */
export async function retrieveTool(
  parts: McpParts,
  wanted: RetrievalArguments,
): Promise<CallToolResult> {
  const found = await parts.retrieve(wanted);
  if (found.success) return await fromStore(parts, found);
  const { data } = found;
  const answer = data.status === "bad_part"
    ? undefined
    : await parts.askProxy?.({ ...wanted, hash: data.hash });
  if (answer === undefined) return failed(missOf(data));
  if (typeof answer === "string") {
    return failed(missOf({ ...data, error: answer, status: "bad_part" }));
  }
  const { tokens, ...rest } = answer;
  const original = { ...rest, source: "proxy" };
  return given(parts, original, {
    tokensBefore: tokens,
    tokensAfter: tokens,
  });
}

async function fromStore(
  parts: McpParts,
  { data, entry, tokens }: RetrievedHit,
): Promise<CallToolResult> {
  const { part, ...rest } = data;
  const count = await parts.retrievalCount(entry.key);
  const original = {
    ...rest,
    source: "local",
    // A store that cannot be written has not counted this one.
    retrieval_count: Math.max(1, count),
    ...part !== undefined && { part },
  };
  return given(parts, original, {
    tokensBefore: entry.originalTokens,
    tokensAfter: tokens,
  });
}

function given(
  parts: McpParts,
  original: { readonly hash: string },
  tokens: { readonly tokensBefore: number; readonly tokensAfter: number },
): CallToolResult {
  parts.onEvent({ type: "retrieve", ...tokens, hash: original.hash });
  return succeeded({ ...original });
}

const HINTS: Readonly<Record<RetrievedMiss["data"]["status"], string>> = {
  missing:
    "Take the hash from the text as it stands there; if the original is gone, run the tool that printed it again",
  expired: "Run the tool that printed it again",
  bad_part: "Leave lines, query and path away for the whole original",
};

function missOf({ error, hash, status }: RetrievedMiss["data"]) {
  return { error, hash, hint: HINTS[status] };
}

/** Reports the store and this session. */
export async function statsTool(parts: McpParts): Promise<CallToolResult> {
  const store = await parts.storeStats();
  const totals = parts.totals();
  const result = succeeded({
    session_compressions: totals.compressions,
    session_tokens_saved: totals.tokens_saved,
    session_retrievals: totals.retrievals,
    session_tokens_retrieved: totals.tokens_retrieved,
    stored_originals: store.entries,
    stored_bytes: store.bytes,
    stored_original_tokens: store.originalTokens,
    stored_compressed_tokens: store.formTokens,
    stored_retrievals: store.retrievals,
  });
  const summary = { type: "text" as const, text: summaryOf(store, totals) };
  return { ...result, content: [summary, ...result.content] };
}

function summaryOf(store: CcrStats, totals: McpTotals): string {
  const { compressions, tokens_saved, retrievals, tokens_retrieved } = totals;
  return [
    `This session: ${compressions} compressed, ${tokens_saved} tokens saved; ` +
    `${retrievals} retrieved, ${tokens_retrieved} tokens given back.`,
    `Store (${store.backend}): ${store.entries} originals of ${store.originalTokens} tokens, ` +
    `shown as ${store.formTokens}; asked for ${store.retrievals} times.`,
  ].join("\n");
}

/** The value as structured content, and as text for clients that know no other. */
function succeeded(
  structuredContent: Readonly<Record<string, unknown>>,
): CallToolResult {
  return { ...textOf(structuredContent), structuredContent };
}

/** An error that the model can act on: no protocol error, which it would not see. */
function failed(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { ...textOf(value), isError: true };
}

function textOf(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}
