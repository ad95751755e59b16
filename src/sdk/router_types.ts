/** Compressors for single texts. @module */
import type { Compressor } from "../core/compressor.ts";
import type { ContentHint, ContentKind } from "../core/detector.ts";
import type { CcrEntry } from "../core/store.ts";
import type { CompressedText, CompressTextOptions } from "./library.ts";
import type { OwnCompressor } from "./own_compressor.ts";

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
