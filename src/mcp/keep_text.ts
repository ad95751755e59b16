/** Compresses single texts so that every one can be asked for again. @module */
import type { CcrBatch, CcrEntry, CcrKey } from "../core/store.ts";
import type { KeptCompression } from "./parts.ts";

/** A text after compression, as the library gives it. */
type Compressed = Omit<KeptCompression, "hash">;

/** What keeping needs. */
export interface KeepTextParts {
  /**
   * Loads the library. It hands every original of a text in which something is left out to `keep`, before it
   * hands out the text; if that rejects, nothing is left out.
   */
  readonly open: (
    keep: (entry: CcrEntry) => Promise<void>,
  ) => Promise<(text: string, query: string) => Promise<Compressed>>;
  /** Resolves once the batch is durable; rejects if nothing of it was written. */
  readonly write: (batch: CcrBatch) => Promise<unknown>;
  /** Names an original. */
  readonly keyOf: (text: string) => CcrKey;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Makes the function that compresses. The library is loaded by its first call.
 *
 * The original of every text is kept, also when nothing is left out of it: its reader may want the exact bytes. It
 * lives as long as forms do, since a conversation that does not go through the proxy never renews it.
 *
 * A text with half a surrogate pair stays as it is and is not kept: in UTF-8, which keys and the store are made of, it
 * would be another text.
 */
export function keepingCompression(
  { open, write, keyOf, now }: KeepTextParts,
): (text: string, query: string) => Promise<KeptCompression> {
  const kept = new Set<CcrKey>();
  const keep = async (entry: CcrEntry) => {
    if (!entry.original.isWellFormed()) throw new Error("not well-formed");
    await write({ now: entry.storedAt, entries: [entry], keepsState: true });
    kept.add(entry.key);
  };
  const library = onDemand(() => open(keep));
  return async (text, query) => {
    const compressed = await (await library.get())(text, query);
    if (!text.isWellFormed()) return unchanged(text, compressed);
    const key = keyOf(text);
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
