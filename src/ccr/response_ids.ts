/** Ids of responses that a later request may continue: memory in front of the store. @module */
import type { Clock } from "../core/clock.ts";
import type { ResponseIds } from "../core/forms.ts";
import type { CcrStore } from "../core/store.ts";
import { Lru } from "../bytes/lru.ts";

/** Ids kept in memory: a client continues at once, and the write may still be on its way. */
const MAX_IDS = 10_000;

/** Makes the memory in front of `store`. */
export function makeResponseIds(
  store: Pick<CcrStore, "responseId" | "write">,
  clock: Clock,
): ResponseIds {
  const noted = new Lru<string, string>(MAX_IDS);
  return {
    find: (seen) => noted.get(seen) ?? store.responseId(seen),
    async note(seen, last, when = "now") {
      noted.set(seen, last);
      const responseIds = new Map([[seen, last]]);
      await store.write({ now: clock.now(), responseIds }, when);
    },
  };
}
