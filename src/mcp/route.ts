/** Composition of the MCP endpoint of the proxy. @module */
import type { Handler } from "hono";
import { ccrKey } from "../ccr/key.ts";
import type { Retriever } from "../ccr/retriever.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { CcrStore } from "../core/store.ts";
import { onDemand, ownParts } from "./own_parts.ts";
import type { McpTotals } from "./parts.ts";
import { eventTotals, NO_EVENTS } from "./session_stats.ts";
import { reasonOf } from "../pipeline/attempt.ts";
import type { Compute } from "../compute/open_compute.ts";
import type { ProxyEnv } from "../proxy/env.ts";
import {
  type Library,
  type LibraryParts,
  makeLibrary,
} from "../sdk/library.ts";
import type { Config } from "../settings/resolve.ts";
import type { BodyCounter } from "../tokens/body_counter.ts";

/** What the endpoint shares with the proxy. */
interface McpRouteParts {
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
  const own = ownParts(config, {
    clock,
    store: () => Promise.resolve(store),
    library: (keeping) => Promise.resolve(libraryOf(parts, keeping)),
    onUnwritten(event, error) {
      // A store that refuses writes says so itself.
      if (event === "original_not_kept") return;
      log("warn", event, { reason: reasonOf(error) });
    },
  });
  const endpoint = onDemand(async () => {
    const { mcpHandler } = await import("./server.ts");
    return mcpHandler(
      { ...own, retrieve: (wanted) => retriever.give(wanted, "mcp") },
      ({ name }) => log("warn", "mcp_request_refused", { reason: name }),
    );
  });
  return async (c) => await (await endpoint.get())(c.req.raw);
}

/** As the library does it, but in the worker that the proxy has. */
function libraryOf(
  { compute, counter }: McpRouteParts,
  parts: LibraryParts,
): Library {
  return makeLibrary({
    decide: async (job) => (await compute.decide([job]))[0]!,
    async count(text, model) {
      const body = new TextEncoder().encode(text);
      const spans = [{ start: 0, end: body.length }];
      return (await counter.count({ body, spans, model, extra: "" }).done)
        .tokens;
    },
    keyOf: ccrKey,
  }, parts);
}

/** Milliseconds for which a summary is good. */
const SUMMARY_MS = 5000;

/** Makes the function that adds up the workspace's events, of all its processes; without a workspace it finds none. */
export function mcpSummary(
  { paths }: Config,
  clock: Clock,
): () => Promise<McpTotals> {
  let made: { readonly at: number; readonly totals: Promise<McpTotals> };
  return () => {
    const at = clock.monotonic();
    if (made === undefined || at - made.at >= SUMMARY_MS) {
      const totals = paths
        ? eventTotals(paths.workspace)
        : Promise.resolve(NO_EVENTS);
      made = { at, totals };
    }
    return made.totals;
  };
}
