/** Composition of the router: every compressor, the token counter and the marker. @module */
import { holdsMarker, markerLine } from "./ccr/marker.ts";
import { makeDetector } from "./compressors/detector.ts";
import { CONTENT } from "./compressors/registry.ts";
import type { TokenCounter } from "./core/tokens.ts";
import type { BlockJob, Decision } from "./core/decision.ts";
import { makeRouter } from "./pipeline/router.ts";
import { openTokenCounter } from "./tokens/counter.ts";

/** A router and the counter it decides with. */
export interface OpenRouter {
  /** Decides one block; never rejects. */
  readonly decide: (job: BlockJob) => Promise<Decision>;
  /** Counts tokens. */
  readonly counter: TokenCounter;
}

/** Loads the rank tables and puts the router together. */
export async function openRouter(): Promise<OpenRouter> {
  const counter = await openTokenCounter();
  const decide = makeRouter({
    detector: makeDetector(CONTENT),
    content: CONTENT,
    counter,
    markerLine,
    holdsMarker,
  });
  return { decide, counter };
}
