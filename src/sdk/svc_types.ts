/** An instance of the library, a store, a router, and what they are made with. @module */
import type {
  CompressedText,
  CompressTextOptions,
} from "../core/compress_text.ts";
import type { NamedToolRule } from "../core/decision.ts";
import type { CcrEntry, CcrStore } from "../core/store.ts";
import type {
  CompressOptions,
  CompressResult,
  RetrievePart,
  RetrieveResult,
  SimulationResult,
} from "./compress_types.ts";
import type { CompressionHooks } from "./hooks.ts";
import type { Problem } from "./failures.ts";
import type { Compressor } from "../core/compressor.ts";
import type { ContentHint, ContentKind, Recognise } from "../core/detector.ts";

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
  /** Whether lines are left out that are in the conversation before, word for word; default false. */
  readonly dedupe?: boolean;
  /** What may happen to the results of tools by name; the first rule that fits wins. Default none. */
  readonly toolPolicy?: readonly NamedToolRule[];
  /** Tokens that models take, by their names; wins over the built-in list, which `CompressResult.contextLimit` else comes from. */
  readonly modelContextLimits?: Readonly<Record<string, number>>;
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

/** Where originals are kept, and for how long. */
export interface CcrStoreOptions {
  /** `memory` ends with the process and needs no permission; `sqlite` is a file that processes share. Default `memory`. */
  readonly backend?: "memory" | "sqlite";
  /** The database file; needed for `sqlite`. Missing directories are made. */
  readonly path?: string;
  /** Seconds that an original lives after its last use; default 1800. */
  readonly ttlSeconds?: number;
  /** Bytes of originals that are kept; default 256 MiB in memory, 1 GiB in a file. */
  readonly maxBytes?: number;
  /** Told if the file cannot be used and a store in memory takes its place; default `console.warn`. */
  readonly onProblem?: (problem: Problem) => void;
}

/** A compressor and the texts it is for. */
export interface OwnCompressor {
  /** Confidence from 0 to 1 that a text is for it; from 0.8 on nobody else is asked. */
  readonly recognise: Recognise;
  /** Makes such a text smaller. */
  readonly compressor: Compressor;
}

/** How a router is made. */
export interface RouterOptions {
  /** Compressors of the caller's, asked before svc's own; default none. */
  readonly compressors?: readonly OwnCompressor[];
  /** Keeps an original before its text is handed out with a marker. Default: nobody does, and nothing is left out. */
  readonly keep?: (entry: CcrEntry) => Promise<void>;
}

/** A compressor of svc's. */
export interface RoutedCompressor {
  /** Kind of text that it is for. */
  readonly kind: ContentKind;
  /** Makes such a text smaller; nothing checks what it returns when it is called like this. */
  readonly compressor: Compressor;
}

/** Finds the compressor of a text, and uses it. */
export interface TextRouter {
  /** svc's compressors, in the order in which their recognisers are asked. */
  readonly compressors: readonly RoutedCompressor[];
  /** Names the kind of a text; the id of a compressor of the caller's where that claims it, `undefined` where none does. */
  detect(text: string, hint?: ContentHint): string | undefined;
  /** Compresses one text, with everything that svc checks. Never throws for its content's sake. */
  compressText(
    text: string,
    options?: CompressTextOptions,
  ): Promise<CompressedText>;
  /** Counts tokens as svc does: exactly for the encoding of current models, or that of `model`. */
  countTokens(text: string, model?: string): number;
}
