/** Composition root of the MCP server that a client starts: configuration → a running server. @module */
import type { UpstreamCall } from "../core/upstream.ts";
import { resolve } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { errorMessage } from "../core/errors.ts";
import type { CcrStore } from "../core/store.ts";
import type { Config } from "../settings/resolve.ts";
import { VERSION } from "../version.ts";
import { proxyAsker } from "./ask_proxy.ts";
import { onDemand } from "./keep_text.ts";
import { type LineStreams, LineTransport } from "./line_transport.ts";
import { ownParts } from "./own_parts.ts";
import type { McpParts } from "./parts.ts";
import { makeMcpServer } from "./server.ts";

/** What the server needs from outside. */
export interface McpIo extends LineStreams {
  /** Time. */
  readonly clock: Clock;
  /** Takes log records. */
  readonly log: Log;
  /** Takes a line for whoever looks for a mistake; `undefined` when nobody does. */
  readonly debug: ((line: string) => void) | undefined;
  /** The proxy to ask; `undefined` for none. */
  readonly proxy: URL | undefined;
}

/** Starts the server. Store and library are opened by the first call that needs them. */
export async function openMcp(config: Config, io: McpIo) {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const store = onDemand(() => openSharedStore(config, io));
  const parts = makeParts(config, io, store.get);
  const transport = new LineTransport(io);
  const handle = serveStdio(() => makeMcpServer(parts), {
    transport,
    onerror: ({ message }) => io.debug?.(message),
  });
  return {
    /** Resolves when the client has left, or after {@linkcode RunningMcp.stop}; everything is closed by then. */
    finished: transport.closed.then(async () => {
      const opened = await store.opened();
      await opened?.[Symbol.asyncDispose]();
    }),
    /** Ends the connection. */
    stop: () => handle.close(),
  };
}

/** The file that the proxy uses too; a store in memory where nothing may be written. */
async function openSharedStore(config: Config, io: McpIo): Promise<CcrStore> {
  const { openStore } = await import("../ccr/open_store.ts");
  const path = config.paths?.ccrStore;
  return await openStore({
    backend: config.ccr.backend,
    path: path === undefined ? undefined : resolve(path),
    ttlSeconds: config.ccr.ttlSeconds,
    clock: io.clock,
    log: io.log,
    version: VERSION,
  });
}

function makeParts(
  config: Config,
  { clock, log, debug, proxy }: McpIo,
  store: () => Promise<CcrStore>,
): McpParts {
  const own = ownParts(config, {
    clock,
    store,
    async library(parts) {
      const { openLibrary } = await import("../sdk/open.ts");
      return await openLibrary(parts);
    },
    onUnwritten: (event, error) =>
      log("warn", event, { reason: errorMessage(error) }),
  });
  return {
    ...own,
    retrieve: async (wanted) =>
      await (await retrieverOf(await store(), config, { clock, debug }))
        .give(wanted, "mcp"),
    ...proxy && {
      askProxy: proxyAsker({
        proxy,
        post: postJson,
        onFailure: (reason) => debug?.(`proxy ${proxy.host}: ${reason}`),
      }),
    },
    onEvent(event) {
      own.onEvent(event);
      const { type, hash, tokensBefore, tokensAfter } = event;
      debug?.(`${type} ${hash}: ${tokensBefore} -> ${tokensAfter} tokens`);
    },
  };
}

/** Gives originals back; loaded by the first call. */
async function retrieverOf(
  store: CcrStore,
  { ccr: { ttlSeconds } }: Config,
  { clock, debug }: Pick<McpIo, "clock" | "debug">,
) {
  const { makeRetriever } = await import("../ccr/retriever.ts");
  return makeRetriever({
    store,
    clock,
    ttlSeconds,
    cut: async (entry, wanted) => {
      const { cutOriginal } = await import("../compute/open_router.ts");
      return cutOriginal(entry, wanted);
    },
    onRetrieved: () => {},
    onUncounted: (error) => debug?.(`not counted: ${errorMessage(error)}`),
  });
}

/** Not `fetch`: that goes through the proxy that HTTP_PROXY names, also to this machine. */
async function postJson(
  url: URL,
  json: string,
  signal: AbortSignal,
): Promise<Response> {
  const { sendRaw } = await import("../upstream/raw_send.ts");
  const { readerOf, streamOf } = await import("../upstream/chunk_reader.ts");
  const call: UpstreamCall = {
    target: url.href,
    method: "POST",
    headers: [["content-type", "application/json"]],
    body: new TextEncoder().encode(json),
    signal,
    isContinuation: false,
  };
  const { body, ...init } = await sendRaw(call, { signal });
  const stream = body && streamOf(readerOf(body));
  return new Response(stream, init);
}
