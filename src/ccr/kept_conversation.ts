/** What is held in memory of one conversation. @module */
import type { Answered } from "../core/forms.ts";
import type { AnsweredRetrieval, AnsweredTurn } from "../core/retrieval.ts";
import type {
  AskedShape,
  CcrKey,
  CcrStore,
  Conversation,
  ConversationKey,
  RetrievalEvent,
} from "../core/store.ts";
import { retrievalKey } from "./key.ts";

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
export function unreadConversation(stored: Conversation | undefined): Kept {
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

/** Among so many events of an original one that was just written is looked for. */
const RECENT_EVENTS = 100;

/** Names the state of the events: another text whenever one was added, by whatever process. Two one-row look-ups. */
export function newestEvent(
  store: Pick<CcrStore, "stats" | "retrievalEvents">,
): string {
  const newest = store.retrievalEvents(1);
  if (newest.length === 0) return "";
  return `${store.stats().retrievals} ${newest.map(identityOf)}`;
}

/**
 * Adds events on their way to the store to what it knows.
 *
 * @param unsaved Not confirmed by the store; those that it shows already are not counted twice.
 */
export function askedBy(
  key: ConversationKey,
  store: Pick<CcrStore, "asked" | "retrievalEvents">,
  unsaved: readonly RetrievalEvent[],
): readonly AskedShape[] {
  const single = unsaved.filter((event) => !isShown(store, event))
    .map((event) => ({ ...event, count: 1 }));
  // The newest event is remembered; most stores have none.
  const hasEvents = store.retrievalEvents(1).length > 0;
  return sumShapes([...hasEvents ? store.asked(key) : [], ...single]);
}

/** Adds the counts of each tool and strategy up. */
export function sumShapes(shapes: readonly AskedShape[]): AskedShape[] {
  const counts = new Map<string, AskedShape>();
  for (const { toolName, strategy, count } of shapes) {
    const name = JSON.stringify([toolName, strategy]);
    const { count: before = 0 } = counts.get(name) ?? {};
    counts.set(name, { toolName, strategy, count: before + count });
  }
  return [...counts.values()];
}

function isShown(
  store: Pick<CcrStore, "retrievalEvents">,
  event: RetrievalEvent,
): boolean {
  return store.retrievalEvents(RECENT_EVENTS, event.key)
    .some((one) => identityOf(one) === identityOf(event));
}

/** Without the search text, of which the store may keep a part only. */
function identityOf({ query: _, ...rest }: RetrievalEvent): string {
  return JSON.stringify(Object.entries(rest).sort());
}

/** Returns those of `some` that `known` does not hold, in their order. */
export function missingFrom(
  known: readonly AnsweredRetrieval[],
  some: readonly AnsweredRetrieval[],
): readonly AnsweredRetrieval[] {
  if (some.length === 0) return some;
  const held = new Set(known.map(retrievalKey));
  return some.filter((one) => !held.has(retrievalKey(one)));
}

/** Returns each of `some` once, at its first place. */
export function withoutRepeats(
  some: readonly AnsweredRetrieval[],
): readonly AnsweredRetrieval[] {
  if (some.length < 2) return some;
  const seen = new Set<string>();
  return some.filter((one) => {
    const key = retrievalKey(one);
    return !seen.has(key) && seen.add(key);
  });
}

/** How every answer begins that gives something back. */
const GIVEN = /^\{"hash":"([0-9a-f]{24})","original_content":/;

/**
 * Originals that were given back. Text inside an original cannot pass for an answer: only the start of a whole
 * string value is read.
 */
export function originalsIn(
  { data }: AnsweredRetrieval,
): readonly CcrKey[] {
  const { rounds, beside } = JSON.parse(data) as AnsweredTurn;
  const keys: CcrKey[] = [];
  for (const { answer } of [...rounds, ...beside ? [beside] : []]) {
    JSON.parse(`[${answer}]`, (_, value: unknown) => {
      const found = typeof value === "string" ? GIVEN.exec(value) : null;
      if (found !== null) keys.push(found[1] as CcrKey);
      return value;
    });
  }
  return keys;
}
