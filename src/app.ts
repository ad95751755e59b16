/** Composition root: configuration → running parts. @module */
import type { MiddlewareHandler } from "hono";
import { openStore } from "./ccr/open_store.ts";
import { cutPart } from "./ccr/parts/cut_part.ts";
import { makeRetriever } from "./ccr/retriever.ts";
import type { Clock } from "./core/clock.ts";
import type { Log } from "./core/log.ts";
import type { CcrStore } from "./core/store.ts";
import { makeRequestLedger } from "./ledger/request_ledger.ts";
import { withhold } from "./ledger/report.ts";
import { makeAttempt, reasonOf } from "./pipeline/attempt.ts";
import { type WorkerLike, WorkerPool } from "./pipeline/worker_pool.ts";
import {
  libraryRoute,
  logFailure,
  makeCompression,
  providerRoutes,
} from "./provider_routes.ts";
import { readToolCall } from "./providers/tool_call.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { errorHandler, notFound } from "./proxy/errors.ts";
import { requireLoopback } from "./proxy/gates/loopback.ts";
import { refuseOwnPaths } from "./proxy/gates/own_paths.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { mcpRoute, mcpSummary } from "./mcp_route.ts";
import { health } from "./proxy/handlers/health.ts";
import { metrics } from "./proxy/handlers/metrics.ts";
import { passthrough } from "./proxy/handlers/passthrough.ts";
import { retrieve } from "./proxy/handlers/retrieve.ts";
import { stats } from "./proxy/handlers/stats.ts";
import { makeApp, type Route } from "./proxy/routes.ts";
import type { Config } from "./settings/resolve.ts";
import { makeSend } from "./upstream/forward.ts";
import { makeResolver } from "./upstream/resolve.ts";
import { VERSION } from "./version.ts";

/** The outside world. */
export interface AppIo {
  /** Time. */
  readonly clock: Clock;
  /** The runtime's `fetch`, or a test's. */
  readonly send: (request: Request) => Promise<Response>;
  /** Takes log records. */
  readonly log: Log;
}

/** The running parts. */
export interface App {
  /** Answers one request; never rejects. */
  fetch(request: Request, env: ProxyEnv["Bindings"]): Promise<Response>;
  /** Where originals really are: in memory also where the file could not be used. */
  readonly storeBackend: "sqlite" | "memory";
  /** Releases everything; called once, after the last response. */
  close(): Promise<void>;
}

/**
 * Starts the parts. Files are made only where the configuration has paths.
 *
 * @throws {Error} Never for the store's sake: it falls back to memory with one warning.
 */
