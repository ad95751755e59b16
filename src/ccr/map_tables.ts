/** Originals, forms, conversations and what they asked for, in maps. @module */
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  CcrBatch,
  CcrEntry,
  CcrKey,
  CcrMiss,
  Conversation,
  ConversationKey,
  RetrievalEvent,
} from "../core/store.ts";
import { retrievalKey } from "./key.ts";
import { GRACE_MS, MAX_EVENTS } from "./maintenance.ts";
import { PROTECTED_MS, type Totals, UNUSED_LIFETIME_MS } from "./reads.ts";
import { MAX_QUERY } from "./transactions.ts";

/** Milliseconds between sweeps. */
const PAUSE_MS = 60_000;
/** Conversations that are remembered though they hold no original: one takes some hundred bytes. */
const MAX_IDLE = 20_000;

const utf8 = new TextEncoder();

/** An original and the conversations that use it. */
export interface Original {
  /** As it was stored, or renewed. */
  entry: CcrEntry;
  /** UTF-8 bytes of its text. */
  readonly bytes: number;
  /** Milliseconds that it lives after its last use. */
  lifeMs: number;
  /** Who sends it. */
  readonly usedBy: Set<User>;
}

/** A conversation. */
export interface User {
  /** Replaced, never changed. */
  known: Conversation;
  /** Originals that it sends. */
  readonly uses: Set<Original>;
  /** By their digests, oldest first; each with its place among those of all conversations. */
  readonly retrievals: Map<string, { one: AnsweredRetrieval; nth: number }>;
}

/** What a store in memory holds. */
export class MapTables {
  readonly #ttlMs: number;
  readonly #maxBytes: number;
  /** Originals by their keys, expired ones too. */
  readonly originals: Map<CcrKey, Original> = new Map();
  /** Conversations by their keys. */
  readonly conversations: Map<ConversationKey, User> = new Map();
  /** The last round's ids by those that clients saw. */
  readonly responseIds: Map<string, { last: string; mappedAt: number }> =
    new Map();
  /** Oldest first; each with the conversation whose model asked. */
  events: { event: RetrievalEvent; by: ConversationKey | undefined }[] = [];
  readonly #held = { bytes: 0, originalTokens: 0, formTokens: 0 };
  #revision = 0;
  #sweepAt = -Infinity;

  /** Holds nothing yet. */
  constructor(ttlMs: number, maxBytes: number) {
    this.#ttlMs = ttlMs;
    this.#maxBytes = maxBytes;
  }

  /** The original; one that has expired is removed by this look-up. */
  entry(key: CcrKey, now: number): CcrEntry | CcrMiss {
    const found = this.originals.get(key);
    if (found === undefined) return { status: "missing" };
    const ageMs = now - lastUse(found);
    if (ageMs <= found.lifeMs) return found.entry;
    this.#remove(found);
    return { status: "expired", ageMs };
  }

  /** Whether nothing new can be kept. */
  isFull(now: number): boolean {
    return this.#held.bytes >= this.#maxBytes &&
      this.#evictable(now).length === 0;
  }

  /** What is held. */
  totals(): Totals {
    const retrievals = this.events.length;
    return { entries: this.originals.size, ...this.#held, retrievals };
  }

  /**
   * Takes what a batch says of originals, conversations and events.
   *
   * @throws {Error} If there is no room: nothing was changed.
   */
  write(batch: CcrBatch): void {
    const { now, conversation, asked = [], responseIds = [] } = batch;
    this.#makeRoom(batch);
    const user = conversation && this.#note(conversation, batch);
    this.#keep(batch, user);
    for (const event of asked) {
      const query = event.query.slice(0, MAX_QUERY);
      this.events.push({ event: { ...event, query }, by: conversation });
      if (user) this.#revise(user, {});
    }
    for (const [seen, last] of responseIds) {
      this.responseIds.set(seen, { last, mappedAt: now });
    }
    if (now >= this.#sweepAt) this.#sweep(now);
  }

  /** Removes what {@linkcode CcrBatch.clear} says; returns the originals that are gone. */
  clear(what: "idle" | "all", now: number): ReadonlySet<CcrKey> {
    const isAll = what === "all";
    const removed = isAll ? [...this.originals.values()] : this.#evictable(now);
    for (const one of removed) this.#remove(one);
    this.#forget(({ known }) => isAll || known.activeAt < now - PROTECTED_MS);
    this.events = this.events.filter(({ event, by }) =>
      !isAll &&
      (by !== undefined && this.conversations.has(by) ||
        this.originals.has(event.key))
    );
    if (isAll) this.responseIds.clear();
    return new Set(removed.map(({ entry }) => entry.key));
  }

  #note(
    key: ConversationKey,
    { now, definition: given, retrievals = [] }: CcrBatch,
  ): User {
    const fresh: User = {
      known: { definition: undefined, activeAt: now, revision: 0 },
      uses: new Set(),
      retrievals: new Map(),
    };
    const user = this.conversations.get(key) ?? this.#revise(fresh, {});
    this.conversations.set(key, user);
    const { activeAt, definition: before } = user.known;
    user.known = { ...user.known, activeAt: Math.max(activeAt, now) };
    const definition = given === null ? undefined : before ?? given;
    if (definition !== before) this.#revise(user, { definition });
    for (const one of retrievals) {
      const digest = retrievalKey(one);
      if (user.retrievals.has(digest)) continue;
      const nth = this.#revise(user, {}).known.revision;
      user.retrievals.set(digest, { one, nth });
    }
    return user;
  }

  /** Gives a conversation a number that none had before, also if it was forgotten in between. */
  #revise(user: User, change: Partial<Pick<Conversation, "definition">>): User {
    user.known = { ...user.known, ...change, revision: ++this.#revision };
    return user;
  }

  #keep(
    { uses = [], entries = [], keepsState }: CcrBatch,
    user: User | undefined,
  ): void {
    const use = (original: Original | undefined, lifeMs: number) => {
      if (original === undefined) return;
      original.lifeMs = Math.max(original.lifeMs, lifeMs);
      if (user === undefined) return;
      user.uses.add(original);
      original.usedBy.add(user);
    };
    for (const key of uses) use(this.originals.get(key), this.#ttlMs);
    const lifeMs = Math.max(keepsState ? UNUSED_LIFETIME_MS : 0, this.#ttlMs);
    for (const entry of entries) use(this.#put(entry), lifeMs);
  }

  /** What is known of the first form that elides an original replaces what was known while it was whole. */
  #put(entry: CcrEntry): Original {
    const held = this.originals.get(entry.key) ??
      { entry, bytes: bytesOf(entry), lifeMs: 0, usedBy: new Set<User>() };
    const { entry: before } = held;
    const takesForm = before.keptItems >= before.originalItems &&
      entry.keptItems < entry.originalItems;
    const storedAt = Math.max(before.storedAt, entry.storedAt);
    if (this.originals.has(entry.key)) this.#count(held, -1);
    held.entry = { ...takesForm ? entry : before, storedAt };
    this.originals.set(entry.key, held);
    this.#count(held, 1);
    return held;
  }

  #count({ entry, bytes }: Original, sign: 1 | -1): void {
    this.#held.bytes += sign * bytes;
    this.#held.originalTokens += sign * entry.originalTokens;
    this.#held.formTokens += sign * entry.formTokens;
  }

  #remove(original: Original): void {
    for (const { uses } of original.usedBy) uses.delete(original);
    this.originals.delete(original.entry.key);
    this.#count(original, -1);
  }

