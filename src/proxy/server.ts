/** The listening server. @module */
import type { ProxyEnv } from "./env.ts";
import type { Log } from "../core/log.ts";
import { errorMessage, ServiceError } from "../core/errors.ts";
import { Disconnects } from "./disconnects.ts";
import {
  errorHandler,
  methodNotAllowed,
  noWebSockets,
  plainError,
} from "./errors.ts";
import { isForwardable } from "../upstream/forward.ts";
import { memoizeLast } from "./memoize_last.ts";

/** What the server knows about a request beside the request. */
export type RequestEnv = ProxyEnv["Bindings"] & {
  readonly completed: Promise<void>;
};

/** Answers one request: an app's `fetch`. */
export type Handle = (
  request: Request,
  env: RequestEnv,
) => Response | Promise<Response>;

/** Where and how to listen. */
export interface ServeOptions {
  /** Address to bind, e.g. `127.0.0.1`. */
  readonly host: string;
  /** Port to bind; 0 takes a free one. */
  readonly port: number;
  /**
   * Whether other processes may listen on the same port, each getting a part of the
   * connections (Linux; elsewhere it has no effect). The runtime must have been
   * started with `--unstable-net`, or ends the process.
   */
  readonly reusePort?: boolean;
  /** Takes what no handler caught. */
  readonly log: Log;
  /**
   * Milliseconds between two looks at whether clients still wait; 1000 unless given. Only Linux shows it, and only to
   * a program that may do everything.
   */
  readonly lookEveryMs?: number;
  /** Starts the shutdown when aborted. */
  readonly signal?: AbortSignal;
  /** Called once the port is open. */
  readonly onListen?: (at: { host: string; port: number }) => void;
}

/** An address that cannot be listened on. */
export class ListenError extends ServiceError {
  /** The port that was asked for. */
  readonly port: number;

  /** Makes the error; `reason` says why in a few words. */
  constructor(host: string, port: number, reason: string) {
    super(
      "configuration_error",
      `Cannot listen on ${host} port ${port}: ${reason}`,
      { host, port },
    );
    this.name = "ListenError";
    this.port = port;
  }
}

const GRACE_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** Where Linux lists the connections of this process's network. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Time for running requests to give back what the listener was short of. */
const RELISTEN_MS = 100;

/**
 * Starts a server.
 *
 * @param handle Gets each request with the peer as the socket sees it.
 * @param options See {@linkcode ServeOptions}.
 * @throws {ListenError} If the port is taken or may not be used.
 */
export function serve(handle: Handle, options: ServeOptions) {
  const { host, log, reusePort = false } = options;
  const departures = departuresOf(options, () => port);
  const open = (port: number): Deno.HttpServer<Deno.NetAddr> =>
    listen(host, port, {
      onListen: ({ hostname, port }) =>
        options.onListen?.({ host: hostname, port }),
      onError: errorHandler(log),
      ...reusePort ? { reusePort } : {},
    }, watched(handle, departures));
  let server = open(options.port);
  const { port } = server.addr;
  let stopping: Promise<void> | undefined;
  const shutdown = (graceMs = GRACE_MS) => stopping ??= drain(server, graceMs);
  if (options.signal?.aborted) void shutdown();
  options.signal?.addEventListener("abort", () => void shutdown(), {
    once: true,
  });
  return {
    /** The bound port. */
    port,
    /** Resolves when the server has stopped. */
    finished: keepListening(),
    /**
     * Takes no new connections and waits for the requests in flight.
     *
     * @param graceMs Milliseconds after which it waits no longer; 10,000 unless given. What is
     * still in flight then is cut off when the process ends, and `finished` is open until then.
     */
    shutdown,
  };

  /** The runtime gives a listener up when it cannot accept a connection, e.g. for want of a file descriptor. */
  async function keepListening(): Promise<void> {
    let isOpen = true;
    for (;;) {
      try {
        if (!isOpen) server = open(port);
        isOpen = true;
        return await server.finished;
      } catch (error) {
        if (stopping !== undefined) return;
        isOpen = false;
        const reason = errorMessage(error);
        log("error", "accept_failed", { host, port, reason });
      }
      await new Promise((resolve) => setTimeout(resolve, RELISTEN_MS));
      if (stopping !== undefined) return;
    }
  }
}