export async function openApp(config: Config, io: AppIo): Promise<App> {
  const store = await openStore({
    backend: config.ccr.backend,
    path: config.paths?.ccrStore,
    ttlSeconds: config.ccr.ttlSeconds,
    clock: io.clock,
    log: io.log,
    version: VERSION,
  });
  const pool = new WorkerPool(spawnComputeWorker);
  // Loaded while the listener opens: the first request finds the rank tables there.
  pool.warm();
  const app = makeApp(
    makeRoutes(config, io, { store, pool }),
    errorHandler(io.log),
  );
  return {
    fetch: async (request, env) => await app.fetch(request, env),
    storeBackend: store.stats().backend,
    async close() {
      pool[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

function spawnComputeWorker(): WorkerLike {
  const url = new URL("./compute_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  const like: WorkerLike = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    onmessage: null,
    onerror: null,
  };
  worker.onmessage = (event) => like.onmessage?.(event);
  worker.onerror = (event) => like.onerror?.(event);
  return like;
}

/** UTF-16 units up to which a part of an original is cut out on the server thread: a millisecond or two. */
const CUT_HERE = 32 * 1024;

/** Parts with a lifetime. */
interface Living {
  readonly store: CcrStore;
  readonly pool: WorkerPool;
}

function makeRoutes(config: Config, io: AppIo, living: Living): Route[] {
  const { clock } = io;
  const { store } = living;
  const ledger = makeRequestLedger();
  const upstreams = makeResolver({
    messagesBase: new URL(config.upstreams.messages),
    chatBase: new URL(config.upstreams.chat),
  });
  const open = new Set<Promise<void>>();
  const shared = {
    pending: (record: Promise<void>) => {
      open.add(record);
      void record.finally(() => open.delete(record));
    },
    clock,
    send: makeSend({ fetch: io.send }),
    record: ledger.record.bind(ledger),
    stripInternal: config.stripInternalHeaders,
  };
  const { livez, readyz, health: report } = health({
    version: VERSION,
    clock,
    checks: () => ({
      ccr_store: { enabled: true, ready: true, backend: store.stats().backend },
    }),
  });
  // A report holds every request whose response has ended, counted to the last token.
  const counted: MiddlewareHandler<ProxyEnv> = async (_, next) => {
    await Promise.all(open);
    await next();
  };
  const summary = mcpSummary(config, clock);
  const local = [requireLoopback(io.log), requireSameOrigin()];
  const { ttlSeconds } = config.ccr;
  const attempt = makeAttempt(io.log);
  const retriever = makeRetriever({
    store,
    clock,
    ttlSeconds,
    cut: (entry, wanted) =>
      entry.original.length <= CUT_HERE
        ? cutPart(entry, wanted)
        : living.pool.cut(entry, wanted),
    onRetrieved: (event) => ledger.retrieved(event),
    onUncounted: (error) => attempt.failed("count_retrieval", reasonOf(error)),
  });
  const compression = makeCompression(config, {
    ...living,
    attempt,
    clock,
    log: io.log,
  });
  const originals = retrieve({
    store,
    retrieve: (wanted) => retriever.give(wanted, "http"),
    readToolCall,
    ttlSeconds,
  });
  return [
    { method: "GET", path: "/health", handler: report },
    { method: "GET", path: "/livez", handler: livez },
    { method: "GET", path: "/readyz", handler: readyz },
    {
      method: "GET",
      path: "/stats",
      gates: [counted],
      handler: stats({
        report: async () => ({
          ...ledger.report(),
          summary: { mcp: await summary() },
        }),
        withhold,
      }),
    },
    {
      method: "GET",
      path: "/metrics",
      gates: [counted],
      handler: metrics(() => ledger.report()),
    },
    {
      method: "POST",
      path: "/v1/retrieve",
      gates: local,
      handler: originals.post,
    },
    {
      method: "POST",
      path: "/v1/retrieve/tool_call",
      gates: local,
      handler: originals.toolCall,
    },
    {
      method: "GET",
      path: "/v1/retrieve/stats",
      gates: local,
      handler: originals.stats,
    },
    {
      method: "GET",
      path: "/v1/retrieve/:hash",
      gates: local,
      handler: originals.get,
    },
    {
      method: "POST",
      path: "/v1/compress",
      gates: local,
      handler: libraryRoute(config, compression),
    },
    {
      method: "ALL",
      path: "/mcp",
      gates: local,
      handler: mcpRoute(config, {
        ...living,
        retriever,
        counter: compression.counter,
        clock,
        log: io.log,
      }),
    },
    ...providerRoutes(config, {
      compression,
      retriever,
      upstreams,
      log: io.log,
      shared,
    }),
    // Clients of /mcp look here for a login; what the upstream says of its own would be believed.
    {
      method: "GET",
      path: "/.well-known/*",
      handler: () => notFound(),
    },
    {
      method: "ALL",
      path: "*",
      gates: [refuseOwnPaths()],
      handler: passthrough({
        ...shared,
        upstreamOf: (request) => upstreams.forRequest(request),
        onFailure: (error, { base }) =>
          logFailure(io.log, { route: "*", upstream: base.host }, error),
      }),
    },
  ];
}
