/** What the MCP server needs from the rest of the service. @module */
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { Retrieved } from "../core/retrieved.ts";
import type { CcrKey, CcrStats } from "../core/store.ts";

/** A compressed text, and where its original is. */
export interface KeptCompression {
  /** The text to use: the given one when nothing was gained. */
  readonly text: string;
  /** Key of the original; `undefined` when it could not be kept, so that nothing was left out either. */
  readonly hash: CcrKey | undefined;
  /** Tokens of the given text. */
  readonly tokensBefore: number;
  /** Tokens of `text`. */
  readonly tokensAfter: number;
  /** Id of the compressor; empty when the text was left alone. */
  readonly strategy: string;
  /** Why the text was left alone, as a slug; absent when it was not. */
  readonly reason?: string;
}

/** An original, or a part of it, from the store of a proxy. */
export interface ProxyOriginal {
  /** Its key. */
  readonly hash: string;
  /** The text. */
  readonly original_content: string;
  /** Units in the original. */
  readonly original_item_count: number;
  /** Units left in its form. */
  readonly compressed_item_count: number;
  /** Times that it was asked for, this one included. */
  readonly retrieval_count: number;
  /** Which part it is; absent when it is the whole. */
  readonly part?: string;
  /** Tokens of `original_content`. */
  readonly tokens: number;
}

/** Something a tool did. */
export interface McpEvent {
  /** Which tool. */
  readonly type: "compress" | "retrieve";
  /** Tokens of the original. */
  readonly tokensBefore: number;
  /** Tokens handed out instead: the form, or the part that was given back. */
  readonly tokensAfter: number;
  /** Key of the original; empty when it was not kept. */
  readonly hash: string;
}

/** Events added up, as the stats report has them. */
export interface McpTotals {
  /** Texts that were compressed, those without gain included. */
  readonly compressions: number;
  /** Originals and parts that were given back. */
  readonly retrievals: number;
  /** Tokens that compressed texts are smaller by. */
  readonly tokens_saved: number;
  /** Tokens given back. */
  readonly tokens_retrieved: number;
}

/** What the tools do their work with. */
export interface McpParts {
  /** Version of this service. */
  readonly version: string;
  /** Compresses one text and keeps its original. `query`: what the reader looks for; empty when unknown. */
  readonly compress: (text: string, query: string) => Promise<KeptCompression>;
  /** Gives an original back from the local store, and counts it there. */
  readonly retrieve: (wanted: RetrievalArguments) => Promise<Retrieved>;
  /** Times that an original was given back, as the local store counts them. */
  readonly retrievalCount: (key: CcrKey) => Promise<number>;
  /**
   * Asks a proxy for what the local store does not have. Never rejects.
   * @returns Why not, in words, where the proxy has the original but not the part; `undefined` where it has nothing.
   */
  readonly askProxy?: (
    wanted: RetrievalArguments,
  ) => Promise<ProxyOriginal | string | undefined>;
  /** The local store in numbers. */
  readonly storeStats: () => Promise<CcrStats>;
  /** What this process did so far. */
  readonly totals: () => McpTotals;
  /** Told of everything that a tool did. */
  readonly onEvent: (event: McpEvent) => void;
}