/** Finds clients that leave; nothing does where the system lists no connections. */
function departuresOf(
  { log, lookEveryMs = LOOK_EVERY_MS }: ServeOptions,
  port: () => number,
): Disconnects | undefined {
  if (Deno.build.os !== "linux") return undefined;
  return new Disconnects({
    tables: () => Promise.all(TABLES.map(tableOf)),
    port,
    everyMs: lookEveryMs,
    onUnusable: (reason) => log("info", "clients_not_watched", { reason }),
  });
}

/** The runtime's handler: it ends the watch of a connection when the response begins. */
function watched(
  handle: Handle,
  departures: Disconnects | undefined,
): Deno.ServeHandler<Deno.NetAddr> {
  return async (request, { remoteAddr, completed }) => {
    const refusal = refuseShape(request);
    if (refusal !== undefined) return refusal;
    let stop: (() => void) | undefined;
    try {
      return await handle(request, {
        peer: { address: remoteAddr.hostname },
        completed: completed.catch(ignore),
        ...departures && {
          onLeave(listener) {
            stop = departures.watch(remoteAddr.port, listener);
          },
        },
      });
    } finally {
      stop?.();
    }
  };
}

/** A table of connections; none where the system has no such address family. */
async function tableOf(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function listen(
  host: string,
  port: number,
  options: Pick<Deno.ServeTcpOptions, "onListen" | "onError" | "reusePort">,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ ...options, hostname: host, port }, handler);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    throw new ListenError(host, port, reason);
  }
}

/** Whoever writes the response learns that it broke off; who waits for its end needs no reason. */
function ignore(): void {}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof Deno.errors.AddrInUse) {
    return "it is in use: stop the program that holds it (svc doctor says whether it is svc) or choose another port";
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return "this machine does not have that address, choose another host";
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return "the system does not permit it, choose a port above 1023";
  }
  return undefined;
}

/** The runtime cannot cut connections once a shutdown has begun; so this only stops waiting. */
async function drain(server: Deno.HttpServer, graceMs: number): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, graceMs);
  await Promise.race([server.shutdown(), limit.promise]);
  clearTimeout(timer);
}

/**
 * The answer to a request that no route may see; `undefined` for all others.
 *
 * Methods that make tunnels or echo credentials get 405, on every path. A WebSocket gets
 * 426, which tells clients that have another way to take it at once. A request
 * that the next server might read otherwise than this one gets 400: the runtime lets
 * a repeated `Content-Length`, a transfer coding that it does not undo, and any text
 * as `Host` through. So does one in absolute form that names another host than its
 * `Host` field: it is meant for a proxy of another kind.
 *
 * @param request As the runtime gives it: its URL begins with the `Host` field as it was written.
 */
export function refuseShape(request: Request): Response | undefined {
  if (!isForwardable(request.method)) return methodNotAllowed();
  if (/^websocket$/i.test(request.headers.get("upgrade") ?? "")) {
    return noWebSockets();
  }
  const fault = faultOf(request);
  return fault === undefined ? undefined : badRequest(fault);
}

function faultOf({ headers, url }: Request): string | undefined {
  const length = headers.get("content-length");
  if (length !== null && !/^\d{1,15}$/.test(length)) {
    return "content-length must be one number";
  }
  const coding = headers.get("transfer-encoding");
  if (coding !== null && coding.trim().toLowerCase() !== "chunked") {
    return "transfer-encoding must be chunked or absent";
  }
  if (coding !== null && length !== null) {
    return "content-length and transfer-encoding exclude each other";
  }
  if (!canParse(url)) return "the target or the host field is malformed";
  const host = headers.get("host");
  // Without the field the runtime invents a host; the gates then refuse the request themselves.
  if (host && authorityOf(url).toLowerCase() !== host.toLowerCase()) {
    return "the target names another host than the host field";
  }
  return undefined;
}

const canParse = memoizeLast((url) => URL.canParse(url));

/** What stands between `://` and the path, as it was written. */
function authorityOf(url: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
}

function badRequest(fault: string): Response {
  const message = `Cannot read this request: ${fault}`;
  const error = { type: "invalid_request_error", message };
  return plainError(400, error, { connection: "close" });
}
