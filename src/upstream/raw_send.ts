/** One request through `node:http`, for what `fetch` would change or refuse, and to addresses that were checked. @module */
import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ChunkReader, Reply, UpstreamCall } from "../core/upstream.ts";
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

/** How a request travels. */
export interface RawParts {
  /** Ends the request, and afterwards the response body. */
  readonly signal: AbortSignal;
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
 * certificate must say, whatever the addresses; without addresses the system resolves the name.
 * Bytes are sent with their length, a stream in chunks.
 *
 * @returns The response as it arrives, its bytes not decoded. Redirects are not followed.
 * @throws {ConnectFailure} If there is no connection: nothing was sent.
 * @throws {UnusableStatus} If the response cannot be passed on.
 * @throws {Error} If the connection broke before a response, or the signal's reason when it fired.
 */
export async function sendRaw(
  call: UpstreamCall,
  parts: RawParts,
): Promise<Reply> {
  const url = new URL(call.target);
  const { socket, path, fields } = await connected(url, call, parts);
  const headers: Record<string, string> = {
    host: url.host,
    ...Object.fromEntries(call.headers),
    ...fields,
  };
  if (call.body instanceof Uint8Array) {
    headers["content-length"] = String(call.body.length);
  }
  const head = { path, method: call.method, headers };
  return await exchanged(socket, { ...parts, body: call.body, head });
}

/** A connection, and how the request line names the target on it. */
interface Connected {
  readonly socket: Socket;
  readonly path: string;
  /** Fields for the proxy. */
  readonly fields: Readonly<Record<string, string>>;
}

async function connected(
  url: URL,
  { target, addresses }: UpstreamCall,
  parts: RawParts,
): Promise<Connected> {
  const { proxy, wait = waitFor } = parts;
  const options = { ...parts, addresses, wait };
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

/** One request on its connection. */
interface RawExchange extends RawParts, Pick<UpstreamCall, "body"> {
  readonly head: Head;
}

function exchanged(socket: Socket, parts: RawExchange): Promise<Reply> {
  const { body, head, signal } = parts;
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
        resolve(replyOf(incoming, parts));
      } catch (error) {
        incoming.destroy();
        reject(error);
      }
    });
    if (body instanceof ReadableStream) {
      pipeline(Readable.fromWeb(body as never), outgoing).catch(reject);
    } else {
      outgoing.end(body ?? undefined);
    }
  });
}

function replyOf(
  incoming: IncomingMessage,
  { signal, proxy, head: { method } }: RawExchange,
): Reply {
  const status = incoming.statusCode ?? 0;
  const error = unusable(status, proxy !== undefined);
  if (error !== undefined) throw error;
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    headers.append(raw[i] ?? "", raw[i + 1] ?? "");
  }
  const statusText = incoming.statusMessage ?? "";
  if (method === "HEAD" || NULL_BODY.has(status)) {
    incoming.resume();
    return { status, statusText, headers, body: null };
  }
  return { status, statusText, headers, body: bodyOf(incoming, signal) };
}

/** The response bytes, read as they are asked for. */
function bodyOf(incoming: IncomingMessage, signal: AbortSignal): ChunkReader {
  const chunks = incoming[Symbol.asyncIterator]();
  const stop = () => incoming.destroy();
  signal.addEventListener("abort", stop, { once: true });
  return {
    async read() {
      const { done, value } = await chunks.next().catch((error) => {
        signal.throwIfAborted();
        throw error;
      });
      signal.throwIfAborted();
      if (!done) return new Uint8Array(value);
      signal.removeEventListener("abort", stop);
      return undefined;
    },
    cancel() {
      signal.removeEventListener("abort", stop);
      incoming.destroy();
      return Promise.resolve();
    },
  };
}
