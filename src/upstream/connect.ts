/** Connections for `node:http`: to given addresses only, through an HTTP proxy, with further authorities. @module */
import { Agent, request as httpRequest } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { ConnectFailure } from "./failure.ts";
import { later, type Wait } from "./wait.ts";
import { isThisMachine } from "./address_lookup.ts";

/** One end of a connection. */
export interface Endpoint {
  /** Host name or IP literal, without brackets. */
  readonly hostname: string;
  /** TCP port. */
  readonly port: number;
  /** Whether TLS is spoken, with a certificate for `hostname`. */
  readonly isTls: boolean;
}

/** How a connection is made. */
export interface ConnectOptions {
  /** IP literals that may be connected to, tried in this order; the system resolves `hostname` without them. */
  readonly addresses?: readonly string[] | undefined;
  /** HTTP proxy in between, but not to this machine: an absolute URL, user and password may stand in it. */
  readonly proxy?: URL | undefined;
  /** PEM of authorities that count beside the usual ones. */
  readonly ca?: string | undefined;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** Measures how long one address may take. */
  readonly wait: Wait;
}

/** Longest time that one address may take, in milliseconds; the next one may answer. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Errors of a certificate whose authority is unknown. */
const UNKNOWN_AUTHORITY: ReadonlySet<unknown> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** An agent with one connection, for one request. */
export class OneConnection extends Agent {
  readonly #socket: Socket;

  /** Makes the agent; `socket` is connected. */
  constructor(socket: Socket) {
    super({ keepAlive: false });
    this.#socket = socket;
  }

  /** The connection. */
  override createConnection(): Socket {
    return this.#socket;
  }
}

/**
 * Connects to `to`; through a proxy it is a tunnel. No name is looked up when there are
 * addresses, and the certificate must be for the name all the same.
 *
 * @throws {ConnectFailure} If no address could be connected to; its cause is that of the last one.
 * @throws The signal's reason when it fired.
 */
export async function openConnection(
  to: Endpoint,
  options: ConnectOptions,
): Promise<Socket> {
  let last: unknown = new Error("There is no address to connect to");
  for (const address of options.addresses ?? [to.hostname]) {
    const late = new AbortController();
    const stop = later(options.wait, CONNECT_TIMEOUT_MS, () => {
      late.abort(new Error("Connecting timed out"));
    });
    const signal = AbortSignal.any([options.signal, late.signal]);
    try {
      return await openTo(address, to, { ...options, signal });
    } catch (error) {
      options.signal.throwIfAborted();
      last = late.signal.aborted ? late.signal.reason : error;
    } finally {
      stop();
    }
  }
  throw new ConnectFailure(last);
}

/**
 * Connects to the proxy itself, for a request whose target is an absolute URL.
 *
 * @throws As {@linkcode openConnection}.
 */
export function openProxy(
  proxy: URL,
  { ca, signal, wait }: ConnectOptions,
): Promise<Socket> {
  return openConnection(endpointOf(proxy), { ca, signal, wait });
}

/** Value of the `proxy-authorization` field; nothing for a proxy without a user. */
export function proxyAuthorization(
  { username, password }: URL,
): string | undefined {
  if (username === "" && password === "") return undefined;
  const text = `${decodeURIComponent(username)}:${
    decodeURIComponent(password)
  }`;
  const bytes = new TextEncoder().encode(text);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** The end that a URL names. */
export function endpointOf({ hostname, port, protocol }: URL): Endpoint {
  const isTls = protocol === "https:";
  return {
    // URL keeps the brackets of an IPv6 address, the socket wants none.
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    isTls,
  };
}

async function openTo(
  address: string,
  to: Endpoint,
  options: ConnectOptions,
): Promise<Socket> {
  const open = () =>
    options.proxy === undefined || isThisMachine(address)
      ? tcp(address, to.port, options.signal)
      : tunnel(address, to.port, options.proxy, options);
  const socket = await open();
  if (!to.isTls) return socket;
  try {
    return await secured(socket, to.hostname, { signal: options.signal });
  } catch (error) {
    if (options.ca === undefined || !isUnknownAuthority(error)) throw error;
    // A `ca` replaces the usual authorities, and all of them together take 40 ms to load, each time.
    const again = await open();
    return await secured(again, to.hostname, options);
  }
}

function isUnknownAuthority(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    UNKNOWN_AUTHORITY.has(error.code);
}

function tcp(
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return opened(connectTcp({ host, port, noDelay: true }), "connect", signal);
}

function secured(
  socket: Socket,
  hostname: string,
  { signal, ca }: Pick<ConnectOptions, "signal" | "ca">,
): Promise<Socket> {
  const secure = connectTls({
    socket,
    host: hostname,
    // An address is no server name; the certificate is checked against `host` then.
    servername: isIP(hostname) === 0 ? hostname : "",
    ALPNProtocols: ["http/1.1"],
    ...ca === undefined ? {} : { ca },
  });
  return opened(secure, "secureConnect", signal);
}

/** Resolves at `event`; on failure nothing stays open. */
function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<Socket> {
  // Whoever uses it listens as well; until then, and once it is given up, an error must not end the process.
  socket.on("error", () => {});
  return new Promise((resolve, reject) => {
    const settle = () => {
      signal.removeEventListener("abort", stop);
      socket.off("error", fail).off("close", close);
    };
    const fail = (error: unknown) => {
      settle();
      socket.destroy();
      reject(error);
    };
    const close = () => fail(new Error("Connection closed"));
    const stop = () => fail(signal.reason);
    socket.once("error", fail).once("close", close).once(event, () => {
      settle();
      resolve(socket);
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** A connection to `address` that the proxy makes. */
async function tunnel(
  address: string,
  port: number,
  proxy: URL,
  options: ConnectOptions,
): Promise<Socket> {
  const { signal } = options;
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const authorization = proxyAuthorization(proxy);
  const via = await openProxy(proxy, options);
  return await new Promise((resolve, reject) => {
    const request = httpRequest({
      agent: new OneConnection(via),
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...authorization === undefined
          ? {}
          : { "proxy-authorization": authorization },
      },
      signal,
    });
    request.on("error", reject);
    request.once("connect", ({ statusCode = 0 }, socket: Socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`tunnel error: the proxy answered ${statusCode}`));
    });
    request.end();
  });
}
