/** An instance of the library, and what it is made with. @module */
import type { NamedToolRule } from "../core/decision.ts";
import type { CcrStore } from "../core/store.ts";
import type {
  CompressOptions,
  CompressResult,
  RetrievePart,
  RetrieveResult,
  SimulationResult,
} from "./compress_types.ts";
import type { CompressionHooks } from "./hooks.ts";
import type { CompressedText, CompressTextOptions } from "./library.ts";
import type { OwnCompressor } from "./own_compressor.ts";
import type { Problem } from "./problems.ts";
import type { CcrStoreOptions } from "./store_options.ts";

/** How an instance is made; every member has a default. */
export interface SvcOptions {
  /**
   * Where originals are kept: what to open, or an open store, which stays the caller's to close. Default a store in
   * memory, in which an original lives 1800 seconds after its last use.
   */
  readonly store?: CcrStoreOptions | CcrStore;
  /** Whether source code may be shown as an outline; default false. */
  readonly codeAware?: boolean;
  /** Only forms that can be turned back exactly; default false. */
  readonly lossless?: boolean;
  /** Whether tables and other forms that lose nothing may be used; default true. */
  readonly losslessCompaction?: boolean;
  /** What may happen to the results of tools by name; the first rule that fits wins. Default none. */
  readonly toolPolicy?: readonly NamedToolRule[];
  /** Compressors of the caller's, asked before svc's own; default none. */
  readonly compressors?: readonly OwnCompressor[];
  /** Told before and after each compression; default nobody. */
  readonly hooks?: CompressionHooks;
  /** Told, once each, of failures that were passed over; default `console.warn`. */
  readonly onProblem?: (problem: Problem) => void;
}

/** Compresses messages in this process, and gives back what was left out of them. */
export interface Svc extends AsyncDisposable {
  /**
   * Makes messages smaller. Only results of tools change, and what was decided for one of them stays: messages that
   * come again with others behind them come back as before. What the messages contain never makes it throw: they then
   * come back as they were, with a `reason`.
   *
   * @param messages Messages of one conversation, oldest first; never modified.
   * @param options How.
   * @throws {ValidationError} If an argument is of the wrong type.
   * @throws What the signal was aborted with, if it was.
   */
  compress<M>(
    messages: readonly M[],
    options?: CompressOptions,
  ): Promise<CompressResult<M>>;
  /**
   * Says what `compress` would do; stores nothing.
   *
   * @param messages Messages of one conversation, oldest first; never modified.
   * @param options How.
   * @throws {ValidationError} If an argument is of the wrong type.
   */
  simulate<M>(
    messages: readonly M[],
    options?: CompressOptions,
  ): Promise<SimulationResult<M>>;
  /**
   * Compresses one text; keeps its original if anything was left out.
   *
   * @param text Any text.
   * @param options What helps.
   */
  compressText(
    text: string,
    options?: CompressTextOptions,
  ): Promise<CompressedText>;
  /**
   * Gives back an original, or a part of it, as the retrieval tool of the proxy does.
   *
   * @param hash Key of the original, as its marker names it.
   * @param part Which part; default all of it.
   * @returns Why there is nothing, where there is nothing.
   * @throws {ValidationError} If an argument is of the wrong type.
   */
  retrieve(hash: string, part?: RetrievePart): Promise<RetrieveResult>;
  /** Closes the store, if the instance opened it. Later calls reject. */
  close(): Promise<void>;
}
