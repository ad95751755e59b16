/** What a repeated request is recognised by. @module */
import { hash } from "node:crypto";
import type { Upstream } from "../core/upstream.ts";
import { isRepeatable } from "./repeatable_body.ts";

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
