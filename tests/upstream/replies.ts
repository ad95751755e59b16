/** Requests and replies of tests, as the web's objects. */
import type {
  HeaderField,
  Reply,
  Send,
  UpstreamCall,
} from "../../src/core/upstream.ts";
import {
  chunkReader,
  readerOf,
  streamOf,
} from "../../src/upstream/chunk_reader.ts";

/** A reply that says what `response` does. */
export function replyOf(
  { status, statusText, headers, body }: Response,
): Reply {
  return { status, statusText, headers, body: body && chunkReader(body) };
}

/** A response that says what `reply` does. */
export function responseOf({ body, ...init }: Reply): Response {
  return new Response(body && streamOf(readerOf(body)), init);
}

/** The body of a reply as text. */
export function textOf(reply: Reply): Promise<string> {
  return responseOf(reply).text();
}

/** Sends to `answer`. */
export function sendingTo(
  answer: (request: Request) => Response | Promise<Response>,
): Send {
  return async (call) => replyOf(await answer(requestOf(call)));
}

/** The request of a call, as far as `Request` can express it. */
export function requestOf(
  { target, method, headers, body, signal }: UpstreamCall,
): Request {
  const isBodiless = /^(GET|HEAD)$/.test(method);
  return new Request(target, {
    method,
    headers: headers as [string, string][],
    body: isBodiless ? null : body as BodyInit | null,
    signal,
  });
}

/** A call to `target`; it has no fields and no body unless given. */
export function callTo(
  target: string,
  parts: Partial<UpstreamCall> & {
    readonly headers?: readonly HeaderField[];
  } = {},
): UpstreamCall {
  return {
    target,
    method: "GET",
    headers: [],
    body: null,
    signal: new AbortController().signal,
    isContinuation: false,
    ...parts,
  };
}
