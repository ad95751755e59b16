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
  /** Digests of its answered retrievals, oldest first. */
  readonly retrievals: Set<string>;
}

/** A retrieval, held once however many conversations have it. */
interface Held {
  readonly retrieval: AnsweredRetrieval;
  readonly names: ReadonlySet<string>;
  readonly conversations: Set<ConversationKey>;
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
  readonly #held = new Map<string, Held>();
  readonly #anchors = new Map<string, Set<string>>();
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

  /** Takes what a batch says of its conversation. */
  note(
    key: ConversationKey,
    { definition, retrievals = [] }: CcrBatch,
  ): void {
    const known = this.#known.get(key) ?? this.#meet(key);
    const next = definition === undefined
      ? known.definition
      : definition === null
      ? undefined
      : known.definition ?? definition;
    if (next !== known.definition) {
      known.definition = next;
      this.#revise(known);
    }
    for (const one of retrievals) this.#remember(key, known, one);
  }

  /** Notes events. */
  ask(
    events: readonly RetrievalEvent[],
    conversation: ConversationKey | undefined,
  ): void {
    const known = conversation && this.#known.get(conversation);
    for (const event of events) {
      const query = event.query.slice(0, MAX_QUERY);
      this.#events.push({ event: { ...event, query }, conversation });
      if (known) this.#revise(known);
    }
  }

  /** Notes response ids. */
  mapIds(ids: ReadonlyMap<string, string>, now: number): void {
    for (const [seen, last] of ids) {
      this.#responseIds.set(seen, { last, mappedAt: now });
    }
  }

  /** `undefined` when it is not mapped. */
  responseId(seen: string): string | undefined {
    return this.#responseIds.get(seen)?.last;
  }

  /** Answered retrievals of a conversation, oldest first. */
  retrievals(key: ConversationKey): readonly AnsweredRetrieval[] {
    const digests = this.#known.get(key)?.retrievals ?? [];
    return [...digests].map((digest) => this.#held.get(digest)!.retrieval);
  }

  /** Answered retrievals with one of these names in their anchor, oldest first. */
  anchored(names: readonly string[]): readonly AnsweredRetrieval[] {
    const wanted = new Set(
      names.flatMap((name) => [...this.#anchors.get(name) ?? []]),
    );
    return [...this.#held].flatMap(([digest, { retrieval }]) =>
      wanted.has(digest) ? [retrieval] : []
    );
  }

  /** Whether anything can be found by a name. */
  hasAnchors(): boolean {
    return this.#anchors.size > 0;
  }

  /** What models asked for: that of the conversation, and others of the originals that it uses. */
  asked(
    key: ConversationKey,
    uses: ReadonlySet<CcrKey>,
  ): readonly AskedShape[] {
    const counts = new Map<string, AskedShape>();
    for (const { event, conversation } of this.#events) {
      const isItsOwn = conversation === key ||
        conversation === undefined && uses.has(event.key);
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
    for (const key of gone) {
      for (const digest of this.#known.get(key)?.retrievals ?? []) {
        this.#unlink(key, digest);
      }
      this.#known.delete(key);
    }
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
    this.#held.clear();
    this.#anchors.clear();
    this.#responseIds.clear();
    this.#events = [];
  }

  /** Removes events of no active conversation whose original is gone. */
  clearIdleEvents({ isActive, isHeld }: {
    readonly isActive: (key: ConversationKey) => boolean;
    readonly isHeld: (key: CcrKey) => boolean;
  }): void {
    this.#events = this.#events.filter(({ event, conversation }) =>
      conversation !== undefined && isActive(conversation) || isHeld(event.key)
    );
  }

  #meet(key: ConversationKey): Known {
    const known: Known = {
      definition: undefined,
      revision: 0,
      retrievals: new Set(),
    };
    this.#known.set(key, known);
    this.#revise(known);
    return known;
  }

  /** A number that no conversation had before, also if it was forgotten in between. */
  #revise(known: Known): void {
    known.revision = ++this.#revision;
  }

  #remember(
    key: ConversationKey,
    known: Known,
    retrieval: AnsweredRetrieval,
  ): void {
    const digest = retrievalKey(retrieval);
    if (known.retrievals.has(digest)) return;
    const held = this.#held.get(digest) ?? this.#hold(digest, retrieval);
    held.conversations.add(key);
    known.retrievals.add(digest);
    this.#revise(known);
  }

  #hold(digest: string, retrieval: AnsweredRetrieval): Held {
    const names = new Set(retrieval.anchor.split("\n"));
    names.delete("");
    const held = {
      retrieval,
      names,
      conversations: new Set<ConversationKey>(),
    };
    this.#held.set(digest, held);
    for (const name of names) {
      const digests = this.#anchors.get(name) ?? new Set();
      this.#anchors.set(name, digests.add(digest));
    }
    return held;
  }

  #unlink(key: ConversationKey, digest: string): void {
    const held = this.#held.get(digest)!;
    held.conversations.delete(key);
    if (held.conversations.size > 0) return;
    this.#held.delete(digest);
    for (const name of held.names) {
      const digests = this.#anchors.get(name);
      digests?.delete(digest);
      if (digests?.size === 0) this.#anchors.delete(name);
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
