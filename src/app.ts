/** Composition root: configuration → running parts. @module */
import type { MiddlewareHandler } from "hono";
import { makeConversations } from "./ccr/conversations.ts";
import { makeFrozenForms } from "./ccr/frozen_forms.ts";
import { ccrKey, conversationKey } from "./ccr/key.ts";
import { Lru } from "./ccr/lru.ts";
import { openStore } from "./ccr/open_store.ts";
import { retrievedContent } from "./ccr/retrieve_tool.ts";
import type { Clock } from "./core/clock.ts";
import { ServiceError } from "./core/errors.ts";
import type { ProviderFormat } from "./core/format.ts";
import type { Log } from "./core/log.ts";
import type { CcrStore } from "./core/store.ts";
import { makeRequestLedger } from "./ledger/request_ledger.ts";
import { withhold } from "./ledger/report.ts";
import { makeAttempt } from "./pipeline/attempt.ts";
import { compressBody } from "./pipeline/compress_body.ts";
import type { CompressParts } from "./pipeline/compress_parts.ts";
import { conversationOf } from "./pipeline/conversation_keys.ts";
import {
  rememberDecisions,
  RESULT_CACHE_BYTES,
  SKIP_SET_SIZE,
} from "./pipeline/router_cache.ts";
import { type WorkerLike, WorkerPool } from "./pipeline/worker_pool.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import { responsesFormat } from "./providers/responses/format.ts";
import { conversationHeaders } from "./proxy/conversation_headers.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { errorHandler } from "./proxy/errors.ts";
import { requireLoopback } from "./proxy/gates/loopback.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { health } from "./proxy/handlers/health.ts";
import { metrics } from "./proxy/handlers/metrics.ts";
import { passthrough } from "./proxy/handlers/passthrough.ts";
import { providerCall } from "./proxy/handlers/provider_call.ts";
import { retrieve } from "./proxy/handlers/retrieve.ts";
import { stats } from "./proxy/handlers/stats.ts";
import { makeApp, type Route } from "./proxy/routes.ts";
import { ToolRefusals } from "./proxy/tool_refusals.ts";
import type { Config } from "./settings/resolve.ts";
import { BodyCounter } from "./tokens/body_counter.ts";
import { makeSend } from "./upstream/forward.ts";
import { makeResolver, type UpstreamResolver } from "./upstream/resolve.ts";
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
  const local = [requireLoopback(io.log), requireSameOrigin()];
  const originals = retrieve({
    store,
    clock,
    ttlSeconds: config.ccr.ttlSeconds,
  });
  return [
    { method: "GET", path: "/health", handler: report },
    { method: "GET", path: "/livez", handler: livez },
    { method: "GET", path: "/readyz", handler: readyz },
    {
      method: "GET",
      path: "/stats",
      gates: [counted],
      handler: stats({ report: () => ledger.report(), withhold }),
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
      method: "GET",
      path: "/v1/retrieve/:hash",
      gates: local,
      handler: originals.get,
    },
    ...providerRoutes(config, io, { ...living, upstreams, shared }),
    {
      method: "ALL",
      path: "*",
      handler: passthrough({
        ...shared,
        upstreamOf: (request) => upstreams.forRequest(request),
        onFailure: (error, { base }) =>
          logFailure(io.log, { route: "*", upstream: base.host }, error),
      }),
    },
  ];
}

/** What the provider routes share. */
interface ProviderRouteParts extends Living {
  readonly upstreams: UpstreamResolver;
  readonly shared: Pick<
    Parameters<typeof providerCall>[0],
    "clock" | "send" | "record" | "pending" | "stripInternal"
  >;
}

function providerRoutes(
  config: Config,
  io: AppIo,
  { store, pool, upstreams, shared }: ProviderRouteParts,
): Route[] {
  const { clock, log } = io;
  const { ttlSeconds, enabled } = config.ccr;
  const attempt = makeAttempt(log);
  const counter = new BodyCounter((pieces, onCounted) =>
    attempt("count_tokens", () => pool.count(pieces, onCounted), undefined)
  );
  const refusals = new ToolRefusals();
  const conversations = makeConversations(store, { clock, ttlSeconds, log });
  const compression: CompressParts = {
    forms: makeFrozenForms(store, { clock, log }),
    conversations,
    store,
    decide: rememberDecisions(
      {
        skips: new Lru(SKIP_SET_SIZE),
        results: new Lru(
          RESULT_CACHE_BYTES,
          ({ decision }) => decision.literal.length,
        ),
        digest: ccrKey,
        clock,
      },
      (jobs) => pool.decide(jobs),
    ),
    keyOf: ccrKey,
    conversationKey,
    attempt,
    clock,
    ccr: enabled,
    options: {
      exact: config.lossless,
      folds: config.losslessCompaction,
      codeAware: config.codeAware,
    },
    toolRules: config.toolRules,
  };
  const route = (
    path: string,
    format: ProviderFormat,
    family: "messages" | "chat",
  ): Route => {
    const upstream = upstreams.forFamily(family);
    const { host } = upstream.base;
    return {
      method: "POST",
      path,
      handler: providerCall({
        ...shared,
        format,
        upstream,
        mode: config.mode,
        maxBodyBytes: config.requestBodyMaxBytes,
        compress: ({ body, mode, headers, signal }) =>
          compressBody(compression, {
            format,
            body,
            mode,
            ...conversationHeaders(headers),
            refusesTool: (model) => refusals.has(host, model),
            signal,
          }),
        count: (input) => counter.count(input),
        retrievals: {
          store,
          conversations,
          answer: (from, hash, now) =>
            retrievedContent(from, hash, { now, ttlSeconds }),
          clock,
          attempt,
          everyTenSeconds,
        },
        onFailure: (error) =>
          logFailure(log, { route: path, upstream: host }, error),
        onResponseId: (id, { conversation }) => {
          if (conversation === undefined) return;
          const responseIds = new Map([[conversationOf(id), conversation]]);
          const now = clock.now();
          void attempt(
            "note_response",
            async () => void await store.write({ now, responseIds }),
            undefined,
          );
        },
        onToolRefused: ({ conversation, scan }) => {
          refusals.add(host, scan?.model ?? "");
          if (conversation) conversations.undeclare(conversation);
        },
      }),
    };
  };
  return [
    route("/v1/messages", messagesFormat, "messages"),
    route("/v1/chat/completions", chatCompletionsFormat, "chat"),
    route("/v1/responses", responsesFormat, "chat"),
  ];
}

function logFailure(
  log: Log,
  place: { readonly route: string; readonly upstream: string },
  error: unknown,
): void {
  const reason = error instanceof ServiceError
    ? error.message
    : "the response broke off";
  log("warn", "upstream_failed", { ...place, reason });
}

function everyTenSeconds(callback: () => void): () => void {
  const timer = setInterval(callback, 10_000);
  return () => clearInterval(timer);
}
