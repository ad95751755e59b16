/** Loopback servers of the transport's tests. @module */

/** Where the tests' servers listen. */
export const HOST = "127.0.0.1";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** Authority of the test server's certificate, which nobody trusts. */
export const AUTHORITY = read("authority.pem");

/** A server that is up. */
export interface Served extends AsyncDisposable {
  /** Its port on {@linkcode HOST}. */
  readonly port: number;
  /** Ports that its clients came from: one for each connection. */
  readonly connections: ReadonlySet<number>;
}

/** Serves plain HTTP, or TLS as `up.test`, `localhost` and 127.0.0.1. */
export function serveOn(
  handler: (request: Request) => Response | Promise<Response>,
  { isTls = false, hostname = HOST } = {},
): Served {
  const connections = new Set<number>();
  const server = Deno.serve({
    hostname,
    port: 0,
    onListen() {},
    ...isTls ? { cert: read("server.pem"), key: read("server.key") } : {},
  }, (request, { remoteAddr }) => {
    connections.add(remoteAddr.port);
    return handler(request);
  });
  return {
    port: server.addr.port,
    connections,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** An HTTP proxy that takes every host for one port of this machine. */
export interface ProxyServer extends AsyncDisposable {
  /** Its port. */
  readonly port: number;
  /** What was asked of it: request line and fields of every connection. */
  readonly heads: readonly string[];
}

/** Starts a proxy that connects to `target` whatever it is asked for; with `refusal` it answers that instead. */
export function startHttpProxy(
  target: number,
  { refusal }: { readonly refusal?: string } = {},
): ProxyServer {
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  const heads: string[] = [];
  const open = new Set<Deno.Conn>();
  const served: Promise<void>[] = [];
  const serving = (async () => {
    for await (const client of listener) served.push(serve(client));
  })();
  return {
    port: listener.addr.port,
    heads,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) close(connection);
      await serving;
      await Promise.all(served);
    },
  };

  async function serve(client: Deno.Conn): Promise<void> {
    open.add(client);
    const head = await readHead(client);
    heads.push(head);
    if (refusal !== undefined) {
      await client.write(new TextEncoder().encode(refusal));
      return close(client);
    }
    const upstream = await Deno.connect({ hostname: HOST, port: target });
    open.add(upstream);
    const begin = head.startsWith("CONNECT ")
      ? client.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"))
      : upstream.write(new TextEncoder().encode(head));
    await begin;
    await Promise.all([copy(client, upstream), copy(upstream, client)]);
  }

  /** Until either side is closed; then so is the other. */
  async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    await from.readable.pipeTo(to.writable).catch(() => {});
    close(from);
    close(to);
  }

  function close(connection: Deno.Conn): void {
    if (!open.delete(connection)) return;
    try {
      connection.close();
    } catch (error) {
      // A stream of it closed it first.
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }
}

/** What a connection says up to the first empty line; the clients here wait for an answer after it. */
async function readHead(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(65536);
  let text = "";
  while (!text.includes("\r\n\r\n")) {
    const n = await connection.read(buffer);
    if (n === null) break;
    text += new TextDecoder("latin1").decode(buffer.subarray(0, n));
  }
  return text;
}

/** A port of this machine on which nobody listens. */
export function closedPort(): number {
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
