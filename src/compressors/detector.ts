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

/** Lines that are counted before kinds are asked. */
const FEW = 8;

/** What is asked about a text. */
interface Recogniser {
  readonly fewestLines?: number | undefined;
  readonly recognise: Recognise;
  readonly recogniseUnclaimed?: Recognise;
}

/**
 * Makes a detector of `content`, whose rows are asked in their order: the first confidence of 0.8 or more wins. Rows
 * that need more lines than a text of no named file has are left out. Where none is confident, all are asked again about an unclaimed text before `mixed` is.
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
      const lines = hint?.path === undefined ? fewLines(text) : Infinity;
      const asked = kinds.filter((kind) =>
        lines >= (content[kind].fewestLines ?? 0)
      );
      const claims = (kind: ContentKind) =>
        isSure(content[kind].recognise(text, hint));
      return asked.find(claims) ??
        asked.find((kind) =>
          isSure(content[kind].recogniseUnclaimed?.(text, hint))
        ) ?? [LAST].find(claims);
    },
  };
}

/** Lines of a short text; infinite for more than {@linkcode FEW}. O(those lines). */
function fewLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; lines++) {
    if (lines === FEW) return Infinity;
    const newline = text.indexOf("\n", at);
    at = newline < 0 ? text.length : newline + 1;
  }
  return lines;
}
