/** Composition of the router: every compressor, the token counter and the marker; and of what gives parts of originals back. @module */
import { markerLine, markerLines, mustStayWhole } from "../ccr/marker.ts";
import { cutPart } from "../ccr/parts/cut_part.ts";
import { CONFIDENT, makeDetector } from "../compressors/detector.ts";
import {
  CONTENT,
  type ContentEntry,
  locateIn,
  PASTED,
} from "../compressors/registry.ts";
import type { TokenCounter } from "../core/tokens.ts";
import type { BlockJob, Decision } from "../core/decision.ts";
import type { ContentDetector } from "../core/detector.ts";
import type { CutPart } from "../core/retrieved.ts";
import { lineNote } from "../engine/note.ts";
import { makeRouter } from "../pipeline/router.ts";
import { openTokenCounter } from "../tokens/counter.ts";

/** A router and the counter it decides with. */
export interface OpenRouter {
  /** Decides one block; never throws. */
  readonly decide: (job: BlockJob) => Decision;
  /** Counts tokens. */
  readonly counter: TokenCounter;
  /** Names the kind of a text. */
  readonly detector: ContentDetector;
}

/** What may be given. */
export interface OpenRouterOptions {
  /** A counter that is open already; one of its own when not given. */
  readonly counter?: TokenCounter;
  /** Compressors that are asked before svc's own, in this order; none when not given. */
  readonly own?: readonly ContentEntry[];
}

/** Loads the rank tables and puts the router together. */
export async function openRouter(
  { own = [], ...given }: OpenRouterOptions = {},
): Promise<OpenRouter> {
  const counter = given.counter ?? await openTokenCounter();
  const detector = makeDetector(CONTENT);
  const decide = makeRouter({
    detector,
    content: CONTENT,
    pasted: PASTED.compressor,
    counter,
    markerLine,
    markerLines,
    omittedLine: lineNote,
    mustStayWhole,
    ownCompressor: own.length === 0
      ? undefined
      : (text, hint) =>
        own.find(({ recognise }) => recognise(text, hint) >= CONFIDENT)
          ?.compressor,
  });
  return { decide, counter, detector };
}

/** Cuts the part that is asked for out of an original, in this thread. */
export const cutOriginal = ((entry, wanted) =>
  cutPart(
    entry,
    wanted,
    ({ original, strategy, toolName }) =>
      locateIn(original, strategy, { toolName }),
  )) satisfies CutPart;
