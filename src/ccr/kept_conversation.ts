/** What is held in memory of one conversation. @module */
import type { Answered } from "../core/forms.ts";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  AskedShape,
  CcrKey,
  Conversation,
  RetrievalEvent,
} from "../core/store.ts";

/** One conversation in memory. */
export interface Kept {
  /** Definition of the retrieval tool that it sends. */
  definition: string | undefined;
  /** Whether other conversations were asked for what belongs to its turns. */
  hasAdopted: boolean;
  /** Own writes of the definition on the way: until they end, the store's value is the older one. */
  defining: number;
  /** All that are known, oldest first. */
  retrievals: readonly AnsweredRetrieval[];
  /** Retrievals that the store has not confirmed. */
  unsaved: readonly AnsweredRetrieval[];
  /** What its model asked for. */
  asked: readonly AskedShape[];
  /** Names the events that `asked` was read from; `undefined` when it must be read again. */
  askedAs: string | undefined;
  /** Events that the store has not confirmed. */
  unsavedAsked: readonly RetrievalEvent[];
  /** Milliseconds since the Unix epoch of its last known request. */
  activeAt: number | undefined;
  /** Activity that the store has, by our last reading or writing. */
  persistedAt: number | undefined;
  /** {@linkcode Conversation.revision} that was read; `undefined` when the store knew nothing. */
  revision: number | undefined;
  /** Activity that was handed to the store. */
  postedAt: number;
  /** Originals linked to it by this process, or on the way. */
  readonly linked: Set<CcrKey>;
}

/** A conversation of which only what the store knows is known, and not read yet. */
export function newlyMet(stored: Conversation | undefined): Kept {
  return {
    definition: undefined,
    hasAdopted: false,
    defining: 0,
    retrievals: [],
    unsaved: [],
    asked: [],
    askedAs: undefined,
    unsavedAsked: [],
    activeAt: undefined,
    persistedAt: undefined,
    revision: undefined,
    postedAt: stored?.activeAt ?? -Infinity,
    linked: new Set(),
  };
}

/** Notes that the store has an activity at `now` (milliseconds since the Unix epoch). */
export function notePersisted(kept: Kept, now: number): void {
  kept.persistedAt = Math.max(kept.persistedAt ?? now, now);
  kept.postedAt = Math.max(kept.postedAt, now);
}

/** Notes what the store has confirmed. */
export function noteSaved(kept: Kept, { retrievals, asked }: Answered): void {
  kept.unsaved = kept.unsaved.filter((one) => !retrievals.includes(one));
  kept.unsavedAsked = kept.unsavedAsked.filter((one) => !asked.includes(one));
}
