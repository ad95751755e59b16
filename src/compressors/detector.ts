/** Picks the kind of a text by asking every recogniser in order. @module */
import type {
  ContentDetector,
  ContentKind,
  Recognise,
} from "../core/detector.ts";

/** Confidence from which a recogniser wins. */
export const CONFIDENT = 0.8;

/**
 * Makes a detector of `content`, whose rows are asked in their order: the first confidence of 0.8 or more wins.
 * What a recogniser throws is the caller's: a bug in one is reported, not taken for "no".
 */
export function makeDetector(
  content: Readonly<Record<ContentKind, { readonly recognise: Recognise }>>,
): ContentDetector {
  const kinds = Object.keys(content) as ContentKind[];
  return {
    detect: (text, hint) =>
      kinds.find((kind) => content[kind].recognise(text, hint) >= CONFIDENT),
  };
}
