/** The runtime's HTTP client with a pool, a proxy and authorities of its own. @module */

/** How the client connects. */
export interface ClientOptions {
  /** HTTP proxy of all its requests: a URL, user and password may stand in it. */
  readonly proxy?: string | undefined;
  /** PEM of authorities that count beside the usual ones. */
  readonly ca?: string | undefined;
  /** Idle connections that are kept per host. */
  readonly maxKeepalive: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepaliveMs: number;
  /** Whether hosts that offer HTTP/2 are spoken to in it. */
  readonly http2: boolean;
}

/** A client to use with `fetch`. */
export interface HttpClient {
  /** What `fetch` takes beside the request. */
  readonly init: RequestInit;
  /** Closes idle connections; requests under way go on. */
  close(): void;
}

/**
 * Makes a client. It obeys `HTTP_PROXY` and its relatives unless it has a proxy of its own:
 * whoever wants none of that removes them from the environment before.
 *
 * @returns Without the runtime's API a client that changes nothing.
 * @throws {TypeError} If the proxy is no URL.
 */
export function openHttpClient(options: ClientOptions): HttpClient {
  if (typeof globalThis.Deno?.createHttpClient !== "function") {
    return { init: {}, close() {} };
  }
  const { proxy, ca, maxKeepalive, keepaliveMs, http2 } = options;
  const client = Deno.createHttpClient({
    poolMaxIdlePerHost: maxKeepalive,
    poolIdleTimeout: keepaliveMs,
    http2,
    ...proxy === undefined ? {} : { proxy: { url: proxy } },
    ...ca === undefined ? {} : { caCerts: [ca] },
  });
  const init: RequestInit & { client: Deno.HttpClient } = { client };
  return { init, close: () => client.close() };
}
