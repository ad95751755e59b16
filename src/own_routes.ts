/** Composition of the proxy's own routes. @module */
import type { MiddlewareHandler } from "hono";
import { cutPart } from "./ccr/parts/cut_part.ts";
import { makeRetriever, type Retriever } from "./ccr/retriever.ts";
import { withhold } from "./ledger/report.ts";
import type { AppIo, Living } from "./living.ts";
import { mcpRoute, mcpSummary } from "./mcp_route.ts";
import { reasonOf } from "./pipeline/attempt.ts";
import type { Compression } from "./open_compression.ts";
import { libraryRoute } from "./provider_routes.ts";
import { readToolCall } from "./providers/tool_call.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { notFound } from "./proxy/errors.ts";
import type { Trust } from "./proxy/gates/caller.ts";
import { requireLoopback } from "./proxy/gates/loopback.ts";
import { requireLoopbackOrToken } from "./proxy/gates/proxy_token.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { clearCache } from "./proxy/handlers/cache.ts";
import { health } from "./proxy/handlers/health.ts";
import { metrics } from "./proxy/handlers/metrics.ts";
import { retrieve } from "./proxy/handlers/retrieve.ts";
import { stats } from "./proxy/handlers/stats.ts";
import type { Route } from "./proxy/routes.ts";
import type { Config } from "./settings/resolve.ts";
import { VERSION } from "./version.ts";

/** UTF-16 units up to which a part of an original is cut out on the server thread: a millisecond or two. */
const CUT_HERE = 32 * 1024;

/** What gives originals back, and counts that. */
export function openRetriever(
  config: Config,
  { store, ledger, pool, attempt }: Living,
  { clock }: AppIo,
): Retriever {
  return makeRetriever({
    store,
    clock,
    ttlSeconds: config.ccr.ttlSeconds,
    cut: (entry, wanted) =>
      entry.original.length <= CUT_HERE
        ? cutPart(entry, wanted)
        : pool.cut(entry, wanted),
    onRetrieved: (event) => ledger.retrieved(event),
    onUncounted: (error) => attempt.failed("count_retrieval", reasonOf(error)),
  });
}

/** What the routes share with those to providers. */
export interface OwnRouteParts {
  /** Parts with a lifetime. */
  readonly living: Living;
  /** Compresses. */
  readonly compression: Compression;
  /** Gives originals back. */
  readonly retriever: Retriever;
  /** Who is believed. */
  readonly trust: Trust;
  /** Resolves when every record that a report must hold is in the ledger. */
  readonly settled: () => Promise<void>;
}

/** The routes that the proxy answers itself, in the order in which they are asked. */
export function ownRoutes(
  config: Config,
  io: AppIo,
  parts: OwnRouteParts,
): Route[] {
  return [
    ...observing(config, io, parts),
    ...originals(config, io, parts),
    ...compressing(config, io, parts),
    {
      method: "POST",
      path: "/cache/clear",
      gates: [
        requireLoopback(io.log, parts.trust),
        requireSameOrigin(parts.trust),
      ],
      handler: clearCache(
        config.responseCache ? parts.living.cache : undefined,
      ),
    },
    // Clients of /mcp look here for a login; what the upstream says of its own would be believed.
    {
      method: "GET",
      path: "/.well-known/*",
      handler: () => notFound(),
    },
  ];
}

/** Open to all; some fields for trusted callers only. */
function observing(
  config: Config,
  { clock }: AppIo,
  { living: { store, ledger, cache }, trust, settled }: OwnRouteParts,
): Route[] {
  const { livez, readyz, health: report } = health({
    version: VERSION,
    clock,
    checks: () => ({
      ccr_store: { enabled: true, ready: true, backend: store.stats().backend },
      ledger: {
        enabled: true,
        ready: ledger.state().healthy,
        backend: ledger.state().backend,
      },
    }),
  });
  // A report holds every request whose response has ended, counted to the last token.
  const counted: MiddlewareHandler<ProxyEnv> = async (_, next) => {
    await settled();
    await next();
  };
  const summary = mcpSummary(config, clock);
  return [
    { method: "GET", path: "/health", handler: report },
    { method: "GET", path: "/healthz", handler: report },
    { method: "GET", path: "/livez", handler: livez },
    { method: "GET", path: "/readyz", handler: readyz },
    {
      method: "GET",
      path: "/stats",
      gates: [counted],
      handler: stats({
        report: async () => ({
          ...ledger.report(),
          cache: config.responseCache ? cache.stats() : null,
          summary: { mcp: await summary() },
        }),
        withhold,
        trust,
      }),
    },
    {
      method: "GET",
      path: "/metrics",
      gates: [counted],
      handler: metrics(() => ledger.report(), trust),
    },
  ];
}

function originals(
  { ccr: { ttlSeconds } }: Config,
  { log }: AppIo,
  { living: { store }, retriever, trust }: OwnRouteParts,
): Route[] {
  const gates = [requireLoopback(log, trust), requireSameOrigin(trust)];
  const { get, post, toolCall, stats } = retrieve({
    store,
    retrieve: (wanted) => retriever.give(wanted, "http"),
    readToolCall,
    ttlSeconds,
  });
  return [
    { method: "POST", path: "/v1/retrieve", gates, handler: post },
    {
      method: "POST",
      path: "/v1/retrieve/tool_call",
      gates,
      handler: toolCall,
    },
    { method: "GET", path: "/v1/retrieve/stats", gates, handler: stats },
    { method: "GET", path: "/v1/retrieve/:hash", gates, handler: get },
  ];
}

function compressing(
  config: Config,
  { clock, log }: AppIo,
  { living, compression, retriever, trust }: OwnRouteParts,
): Route[] {
  const origin = requireSameOrigin(trust);
  const local = requireLoopback(log, trust);
  const { store, pool } = living;
  return [
    {
      method: "POST",
      path: "/v1/compress",
      gates: [
        config.trust.remoteCompress
          ? requireLoopbackOrToken(log, trust)
          : local,
        origin,
      ],
      handler: libraryRoute(config, compression),
    },
    {
      method: "ALL",
      path: "/mcp",
      gates: [local, origin],
      handler: mcpRoute(config, {
        store,
        pool,
        retriever,
        counter: compression.counter,
        clock,
        log,
      }),
    },
  ];
}
