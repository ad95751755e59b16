/** What the tools of MCP are made of, in the proxy and in a process of their own. @module */
import { ccrKey } from "../ccr/key.ts";
import type { Clock } from "../core/clock.ts";
import type { CcrEntry, CcrKey, CcrStore } from "../core/store.ts";
import type { Library, LibraryParts } from "../sdk/library.ts";
import type { Config } from "../settings/resolve.ts";
import { VERSION } from "../version.ts";
import type { KeptCompression, McpParts } from "./parts.ts";
import { makeSessionStats } from "./session_stats.ts";

/** What differs between the two. */
interface OwnPartsOptions {
  /** Time. */
  readonly clock: Pick<Clock, "now">;
  /** Where originals are; opened by the first who asks. */
  readonly store: () => Promise<
    Pick<CcrStore, "retrievalCount" | "stats" | "write">
  >;
  /**
   * Compresses; loaded by the first text. It hands every original of a text in which something is left out to `keep`,
   * before it hands out the text; if that rejects, nothing is left out.
   */
  readonly library: (
    parts: LibraryParts,
  ) => Promise<Pick<Library, "compressText">>;
  /** Told of what could not be written: the session's figures, or an original. */
  readonly onUnwritten: (
    event: "session_stats_not_written" | "original_not_kept",
    error: unknown,
  ) => void;
}

/** Makes the parts that do not depend on how originals are given back. */
export function ownParts(
  config: Config,
  options: OwnPartsOptions,
): Omit<McpParts, "retrieve" | "askProxy"> {
  const { clock, store, onUnwritten } = options;
  const session = makeSessionStats({
    session: crypto.randomUUID(),
    pid: Deno.pid,
    now: clock.now,
    workspace: config.paths?.workspace,
    onFailure: (error) => onUnwritten("session_stats_not_written", error),
  });
  return {
    version: VERSION,
    compress: keepingCompression(config, options),
    retrievalCount: async (key) => (await store()).retrievalCount(key),
    storeStats: async () => (await store()).stats(),
    totals: session.totals,
    onEvent: session.record,
  };
}

/** A text after compression, as the library gives it. */
type Compressed = Omit<KeptCompression, "hash">;

/**
 * Makes the function that compresses. The library is loaded by its first call.
 *
 * The original of every text is kept, also when nothing is left out of it: its reader may want the exact bytes. It
 * lives as long as forms do, since a conversation that does not go through the proxy never renews it.
 *
 * A text with half a surrogate pair stays as it is and is not kept: in UTF-8, which keys and the store are made of, it
 * would be another text.
 */
function keepingCompression(
  { lossless, codeAware, losslessCompaction: folds, ccr }: Config,
  { clock: { now }, store, library, onUnwritten }: OwnPartsOptions,
): McpParts["compress"] {
  const options = { lossless: lossless || !ccr.enabled, codeAware, folds };
  const kept = new Set<CcrKey>();
  const keep = async (entry: CcrEntry) => {
    if (!entry.original.isWellFormed()) throw new Error("not well-formed");
    if (!ccr.enabled) throw new Error("originals are not kept: SVC_NO_CCR");
    try {
      const batch = { now: entry.storedAt, entries: [entry], keepsState: true };
      await (await store()).write(batch);
    } catch (error) {
      onUnwritten("original_not_kept", error);
      throw error;
    }
    kept.add(entry.key);
  };
  const loaded = onDemand(() => library({ keep, now }));
  return async (text, query) => {
    const { compressText } = await loaded.get();
    const compressed = await compressText(text, { ...options, query });
    if (!text.isWellFormed()) return unchanged(text, compressed);
    const key = ccrKey(text);
    if (kept.delete(key)) return { ...compressed, hash: key };
    const entry = wholeEntry(text, compressed, { key, storedAt: now() });
    const isKept = await keep(entry).then(() => true, () => false);
    kept.delete(key);
    return { ...compressed, hash: isKept ? key : undefined };
  };
}

function unchanged(
  text: string,
  { tokensBefore }: Compressed,
): KeptCompression {
  return {
    text,
    hash: undefined,
    tokensBefore,
    tokensAfter: tokensBefore,
    strategy: "",
    reason: "not_well_formed_unicode",
  };
}

function wholeEntry(
  original: string,
  { strategy, tokensBefore, tokensAfter }: Compressed,
  { key, storedAt }: Pick<CcrEntry, "key" | "storedAt">,
): CcrEntry {
  const lines = original.split("\n").length - (original.endsWith("\n") ? 1 : 0);
  return {
    key,
    original,
    strategy,
    toolName: "",
    originalTokens: tokensBefore,
    formTokens: tokensAfter,
    originalItems: lines,
    keptItems: lines,
    storedAt,
  };
}

/** Opens nothing yet. */
export function onDemand<T>(open: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    /** Opens it, or gives what is open. After a failure the next call tries again. */
    get: () =>
      opened ??= open().catch((error) => {
        opened = undefined;
        throw error;
      }),
    /** What is open, without opening it; `undefined` for nothing. Never rejects. */
    opened: async () => await opened?.catch(() => undefined),
  };
}
