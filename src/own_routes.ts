/** Composition of the proxy's own routes. @module */
import type { Handler } from "hono";
import { makeRetriever, type Retriever } from "./ccr/retriever.ts";
import type { AppIo, Reloaded } from "./core/app_io.ts";
import { mcpRoute } from "./mcp/route.ts";
import type { Compression } from "./open_compression.ts";
import { reasonOf } from "./pipeline/attempt.ts";
import type { ModelPricing } from "./cost/pricing.ts";
import { ratesFor } from "./cost/rates.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import { responsesFormat } from "./providers/responses/format.ts";
import { readToolCall } from "./providers/tool_call.ts";
import type { BodyBytes } from "./proxy/body_bytes.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { notFound } from "./proxy/errors.ts";
import { requireLoopbackOrToken } from "./proxy/gates/proxy_token.ts";
import { type Gates, gatesOf } from "./proxy/gates/trusted.ts";
import { admin, clearCache } from "./proxy/handlers/admin.ts";
import { compressRoute } from "./proxy/handlers/compress.ts";
import { health as healthHandlers } from "./proxy/handlers/health.ts";
import type {
  ReportHandlers,
  ReportRouteParts,
} from "./proxy/handlers/report_handlers.ts";
import { retrieve } from "./proxy/handlers/retrieve.ts";
import { icon, root } from "./proxy/handlers/root.ts";
import { settings } from "./proxy/handlers/settings.ts";
import { get, post, type Route } from "./proxy/routes.ts";
import type { Services } from "./services.ts";
import type { RuntimeEnv } from "./settings/runtime_env.ts";
import type { Config } from "./settings/resolve.ts";
import {
  appliedOf,
  checkFor,
  runningReport,
  upstreamReport,
} from "./settings/running.ts";
import { openSettingsFile } from "./settings/settings_file.ts";
import { makeSettingsStore } from "./settings/store.ts";
import { VERSION } from "./version.ts";

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
  /** What is known of models. */
  readonly pricing: Pick<ModelPricing, "priceOf" | "contextLimit">;
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
  const { cache } = parts.services;
  const gates = gatesOf(io.log, parts.trust);
  return [
    ...health(config, io, parts),
    ...reports(config, io, parts, gates),
    ...settingsRoutes(config, io, { ...gates, env: parts.services.runtimeEnv }),
    ...originals(config, parts, gates),
    ...compressing(config, io, parts, gates),
    post(
      "/cache/clear",
      clearCache(config.responseCache ? cache : undefined),
      gates.local,
    ),
    // Clients of /mcp look here for a login; what the upstream says of its own would be believed.
    get("/.well-known/*", () => notFound()),
  ];
}

