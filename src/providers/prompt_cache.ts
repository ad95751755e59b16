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

function holds(body: Uint8Array, mark: Uint8Array): boolean {
  const first = mark[0] ?? 0;
  for (
    let at = body.indexOf(first);
    at >= 0;
    at = body.indexOf(first, at + 1)
  ) {
    let i = 1;
    while (i < mark.length && body[at + i] === mark[i]) i++;
    if (i === mark.length) return true;
  }
  return false;
}
