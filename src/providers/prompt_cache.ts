/** Prompt caches by family. @module */
import type { PromptCache } from "../core/format.ts";

/** What a family's cache is like. */
export interface PromptCacheFacts extends Pick<PromptCache, "write" | "read"> {
  /** Milliseconds for which prompts are held unless their body asks for more. */
  readonly lifeMs: number;
  /** JSON string that asks for more, e.g. `"1h"`, and for how many milliseconds. */
  readonly longer: { readonly mark: string; readonly lifeMs: number };
}

/** Makes the description of a cache. A mark in a text counts too: a cache that may be warm is taken to be. */
export function promptCache(facts: PromptCacheFacts): PromptCache {
  const mark = new TextEncoder().encode(facts.longer.mark);
  return {
    write: facts.write,
    read: facts.read,
    lifeMs: (body) => holds(body, mark) ? facts.longer.lifeMs : facts.lifeMs,
  };
}

/** A byte that is rare in JSON: a search for it skips most of a body. */
const UNDERSCORE = 0x5f;

/**
 * Whether `mark`, which is not empty, stands anywhere in `body`.
 *
 * @param counts Whether one that ends at `end` counts; each does unless given.
 */
export function holds(
  body: Uint8Array,
  mark: Uint8Array,
  counts: (end: number) => boolean = () => true,
): boolean {
  const anchor = Math.max(0, mark.indexOf(UNDERSCORE));
  const sought = mark[anchor] ?? 0;
  for (
    let at = body.indexOf(sought, anchor);
    at >= 0;
    at = body.indexOf(sought, at + 1)
  ) {
    const start = at - anchor;
    let i = 0;
    while (i < mark.length && body[start + i] === mark[i]) i++;
    if (i === mark.length && counts(start + i)) return true;
  }
  return false;
}

const HOUR_MS = 3_600_000;

/** A cache that needs no marks: writing is free, an idle prompt is gone within the hour unless a day was asked for. */
export const AUTOMATIC_CACHE: PromptCache = promptCache({
  write: 1,
  read: 0.1,
  lifeMs: HOUR_MS,
  longer: { mark: '"24h"', lifeMs: 24 * HOUR_MS },
});
