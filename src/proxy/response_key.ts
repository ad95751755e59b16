/** What a repeated request is recognised by. @module */
import { hash } from "node:crypto";
import type { Upstream } from "../core/upstream.ts";
import { scanFlag, scanText } from "../bytes/content_parts.ts";
import { JsonCursor } from "../bytes/json_scan.ts";

/** One request to a route that asks a model. */
export interface RepeatableCall {
  /** HTTP method. */
  readonly method: string;
  /** URL as the client wrote it. */
  readonly url: string;
  /** The client's fields. */
  readonly headers: Headers;
  /** A field that is sent instead of the client's; `undefined` where there is none. */
  readonly instead?: readonly [name: string, value: string] | undefined;
  /** The client's body, decoded. */
  readonly body: Uint8Array;
  /** Where it goes. */
  readonly upstream: Upstream;
  /** Whether the provider keeps a response unless the body says otherwise. */
  readonly keepsState: boolean;
}

/**
 * Fields that do not tell two requests apart. All others do, known or not: one that makes no difference
 * costs an answer from memory, one that does and is left out gives a wrong answer. So does `idempotency-key`: another
 * one asks for another answer.
 */
const NO_DIFFERENCE: ReadonlySet<string> = new Set([
  // About the connection, or how the body came on it; the upstream gets its own.
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  // The next try of the same request, by clients generated from an API description.
  "x-stainless-retry-count",
  // How long this client waits.
  "x-stainless-timeout",
  "x-stainless-read-timeout",
  // New for each request, for logs and traces only.
  "date",
  "traceparent",
  "tracestate",
  "sentry-trace",
  "x-request-id",
  "x-client-request-id",
  "x-correlation-id",
]);

/**
 * Digest of everything that can change the answer: method, URL, destination and its own fields, the request's
 * fields with credentials, versions, betas and our modes, and every byte of the body. 64 lowercase hex digits.
 *
 * @returns `undefined` when the answer may not be given twice, or the client asks for a new one. The body is
 * digested off this thread.
 */
export async function responseKey(
  call: RepeatableCall,
): Promise<string | undefined> {
  const { method, url, headers, body, upstream, keepsState } = call;
  if (method !== "POST" || asksAnew(headers)) return undefined;
  if (!isRepeatable(body, keepsState)) return undefined;
  const bodyDigest = await crypto.subtle.digest(
    "SHA-256",
    body as Uint8Array<ArrayBuffer>,
  );
  const facts = [
    method,
    url,
    upstream.base.href,
    upstream.extraHeaders,
    difference(headers, call.instead),
    new Uint8Array(bodyDigest).toHex(),
  ];
  return hash("sha256", JSON.stringify(facts), "hex");
}

/** Fields that tell requests apart, in the order of their names. */
function difference(
  headers: Headers,
  instead: RepeatableCall["instead"],
): readonly (readonly string[])[] {
  const sent = new Headers(headers);
  if (instead !== undefined) sent.set(...instead);
  return [...sent].filter(([name]) => !NO_DIFFERENCE.has(name));
}

function asksAnew(headers: Headers): boolean {
  const said = (name: string) => headers.get(name)?.toLowerCase() ?? "";
  return /no-cache|no-store/.test(said("cache-control")) ||
    said("pragma").includes("no-cache");
}

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
function isRepeatable(body: Uint8Array, keepsState: boolean): boolean {
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
