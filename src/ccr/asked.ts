/** What a conversation asked for, with events that the store has not confirmed. @module */
import type {
  AskedShape,
  CcrStore,
  ConversationKey,
  RetrievalEvent,
} from "../core/store.ts";

/** Among so many events of an original one that was just written is looked for. */
const RECENT_EVENTS = 100;

/** Names the state of the events: another text whenever one was added, by whatever process. Two one-row look-ups. */
export function newestEvent(
  store: Pick<CcrStore, "stats" | "retrievalEvents">,
): string {
  const { retrievals } = store.stats();
  if (retrievals === 0) return "";
  return `${retrievals} ${store.retrievalEvents(1).map(identityOf)}`;
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
  const counts = new Map<string, AskedShape>();
  for (
    const { toolName, strategy, count } of [...store.asked(key), ...single]
  ) {
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