/** How the proxy is. */
function health(
  config: Config,
  { clock }: AppIo,
  { services: { store, ledger, startedAt, pid, runtimeEnv }, trust }:
    OwnRouteParts,
): Route[] {
  const { livez, readyz, health: report } = healthHandlers({
    version: VERSION,
    clock,
    startedAt,
    trust,
    deployment: config.deployment,
    config: () => ({
      ...runningReport(config),
      runtime_env: runtimeEnv.report(config),
      pid,
    }),
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
    get("/health", report),
    get("/healthz", report),
    get("/livez", livez),
    get("/readyz", readyz),
  ];
}

/** What the proxy does. Some fields are for trusted callers only, and single requests for this machine. */
function reports(
  config: Config,
  io: AppIo,
  parts: OwnRouteParts,
  { local, trustedCaller }: Gates,
): Route[] {
  // Most proxies answer none of them: their handlers are loaded on first use.
  const on = onFirstUse(async () => {
    const { reportHandlers } = await import(
      "./proxy/handlers/report_handlers.ts"
    );
    return reportHandlers(config, io, parts);
  });
  // A report holds every request whose response has ended, counted to the last token.
  const counted: Gates["origin"] = async (_, next) => {
    await parts.settled();
    await next();
  };
  const here = [...local, counted];
  return [
    get("/stats", on("stats")),
    get("/stats-lifetime", on("lifetime"), [counted]),
    get("/stats-history", on("history"), [counted]),
    get("/stats-range", on("range"), [counted]),
    post("/stats/reset", on("reset"), local),
    get("/metrics", on("metrics"), [counted]),
    get("/transformations/feed", on("feed"), here),
    get("/transformations/:id", on("one"), here),
    get("/", root()),
    // A base URL with a project is asked without a slash at its end.
    get("/p/:project", root()),
    get("/favicon.ico", icon()),
    get("/stats-conversations", on("conversations"), here),
    get("/dashboard", on("page")),
    get("/dashboard/settings", on("page"), [trustedCaller]),
  ];
}

function onFirstUse(
  load: () => Promise<ReportHandlers>,
): (name: keyof ReportHandlers) => Handler<ProxyEnv> {
  let loaded: Promise<ReportHandlers> | undefined;
  const handlers = async () => {
    try {
      return await (loaded ??= load());
    } catch (error) {
      // The next one tries again.
      loaded = undefined;
      throw error;
    }
  };
  return (name) => async (c, next) => await (await handlers())[name](c, next);
}

const NOBODY_READS: Reloaded = {
  type: "refused",
  reason: "this proxy cannot read its settings again",
};

/** Shows and changes settings. */
function settingsRoutes(
  config: Config,
  { applySettings }: AppIo,
  { trusted, local, env }: Gates & { readonly env: RuntimeEnv },
): Route[] {
  const stored = settings({
    storage: makeSettingsStore({
      file: config.paths && openSettingsFile(config.paths.settings),
      given: config.given,
      check: checkFor(config),
      supervised: config.deployment !== undefined,
    }),
    deployment: config.deployment,
    apply: async () => appliedOf(await applySettings?.() ?? NOBODY_READS),
  });
  const { upstream, runtimeEnv } = admin({
    upstream: () => upstreamReport(config),
    apply: (values) => env.apply(values),
    runtimeEnv: () => env.report(config),
  });
  return [
    get("/settings", stored.get, trusted),
    get("/settings/schema", stored.schema, trusted),
    post("/settings", stored.post, trusted),
    post("/settings/apply", stored.apply, trusted),
    get("/admin/upstream", upstream, local),
    post("/admin/runtime-env", runtimeEnv, local),
  ];
}

function originals(
  { ccr: { ttlSeconds } }: Config,
  { services: { store }, retriever }: OwnRouteParts,
  { local }: Gates,
): Route[] {
  const kept = retrieve({
    store,
    retrieve: (wanted) => retriever.give(wanted, "http"),
    readToolCall,
    ttlSeconds,
  });
  return [
    post("/v1/retrieve", kept.post, local),
    post("/v1/retrieve/tool_call", kept.toolCall, local),
    get("/v1/retrieve/stats", kept.stats, local),
    get("/v1/retrieve/:hash", kept.get, local),
  ];
}

/** Prices are whole pico-dollars. */
const PICO_PER_USD = 1e12;

/** For programs that send requests themselves, and for agents. */
function compressing(
  config: Config,
  { clock, log }: AppIo,
  { services, compression, pricing, retriever, trust, bodies }: OwnRouteParts,
  { local, origin }: Gates,
): Route[] {
  const { store, compute } = services;
  const { counter } = compression;
  const mcp = { store, compute, retriever, counter, clock, log };
  const { priceOf, contextLimit } = pricing;
  const compress = compressRoute({
    compression: compression.parts,
    formats: {
      messages: messagesFormat,
      chat_completions: chatCompletionsFormat,
      responses: responsesFormat,
    },
    mode: config.mode,
    count: (input) => counter.count(input),
    inputPrice(model, tokens) {
      const found = priceOf(model);
      return found && ratesFor(found.price, tokens).input / PICO_PER_USD;
    },
    contextLimit,
    maxBodyBytes: config.requestBodyMaxBytes,
    bodies,
    timeoutMs: config.compressionTimeoutSeconds * 1000,
  });
  return [
    post(
      "/v1/compress",
      compress,
      config.trust.remoteCompress
        ? [requireLoopbackOrToken(log, trust), origin]
        : local,
    ),
    {
      method: "ALL",
      path: "/mcp",
      gates: local,
      handler: mcpRoute(config, mcp),
    },
  ];
}