  /** Evicts what may go until the batch fits, or throws before anything is changed. */
  #makeRoom({ now, conversation, uses = [], entries = [] }: CcrBatch): void {
    const keys = new Set(entries.map(({ key }) => key));
    const added = entries.filter(({ key }) =>
      !this.originals.has(key) && keys.delete(key)
    )
      .reduce((sum, entry) => sum + bytesOf(entry), 0);
    let free = this.#maxBytes - this.#held.bytes;
    if (added === 0 || added <= free) return;
    const own = conversation && this.conversations.get(conversation);
    const used = new Set([...uses, ...entries.map(({ key }) => key)]);
    const victims: Original[] = [];
    let last: number | undefined;
    for (const one of this.#evictable(now)) {
      // What a conversation used goes as a whole.
      if (free >= added && (one.usedBy.size === 0 || lastUse(one) !== last)) {
        break;
      }
      last = lastUse(one);
      if (used.has(one.entry.key) || own && one.usedBy.has(own)) continue;
      victims.push(one);
      free += one.bytes;
    }
    if (free <= 0) {
      const most = this.#maxBytes;
      throw new Error(
        `Cannot keep ${added} bytes: the store holds ${
          most - free
        } of ${most} bytes and all of it is in use`,
      );
    }
    for (const one of victims) this.#remove(one);
  }

  /** What belongs to no conversation of the last 30 minutes: what none uses first, then what was used longest ago. */
  #evictable(now: number): Original[] {
    const since = now - PROTECTED_MS;
    return [...this.originals.values()]
      .filter(({ entry, usedBy }) =>
        usedBy.size === 0
          ? entry.storedAt < since
          : [...usedBy].every(({ known }) => known.activeAt < since)
      )
      .sort((a, b) =>
        Number(a.usedBy.size > 0) - Number(b.usedBy.size > 0) ||
        lastUse(a) - lastUse(b)
      );
  }

  /** Removes what is too old. */
  #sweep(now: number): void {
    this.#sweepAt = now + PAUSE_MS;
    for (const one of this.originals.values()) {
      if (lastUse(one) + one.lifeMs + GRACE_MS < now) this.#remove(one);
    }
    const since = now - Math.max(UNUSED_LIFETIME_MS, this.#ttlMs);
    const idle = [...this.conversations.values()]
      .filter(({ uses }) => uses.size === 0)
      .sort((a, b) => b.known.activeAt - a.known.activeAt);
    const surplus = new Set(idle.slice(MAX_IDLE));
    this.#forget((one) => one.known.activeAt < since || surplus.has(one));
    for (const [seen, { mappedAt }] of this.responseIds) {
      if (mappedAt < since) this.responseIds.delete(seen);
    }
    this.events = this.events.slice(-MAX_EVENTS);
  }

  #forget(isGone: (user: User) => boolean): void {
    for (const [key, user] of this.conversations) {
      if (!isGone(user)) continue;
      for (const { usedBy } of user.uses) usedBy.delete(user);
      this.conversations.delete(key);
    }
  }
}

/** Last use of an original, in milliseconds since the Unix epoch. */
export function lastUse({ entry, usedBy }: Original): number {
  let last = entry.storedAt;
  for (const { known } of usedBy) last = Math.max(last, known.activeAt);
  return last;
}

function bytesOf({ original }: CcrEntry): number {
  return utf8.encode(original).length;
}
