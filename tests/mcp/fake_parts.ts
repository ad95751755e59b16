/** Parts of an MCP server made of literals. @module */
import { makeRetriever } from "../../src/ccr/retriever.ts";
import { cutOriginal } from "../../src/compute/open_router.ts";
import type { CcrEntry, CcrKey, CcrStats } from "../../src/core/store.ts";
import type { McpEvent, McpParts } from "../../src/mcp/parts.ts";

/** Key of {@linkcode ENTRY}. */
export const KEY = "0123456789abcdef01234567" as CcrKey;

/** An original in the local store. */
export const ENTRY: CcrEntry = {
  key: KEY,
  original: 'first\n"second" ü\n',
  strategy: "log",
  toolName: "",
  originalTokens: 8,
  formTokens: 3,
  originalItems: 2,
  keptItems: 1,
  storedAt: 0,
};

const STATS: CcrStats = {
  backend: "memory",
  entries: 1,
  bytes: 18,
  maxBytes: 1000,
  originalTokens: 8,
  formTokens: 3,
  retrievals: 5,
};

/** Makes them; `parts` replaces what a test needs otherwise. `events` takes what the tools did. */
export function fakeParts(
  parts: Partial<McpParts> = {},
  events: McpEvent[] = [],
): McpParts {
  const store = {
    entry: (key: CcrKey) =>
      key === KEY ? ENTRY : { status: "missing" as const },
  };
  const { give } = makeRetriever({
    store: {
      ...store,
      write: () => Promise.resolve({ forms: new Map(), inserted: [] }),
    },
    clock: { now: () => 1, monotonic: () => 1 },
    ttlSeconds: 1800,
    cut: cutOriginal,
    onRetrieved: () => {},
    onUncounted: () => {},
  });
  return {
    version: "9.8.7",
    compress: (text) =>
      Promise.resolve({
        text: text.slice(0, 4),
        hash: KEY,
        tokensBefore: 1000,
        tokensAfter: 334,
        strategy: "log",
      }),
    retrieve: (wanted) => give(wanted, "mcp"),
    retrievalCount: () => Promise.resolve(3),
    storeStats: () => Promise.resolve(STATS),
    totals: () => ({
      compressions: 2,
      retrievals: 1,
      tokens_saved: 666,
      tokens_retrieved: 8,
    }),
    onEvent: (event) => void events.push(event),
    ...parts,
  };
}

/** Members of a result's structured content; none when it has none. */
export function structureOf(
  { structuredContent }: { readonly structuredContent?: unknown },
): Readonly<Record<string, unknown>> {
  return { ...structuredContent as object | undefined };
}
