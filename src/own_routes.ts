/** Composition of the proxy's own routes. @module */
import { makeRetriever, type Retriever } from "./ccr/retriever.ts";
import type { AppIo } from "./core/app_io.ts";
import type { Services } from "./services.ts";
import { mcpRoute } from "./mcp/route.ts";
import { reasonOf } from "./pipeline/attempt.ts";
import type { Compression } from "./open_compression.ts";
import type { BodyBytes } from "./proxy/body_bytes.ts";
import { libraryRoute } from "./provider_routes.ts";
import { readToolCall } from "./providers/tool_call.ts";
import { notFound } from "./proxy/errors.ts";
import { requireLoopbackOrToken } from "./proxy/gates/proxy_token.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { RUNTIME_ENV } from "./proxy/handlers/admin.ts";
import { clearCache } from "./proxy/handlers/cache.ts";
import { health as healthHandlers } from "./proxy/handlers/health.ts";
import { retrieve } from "./proxy/handlers/retrieve.ts";
import type { Route } from "./proxy/routes.ts";
import type { ReportRouteParts } from "./proxy/handlers/report_handlers.ts";
import { reportRoutes } from "./report_routes.ts";
import { settingsRoutes } from "./settings_routes.ts";
import type { Config } from "./settings/resolve.ts";
import { runningReport } from "./settings/running.ts";
import { VERSION } from "./version.ts";
import { requireLoopback } from "./proxy/gates/trusted.ts";

/** What gives originals back, and counts that. */
export function openRetriever(
  config: Config,
  { store, ledger, compute, attempt }: Services,
  { clock }: AppIo,
): Retriever {
  return makeRetriever({
    store,
    clock,
    ttlSeconds: config.ccr.ttlSeconds,
    cut: (entry, wanted) => compute.cut(entry, wanted),
    onRetrieved: (event) => ledger.retrieved(event),
    onUncounted: (error) => attempt.failed("count_retrieval", reasonOf(error)),
  });
}

/** What the routes share with those to providers. */
export interface OwnRouteParts extends ReportRouteParts {
  /** Compresses. */
  readonly compression: Compression;
  /** Gives originals back. */
  readonly retriever: Retriever;
  /** Bounds the bytes of all request bodies. */
  readonly bodies: BodyBytes;
}

/** The routes that the proxy answers itself, in the order in which they are asked. */
export function ownRoutes(
  config: Config,
  io: AppIo,
  parts: OwnRouteParts,
): Route[] {
  return [
    ...health(config, io, parts),
    ...reportRoutes(config, io, parts),
    ...settingsRoutes(config, io, parts.trust),
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
        config.responseCache ? parts.services.cache : undefined,
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

/** How the proxy is. */
function health(
  config: Config,
  { clock }: AppIo,
  { services: { store, ledger, startedAt, pid }, trust }: OwnRouteParts,
): Route[] {
  const { livez, readyz, health: report } = healthHandlers({
    version: VERSION,
    clock,
    startedAt,
    trust,
    deployment: config.deployment,
    config: () => ({ ...runningReport(config), runtime_env: RUNTIME_ENV, pid }),
    checks: () => ({
      ccr_store: {
        enabled: true,
        ready: true,
        backend: store.stats().backend,
        // Memory took the place of the file.
        degraded: store.stats().backend !== config.ccr.backend,
      },
      ledger: {
        enabled: true,
        ready: ledger.state().healthy,
        backend: ledger.state().backend,
        degraded: config.paths !== undefined &&
          ledger.state().backend === "memory",
      },
    }),
  });
  return [
    { method: "GET", path: "/health", handler: report },
    { method: "GET", path: "/healthz", handler: report },
    { method: "GET", path: "/livez", handler: livez },
    { method: "GET", path: "/readyz", handler: readyz },
  ];
}

function originals(
  { ccr: { ttlSeconds } }: Config,
  { log }: AppIo,
  { services: { store }, retriever, trust }: OwnRouteParts,
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
  { services, compression, pricing, retriever, trust, bodies }: OwnRouteParts,
): Route[] {
  const origin = requireSameOrigin(trust);
  const local = requireLoopback(log, trust);
  const { store, compute } = services;
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
      handler: libraryRoute(config, compression, { ...pricing, bodies }),
    },
    {
      method: "ALL",
      path: "/mcp",
      gates: [local, origin],
      handler: mcpRoute(config, {
        store,
        compute,
        retriever,
        counter: compression.counter,
        clock,
        log,
      }),
    },
  ];
}
