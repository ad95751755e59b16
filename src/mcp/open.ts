/** Composition root of the MCP server that a client starts: configuration → a running server. @module */
import { resolve } from "node:path";
import { objectOr } from "../bytes/json_parts.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { RetrievalArguments } from "../core/retrieval.ts";
import { errorMessage } from "../core/errors.ts";
import type { CcrStore } from "../core/store.ts";
import type { UpstreamCall } from "../core/upstream.ts";
import type { Config } from "../settings/resolve.ts";
import { VERSION } from "../version.ts";
import { type LineStreams, LineTransport } from "./line_transport.ts";
import { onDemand, ownParts } from "./own_parts.ts";
import type { McpParts, ProxyOriginal } from "./parts.ts";
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
      askProxy: (wanted) => askProxy(wanted, proxy, debug),
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

/** Longest time for question and answer together, in milliseconds. */
const TIMEOUT_MS = 3000;

/** Asks for an original that the local store does not have. No proxy, a slow one and a strange answer are all "nothing". */
async function askProxy(
  wanted: RetrievalArguments,
  proxy: URL,
  debug: McpIo["debug"],
): Promise<ProxyOriginal | string | undefined> {
  const failed = (reason: string) => debug?.(`proxy ${proxy.host}: ${reason}`);
  const url = new URL(proxy);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/retrieve`;
  const { lines, query, path } = wanted;
  try {
    const response = await postJson(url, JSON.stringify(wanted));
    const body = objectOr(await response.json());
    if (response.status === 400 && (lines ?? query ?? path) !== undefined) {
      // About lines or a path that the original does not have.
      return typeof body["detail"] === "string" ? body["detail"] : undefined;
    }
    if (response.status === 200) return originalOf(body);
    failed(`status ${response.status}`);
  } catch (error) {
    failed(error instanceof Error ? error.name : "no answer");
  }
  return undefined;
}

function originalOf(
  given: Readonly<Record<string, unknown>>,
): ProxyOriginal | undefined {
  const { hash, original_content, part } = given;
  if (typeof hash !== "string" || typeof original_content !== "string") {
    return undefined;
  }
  const number = (name: string) => {
    const value = given[name];
    return typeof value === "number" && Number.isFinite(value) ? value : 0;
  };
  const isPart = typeof part === "string";
  return {
    hash,
    original_content,
    original_item_count: number("original_item_count"),
    compressed_item_count: number("compressed_item_count"),
    retrieval_count: number("retrieval_count"),
    ...isPart && { part },
    tokens: number(isPart ? "part_tokens" : "original_tokens"),
  };
}

/** Not `fetch`: that goes through the proxy that HTTP_PROXY names, also to this machine. Follows no redirect. */
async function postJson(url: URL, json: string): Promise<Response> {
  const { sendRaw } = await import("../upstream/raw_send.ts");
  const { readerOf, streamOf } = await import("../upstream/chunk_reader.ts");
  const signal = AbortSignal.timeout(TIMEOUT_MS);
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
