/** A compressor that the caller wrote. @module */
import type { Compressor } from "../core/compressor.ts";
import type { Recognise } from "../core/detector.ts";

/** A compressor and the texts it is for. */
export interface OwnCompressor {
  /** Confidence from 0 to 1 that a text is for it; from 0.8 on nobody else is asked. */
  readonly recognise: Recognise;
  /** Makes such a text smaller. */
  readonly compressor: Compressor;
}
