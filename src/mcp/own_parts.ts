/** What the tools of MCP are made of, in the proxy and in a process of their own. @module */
import { ccrKey } from "../ccr/key.ts";
import type { Clock } from "../core/clock.ts";
import type { CcrStore } from "../core/store.ts";
import type { Library, LibraryParts } from "../sdk/library.ts";
import type { Config } from "../settings/resolve.ts";
import { VERSION } from "../version.ts";
import { keepingCompression } from "./keep_text.ts";
import type { McpParts } from "./parts.ts";
import { eventFile, makeSessionStats } from "./session_stats.ts";

/** What differs between the two. */
interface OwnPartsOptions {
  /** Time. */
  readonly clock: Clock;
  /** Where originals are; opened by the first who asks. */
  readonly store: () => Promise<CcrStore>;
  /** Compresses; loaded by the first text. */
  readonly library: (parts: LibraryParts) => Promise<Library>;
  /** Told of what could not be written: the session's figures, or an original. */
  readonly onUnwritten: (
    event: "session_stats_not_written" | "original_not_kept",
    error: unknown,
  ) => void;
}

/** Makes the parts that do not depend on how originals are given back. */
export function ownParts(
  config: Config,
  { clock, store, library, onUnwritten }: OwnPartsOptions,
): Omit<McpParts, "retrieve" | "askProxy"> {
  const { now } = clock;
  const { lossless, codeAware, losslessCompaction: folds, ccr } = config;
  const options = { lossless: lossless || !ccr.enabled, codeAware, folds };
  const workspace = config.paths?.workspace;
  const name = crypto.randomUUID();
  const session = makeSessionStats({
    session: name,
    pid: Deno.pid,
    now,
    file: workspace === undefined ? undefined : eventFile(workspace, name),
    onFailure: (error) => onUnwritten("session_stats_not_written", error),
  });
  return {
    version: VERSION,
    compress: keepingCompression({
      async open(keep) {
        const { compressText } = await library({ keep, now });
        return (text, query) => compressText(text, { ...options, query });
      },
      async write(batch) {
        if (!ccr.enabled) throw new Error("originals are not kept: SVC_NO_CCR");
        try {
          await (await store()).write(batch);
        } catch (error) {
          onUnwritten("original_not_kept", error);
          throw error;
        }
      },
      keyOf: ccrKey,
      now,
    }),
    retrievalCount: async (key) => (await store()).retrievalCount(key),
    storeStats: async () => (await store()).stats(),
    totals: session.totals,
    onEvent: session.record,
  };
}
