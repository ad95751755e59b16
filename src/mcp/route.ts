/** Composition of the MCP endpoint of the proxy. @module */
import type { Handler } from "hono";
import { ccrKey } from "../ccr/key.ts";
import type { Retriever } from "../ccr/retriever.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { CcrBatch, CcrStore } from "../core/store.ts";
import {
  eventFile,
  eventSum,
  makeSessionStats,
  NO_EVENTS,
} from "./session_stats.ts";
import { keepingCompression, onDemand } from "./keep_text.ts";
import { reasonOf } from "../pipeline/attempt.ts";
import type { Compute } from "../compute/open_compute.ts";
import type { ProxyEnv } from "../proxy/env.ts";
import { makeLibrary } from "../sdk/library.ts";
import type { Config } from "../settings/resolve.ts";
import type { BodyCounter } from "../tokens/body_counter.ts";
import { VERSION } from "../version.ts";

/** What the endpoint shares with the proxy. */
export interface McpRouteParts {
  /** Where originals are. */
  readonly store: CcrStore;
  /** Gives them back. */
  readonly retriever: Retriever;
  /** Compresses. */
  readonly compute: Compute;
  /** Counts off this thread. */
  readonly counter: BodyCounter;
  /** Time. */
  readonly clock: Clock;
  /** Takes log records. */
  readonly log: Log;
}

/**
 * Handler of `/mcp`, all methods. The SDK is loaded by the first request, once: that takes 30 MB, which a proxy without
 * MCP clients should not pay, and holds this thread up for 0.1 to 0.3 seconds, in one piece whenever it is done.
 */
export function mcpRoute(
  config: Config,
  parts: McpRouteParts,
): Handler<ProxyEnv> {
  const { store, retriever, clock, log } = parts;
  const workspace = config.paths?.workspace;
  const name = crypto.randomUUID();
  const session = makeSessionStats({
    session: name,
    pid: Deno.pid,
    now: clock.now,
    file: workspace === undefined ? undefined : eventFile(workspace, name),
    onFailure: (error) =>
      log("warn", "session_stats_not_written", { reason: reasonOf(error) }),
  });
  const write = (batch: CcrBatch) =>
    config.ccr.enabled
      ? store.write(batch)
      : Promise.reject(new Error("originals are not kept: SVC_NO_CCR"));
  const endpoint = onDemand(async () => {
    const { mcpHandler } = await import("./server.ts");
    return mcpHandler(
      {
        version: VERSION,
        compress: keepingCompression({
          open: (keep) => Promise.resolve(compression(config, parts, keep)),
          write,
          keyOf: ccrKey,
          now: clock.now,
        }),
        retrieve: (wanted) => retriever.give(wanted, "mcp"),
        retrievalCount: (key) => Promise.resolve(store.retrievalCount(key)),
        storeStats: () => Promise.resolve(store.stats()),
        totals: session.totals,
        onEvent: session.record,
      },
      ({ name }) => log("warn", "mcp_request_refused", { reason: name }),
    );
  });
  return async (c) => await (await endpoint.get())(c.req.raw);
}

/** As the library does it, but in the worker that the proxy has. */
function compression(
  config: Config,
  { compute, counter, clock }: McpRouteParts,
  keep: Parameters<Parameters<typeof keepingCompression>[0]["open"]>[0],
) {
  const { compressText } = makeLibrary({
    decide: async (job) => (await compute.decide([job]))[0]!,
    async count(text, model) {
      const body = new TextEncoder().encode(text);
      const spans = [{ start: 0, end: body.length }];
      return (await counter.count({ body, spans, model, extra: "" }).done)
        .tokens;
    },
    keyOf: ccrKey,
  }, { keep, now: clock.now });
  const options = {
    lossless: config.lossless || !config.ccr.enabled,
    codeAware: config.codeAware,
    folds: config.losslessCompaction,
  };
  return (text: string, query: string) =>
    compressText(text, { ...options, query });
}

/** What the tools of MCP did, in any process of the workspace: the section of the stats report. */
export interface McpSummary {
  /** Texts compressed, those without gain included. */
  readonly compressions: number;
  /** Originals and parts given back. */
  readonly retrievals: number;
  /** Tokens that compressed texts are smaller by. */
  readonly tokens_saved: number;
  /** Tokens given back. */
  readonly tokens_retrieved: number;
}

/** Milliseconds for which a summary is good. */
const SUMMARY_MS = 5000;

/** Makes the function that adds up the workspace's events; without a workspace it finds none. */
export function mcpSummary(
  { paths }: Config,
  clock: Clock,
): () => Promise<McpSummary> {
  let made: { readonly at: number; readonly summary: Promise<McpSummary> };
  const sum = paths === undefined ? undefined : eventSum(paths.workspace);
  const read = async (): Promise<McpSummary> => {
    const totals = await sum?.() ?? NO_EVENTS;
    return {
      compressions: totals.compressions,
      retrievals: totals.retrievals,
      tokens_saved: totals.tokensSaved,
      tokens_retrieved: totals.tokensRetrieved,
    };
  };
  return () => {
    const at = clock.monotonic();
    if (made === undefined || at - made.at >= SUMMARY_MS) {
      made = { at, summary: read() };
    }
    return made.summary;
  };
}
