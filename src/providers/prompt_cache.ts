/** Prompt caches by family. @module */
import { BodyMark } from "../bytes/body_mark.ts";
import type { PromptCache } from "../core/format.ts";

/** What a family's cache is like. */
export interface PromptCacheFacts
  extends Pick<PromptCache, "write" | "read" | "look"> {
  /** Milliseconds for which prompts are held unless their body asks for more. */
  readonly lifeMs: number;
  /** JSON string that asks for more, e.g. `"1h"`, and for how many milliseconds. */
  readonly longer: { readonly mark: string; readonly lifeMs: number };
  /** Whether a body asks for its prompt to be held; absent where none need ask. */
  readonly isMarked?: (body: Uint8Array) => boolean;
}

/** Bytes of the shortest prompt that is held: no provider holds one of less than 1,024 tokens. */
export const MIN_BYTES = 4096;

/** Makes the description of a cache. A mark in a text counts too: a cache that may be warm is taken to be. */
export function promptCache(facts: PromptCacheFacts): PromptCache {
  const { look } = facts;
  const longer = new BodyMark(facts.longer.mark);
  return {
    write: facts.write,
    read: facts.read,
    lifeMs: (body) => longer.isIn(body) ? facts.longer.lifeMs : facts.lifeMs,
    mayHold: (body, bytes) =>
      bytes >= MIN_BYTES && (facts.isMarked?.(body) ?? true),
    ...look && { look },
  };
}

const HOUR_MS = 3_600_000;

/** A cache that needs no marks: writing is free, an idle prompt is gone within the hour unless a day was asked for. */
export const AUTOMATIC_CACHE: PromptCache = promptCache({
  write: 1,
  read: 0.1,
  lifeMs: HOUR_MS,
  longer: { mark: '"24h"', lifeMs: 24 * HOUR_MS },
});
