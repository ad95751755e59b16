/** Conversations' definitions, answered retrievals and what was asked for, in maps. @module */
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  AskedShape,
  CcrBatch,
  CcrKey,
  Conversation,
  ConversationKey,
  RetrievalEvent,
} from "../core/store.ts";
import { retrievalKey } from "./key.ts";
import { MAX_EVENTS } from "./maintenance.ts";
import { MAX_QUERY } from "./transactions.ts";

/** What is known of a conversation besides its activity. */
interface Known {
  definition: string | undefined;
  revision: number;
  /** Its answered retrievals by their digests, oldest first. */
  readonly retrievals: Map<string, Held>;
}

/** A retrieval and its place among all that were noted. */
interface Held {
  readonly retrieval: AnsweredRetrieval;
  readonly nth: number;
}

/** An event and whose model asked. */
interface Asked {
  readonly event: RetrievalEvent;
  readonly conversation: ConversationKey | undefined;
}

/** A person who looks is no model that asks. */
const MODELS: ReadonlySet<RetrievalEvent["via"]> = new Set([
  "proxy",
  "mcp",
  "library",
]);

/** Keeps what conversations said and asked for. */
export class MapHistory {
  readonly #known = new Map<ConversationKey, Known>();
  readonly #responseIds = new Map<string, { last: string; mappedAt: number }>();
  #events: Asked[] = [];
  #revision = 0;

  /** Events held. */
  get eventCount(): number {
    return this.#events.length;
  }

  /** What is known of a conversation that was active then; `undefined` when it is unknown. */
  conversation(
    key: ConversationKey,
    activeAt: number | undefined,
  ): Conversation | undefined {
    const known = this.#known.get(key);
    if (known === undefined || activeAt === undefined) return undefined;
    const { definition, revision } = known;
    return { definition, revision, activeAt };
  }

  /** Takes what a batch says of its conversation, the events and the response ids in it. */
  note(batch: CcrBatch): void {
    const { now, conversation, asked = [], responseIds = [] } = batch;
    const known = conversation && this.#noteConversation(conversation, batch);
    for (const event of asked) {
      const query = event.query.slice(0, MAX_QUERY);
      this.#events.push({ event: { ...event, query }, conversation });
      if (known) known.revision = ++this.#revision;
    }
    for (const [seen, last] of responseIds) {
      this.#responseIds.set(seen, { last, mappedAt: now });
    }
  }

  /** `undefined` when it is not mapped. */
  responseId(seen: string): string | undefined {
    return this.#responseIds.get(seen)?.last;
  }

  /** Answered retrievals of a conversation, oldest first. */
  retrievals(key: ConversationKey): readonly AnsweredRetrieval[] {
    return [...this.#known.get(key)?.retrievals.values() ?? []]
      .map(({ retrieval }) => retrieval);
  }

  /** Answered retrievals with one of these names in their anchor, oldest first. */
  anchored(names: readonly string[]): readonly AnsweredRetrieval[] {
    const wanted = new Set(names);
    return this.#named().filter(({ anchor }) =>
      anchor.split("\n").some((name) => name !== "" && wanted.has(name))
    );
  }

  /** Whether anything can be found by a name. */
  hasAnchors(): boolean {
    return this.#named().length > 0;
  }

  /** What models asked for: that of the conversation, and others of the originals that it uses. */
  asked(
    key: ConversationKey,
    isUsed: (entry: CcrKey) => boolean,
  ): readonly AskedShape[] {
    const counts = new Map<string, AskedShape>();
    for (const { event, conversation } of this.#events) {
      const isItsOwn = conversation === key ||
        conversation === undefined && isUsed(event.key);
      if (!isItsOwn || !MODELS.has(event.via)) continue;
      const { toolName, strategy } = event;
      const name = JSON.stringify([toolName, strategy]);
      const { count = 0 } = counts.get(name) ?? {};
      counts.set(name, { toolName, strategy, count: count + 1 });
    }
    return [...counts.values()].sort((a, b) =>
      compare(a.toolName, b.toolName) || compare(a.strategy, b.strategy)
    );
  }

  /** The newest first; with `key`, of this original only. */
  events(limit: number, key?: CcrKey): readonly RetrievalEvent[] {
    const found: RetrievalEvent[] = [];
    for (let i = this.#events.length - 1; i >= 0 && found.length < limit; i--) {
      const { event } = this.#events[i]!;
      if (key === undefined || event.key === key) found.push(event);
    }
    return found;
  }

  /** Events of one original. */
  count(key: CcrKey): number {
    return this.#events.filter(({ event }) => event.key === key).length;
  }

  /** Forgets conversations. */
  forget(gone: readonly ConversationKey[]): void {
    for (const key of gone) this.#known.delete(key);
  }

  /** Removes response ids mapped before `since`, and events beyond the newest 10,000. */
  sweep(since: number): void {
    for (const [seen, { mappedAt }] of this.#responseIds) {
      if (mappedAt < since) this.#responseIds.delete(seen);
    }
    this.#events = this.#events.slice(-MAX_EVENTS);
  }

  /** Removes everything. */
  clearAll(): void {
    this.#known.clear();
    this.#responseIds.clear();
    this.#events = [];
  }

  /** Removes events of no conversation that is left whose original is gone. */
  clearIdleEvents(isHeld: (key: CcrKey) => boolean): void {
    this.#events = this.#events.filter(({ event, conversation }) =>
      conversation !== undefined && this.#known.has(conversation) ||
      isHeld(event.key)
    );
  }

  #noteConversation(
    key: ConversationKey,
    { definition, retrievals = [] }: CcrBatch,
  ): Known {
    const known = this.#known.get(key) ??
      {
        definition: undefined,
        revision: ++this.#revision,
        retrievals: new Map(),
      };
    this.#known.set(key, known);
    const next = definition === undefined
      ? known.definition
      : definition === null
      ? undefined
      : known.definition ?? definition;
    // A number that no conversation had before, also if it was forgotten in between.
    if (next !== known.definition) known.revision = ++this.#revision;
    known.definition = next;
    for (const one of retrievals) {
      const digest = retrievalKey(one);
      if (known.retrievals.has(digest)) continue;
      known.revision = ++this.#revision;
      known.retrievals.set(digest, { retrieval: one, nth: known.revision });
    }
    return known;
  }

  /** Retrievals with names, each once, oldest first. */
  #named(): readonly AnsweredRetrieval[] {
    const all = [...this.#known.values()]
      .flatMap(({ retrievals }) => [...retrievals])
      .sort(([, a], [, b]) => a.nth - b.nth);
    return [...new Map(all).values()].map(({ retrieval }) => retrieval)
      .filter(({ anchor }) => /[^\n]/.test(anchor));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
