/** One request through `node:http`, for what `fetch` would change or refuse, and to addresses that were checked. @module */
import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  endpointOf,
  OneConnection,
  openConnection,
  openProxy,
  proxyAuthorization,
} from "./connect.ts";
import { unusable, UnusableStatus } from "./failure.ts";
import { type Wait, waitFor } from "./wait.ts";

/** Statuses whose responses have no body. */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Status of an upstream that speaks another protocol from now on. */
const SWITCHED = 101;

/** What a request is sent with beside its method and fields. */
export interface RawParts {
  /** Absolute URL, not normalised. */
  readonly target: string;
  /** The body; `null` for none. Bytes are sent with their length, a stream in chunks. */
  readonly payload: Uint8Array | ReadableStream<Uint8Array> | null;
  /** Ends the request, and afterwards the response body. */
  readonly signal: AbortSignal;
  /** IP literals that may be connected to; without them the system resolves the name. */
  readonly addresses?: readonly string[] | undefined;
  /** HTTP proxy in between: an absolute URL, user and password may stand in it. */
  readonly proxy?: URL | undefined;
  /** PEM of certificate authorities that count beside the usual ones. */
  readonly ca?: string | undefined;
  /** Measures the time of connecting; timers unless given. */
  readonly wait?: Wait | undefined;
}

/**
 * Sends a request with its target byte for byte as written, and with a body on any method,
 * on a connection of its own. The name of the target is what the `host` field and the
 * certificate must say, whatever the addresses.
 *
 * @param request Method and fields; its own body is not read.
 * @param parts The rest.
 * @returns The response as it arrives, its bytes not decoded. Redirects are not followed.
 * @throws {ConnectFailure} If there is no connection: nothing was sent.
 * @throws {UnusableStatus} If the response cannot be passed on.
 * @throws {Error} If the connection broke before a response, or the signal's reason when it fired.
 */
export async function sendRaw(
  request: Request,
  parts: RawParts,
): Promise<Response> {
  const url = new URL(parts.target);
  const { socket, path, fields } = await connected(url, parts);
  const headers: Record<string, string> = {
    host: url.host,
    ...Object.fromEntries(request.headers),
    ...fields,
  };
  if (parts.payload instanceof Uint8Array) {
    headers["content-length"] = String(parts.payload.length);
  }
  return await exchanged(socket, parts, {
    path,
    method: request.method,
    headers,
  });
}

/** A connection, and how the request line names the target on it. */
interface Connected {
  readonly socket: Socket;
  readonly path: string;
  /** Fields for the proxy. */
  readonly fields: Readonly<Record<string, string>>;
}

async function connected(url: URL, parts: RawParts): Promise<Connected> {
  const { target, proxy, addresses, wait = waitFor } = parts;
  const options = { ...parts, wait };
  // Told an address, a proxy would put it into the `host` field; a tunnel leaves the field alone.
  if (proxy && url.protocol === "http:" && addresses === undefined) {
    const authorization = proxyAuthorization(proxy);
    return {
      socket: await openProxy(proxy, options),
      path: target,
      fields: authorization === undefined
        ? {}
        : { "proxy-authorization": authorization },
    };
  }
  const socket = await openConnection(endpointOf(url), options);
  return { socket, path: target.slice(url.origin.length), fields: {} };
}

/** What the request begins with. */
interface Head {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

function exchanged(
  socket: Socket,
  parts: RawParts,
  head: Head,
): Promise<Response> {
  const { payload, signal } = parts;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      ...head,
      agent: new OneConnection(socket),
      signal,
    });
    // Also after the response: without a listener an error would end the process.
    outgoing.on("error", reject);
    // No response comes any more; after one it says nothing new.
    outgoing.once("close", () => reject(new Error("Connection closed")));
    outgoing.once("upgrade", (_, upgraded) => {
      upgraded.destroy();
      reject(new UnusableStatus(SWITCHED));
    });
    outgoing.once("response", (incoming) => {
      try {
        resolve(toResponse(incoming, head.method, parts));
      } catch (error) {
        incoming.destroy();
        reject(error);
      }
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
  { signal, proxy }: RawParts,
): Response {
  const status = incoming.statusCode ?? 0;
  const error = unusable(status, proxy !== undefined);
  if (error !== undefined) throw error;
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
      const { done, value } = await chunks.next().catch((error) => {
        signal.throwIfAborted();
        throw error;
      });
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
