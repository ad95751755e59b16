/** One request through `node:http`, for what `fetch` would change or refuse. @module */
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Statuses whose responses have no body. */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** What a request is sent with beside its method and fields. */
export interface RawParts {
  /** Absolute URL, not normalised. */
  readonly target: string;
  /** The body; `null` for none. Bytes are sent with their length, a stream in chunks. */
  readonly payload: Uint8Array | ReadableStream<Uint8Array> | null;
  /** Ends the request, and afterwards the response body. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request with its target byte for byte as written, and with a body on any method.
 *
 * @param request Method and fields; its own body is not read.
 * @param parts The rest.
 * @returns The response as it arrives, its bytes not decoded. Redirects are not followed.
 * @throws {Error} If the upstream cannot be reached, or the signal's reason when it fired.
 */
export function sendRaw(
  request: Request,
  { target, payload, signal }: RawParts,
): Promise<Response> {
  const { protocol, hostname, port, host, origin } = new URL(target);
  const open = protocol === "https:" ? httpsRequest : httpRequest;
  const headers: Record<string, string> = {
    host,
    ...Object.fromEntries(request.headers),
  };
  if (payload instanceof Uint8Array) {
    headers["content-length"] = String(payload.length);
  }
  return new Promise((resolve, reject) => {
    const outgoing = open({
      // URL keeps the brackets of an IPv6 address, the socket wants none.
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      path: target.slice(origin.length),
      method: request.method,
      headers,
      signal,
    });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      resolve(toResponse(incoming, request.method, signal));
    });
    if (payload instanceof ReadableStream) {
      pipeline(Readable.fromWeb(payload as never), outgoing).catch(reject);
    } else {
      outgoing.end(payload ?? undefined);
    }
  });
}

function toResponse(
  incoming: IncomingMessage,
  method: string,
  signal: AbortSignal,
): Response {
  const status = incoming.statusCode ?? 502;
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    headers.append(raw[i] ?? "", raw[i + 1] ?? "");
  }
  const init = { status, statusText: incoming.statusMessage ?? "", headers };
  if (method === "HEAD" || NULL_BODY.has(status)) {
    incoming.resume();
    return new Response(null, init);
  }
  return new Response(bodyOf(incoming, signal), init);
}

/** The response bytes as a web stream with back-pressure. */
function bodyOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  const stop = () => incoming.destroy();
  signal.addEventListener("abort", stop, { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      signal.throwIfAborted();
      if (!done) return controller.enqueue(new Uint8Array(value));
      signal.removeEventListener("abort", stop);
      controller.close();
    },
    cancel() {
      signal.removeEventListener("abort", stop);
      incoming.destroy();
    },
  }, { highWaterMark: 0 });
}
