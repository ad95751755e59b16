/** Picks the kind of a text by asking every recogniser in order. @module */
import type {
  ContentDetector,
  ContentKind,
  Recognise,
} from "../core/detector.ts";

/** Confidence from which a recogniser wins. */
export const CONFIDENT = 0.8;

/** Takes what no kind claims as a whole. */
const LAST: ContentKind = "mixed";

/** What is asked about a text. */
interface Recogniser {
  readonly recognise: Recognise;
  readonly recogniseUnclaimed?: Recognise;
}

/**
 * Makes a detector of `content`, whose rows are asked in their order: the first confidence of 0.8 or more wins. Where
 * none has it, all are asked again about an unclaimed text before `mixed` is.
 * What a recogniser throws is the caller's: a bug in one is reported, not taken for "no".
 */
export function makeDetector(
  content: Readonly<Record<ContentKind, Recogniser>>,
): ContentDetector {
  const kinds = (Object.keys(content) as ContentKind[])
    .filter((kind) => kind !== LAST);
  const isSure = (confidence = 0) => confidence >= CONFIDENT;
  return {
    detect(text, hint) {
      const claims = (kind: ContentKind) =>
        isSure(content[kind].recognise(text, hint));
      return kinds.find(claims) ??
        kinds.find((kind) =>
          isSure(content[kind].recogniseUnclaimed?.(text, hint))
        ) ?? [LAST].find(claims);
    },
  };
}
