/** Originals and the conversations that use them, in maps. @module */
import type {
  CcrBatch,
  CcrEntry,
  CcrEntrySummary,
  CcrKey,
  CcrMiss,
  ConversationKey,
} from "../core/store.ts";
import { GRACE_MS } from "./maintenance.ts";
import { PROTECTED_MS, UNUSED_LIFETIME_MS } from "./reads.ts";

/** An original and who uses it. */
interface Original {
  entry: CcrEntry;
  /** UTF-8 bytes of its text. */
  readonly bytes: number;
  /** Milliseconds that it lives after its last use. */
  lifeMs: number;
  readonly usedBy: Set<User>;
}

/** A conversation, as far as it holds originals. */
interface User {
  readonly key: ConversationKey;
  activeAt: number;
  readonly uses: Set<Original>;
}

/** Conversations that are remembered though they hold no original: one takes some hundred bytes. */
const MAX_IDLE_USERS = 20_000;

const utf8 = new TextEncoder();

/** Keeps originals for their life, within a bound of bytes. */
export class MapOriginals {
  readonly #ttlMs: number;
  readonly #maxBytes: number;
  readonly #originals = new Map<CcrKey, Original>();
  readonly #users = new Map<ConversationKey, User>();
  readonly #totals = { bytes: 0, originalTokens: 0, formTokens: 0 };

  /** Holds nothing yet. */
  constructor(ttlMs: number, maxBytes: number) {
    this.#ttlMs = ttlMs;
    this.#maxBytes = maxBytes;
  }

  /** Whether there is such an original, expired or not. */
  has(key: CcrKey): boolean {
    return this.#originals.has(key);
  }

  /** Last activity of a conversation; `undefined` when it is unknown. */
  activeAt(key: ConversationKey): number | undefined {
    return this.#users.get(key)?.activeAt;
  }

  /** Whether a conversation uses an original. */
  isUsed(key: ConversationKey, entry: CcrKey): boolean {
    const original = this.#originals.get(entry);
    return !!original && !!this.#users.get(key)?.uses.has(original);
  }

  /** The original; one that has expired is removed by this look-up. */
  entry(key: CcrKey, now: number): CcrEntry | CcrMiss {
    const found = this.#originals.get(key);
    if (found === undefined) return { status: "missing" };
    const ageMs = now - lastUse(found);
    if (ageMs <= found.lifeMs) return found.entry;
    this.#remove(found);
    return { status: "expired", ageMs };
  }

  /**
   * Evicts what may go until the batch fits: what no conversation uses first, then what only idle ones use.
   *
   * @throws {Error} If there is no room: nothing was changed.
   */
  makeRoom(batch: CcrBatch): void {
    const added = this.#bytesAdded(batch);
    // To look for what may go takes a walk over all that is held.
    if (added === 0 || this.#totals.bytes + added <= this.#maxBytes) return;
    const { victims, released } = this.#planRoom(batch, added);
    let held = this.#totals.bytes;
    for (const { bytes } of victims) held -= bytes;
    if (held >= this.#maxBytes) {
      throw new Error(
        `Cannot keep ${added} bytes: the store holds ${held} of ${this.#maxBytes} bytes and all of it is in use`,
      );
    }
    for (const original of victims) this.#remove(original);
    for (const user of released) release(user);
  }

  /** Notes the activity of the batch's conversation, and what it uses; keeps its originals. */
  keep(
    { now, conversation, uses = [], entries = [], keepsState }: CcrBatch,
  ): void {
    const user = conversation && this.#userOf(conversation, now);
    for (const key of user ? uses : []) {
      const original = this.#originals.get(key);
      if (original === undefined) continue;
      original.lifeMs = Math.max(original.lifeMs, this.#ttlMs);
      link(user!, original);
    }
    const lifeMs = Math.max(keepsState ? UNUSED_LIFETIME_MS : 0, this.#ttlMs);
    for (const entry of entries) {
      const original = this.#originals.get(entry.key) ?? this.#add(entry);
      this.#renew(original, entry, lifeMs);
      if (user) link(user, original);
    }
  }

  /** Whether nothing new can be kept. */
  isFull(now: number): boolean {
    return this.#totals.bytes >= this.#maxBytes && !this.#isEvictable(now);
  }

  /** Living originals, the last used first. */
  list(limit: number, now: number): Omit<CcrEntrySummary, "retrievals">[] {
    return [...this.#originals.values()].reverse()
      .map((one) => ({ ...one, lastUse: lastUse(one) }))
      .filter(({ lifeMs, lastUse }) => now - lastUse <= lifeMs)
      .sort((a, b) =>
        b.lastUse - a.lastUse || b.entry.storedAt - a.entry.storedAt
      )
      .slice(0, Math.max(0, limit))
      .map(({ entry: { original: _, ...known }, bytes, lastUse }) => ({
        ...known,
        bytes,
        lastUse,
      }));
  }

  /** What is held. */
  totals(): {
    entries: number;
    bytes: number;
    originalTokens: number;
    formTokens: number;
  } {
    return { entries: this.#originals.size, ...this.#totals };
  }

  /** The longest time in milliseconds after which something of a conversation may still be wanted. */
  longestLife(): number {
    return Math.max(UNUSED_LIFETIME_MS, this.#ttlMs);
  }

  /** Removes what expired some time ago; returns the conversations that are forgotten. */
  sweep(now: number): readonly ConversationKey[] {
    for (const original of this.#originals.values()) {
      const end = lastUse(original) + original.lifeMs + GRACE_MS;
      if (end < now) this.#remove(original);
    }
    const gone = this.#forgetBefore(now - this.longestLife());
    // Of conversations that hold no original, those that were active last are kept.
    const idle = this.#users.size <= MAX_IDLE_USERS
      ? []
      : [...this.#users.values()].filter(({ uses }) => uses.size === 0)
        .sort((a, b) => b.activeAt - a.activeAt).slice(MAX_IDLE_USERS);
    return [...gone, ...this.#forget(idle)];
  }

  /** Removes everything. */
  clearAll(): void {
    for (const original of this.#originals.values()) this.#remove(original);
    this.#users.clear();
  }

  /** Removes what belongs to no conversation of the last 30 minutes; returns what is gone. */
  clearIdle(now: number): {
    readonly removed: ReadonlySet<CcrKey>;
    readonly gone: readonly ConversationKey[];
  } {
    const since = now - PROTECTED_MS;
    const removed = new Set<CcrKey>();
    for (const original of this.#originals.values()) {
      const { entry, usedBy } = original;
      const isKept = usedBy.size === 0
        ? entry.storedAt >= since
        : isBusy(original, since);
      if (isKept) continue;
      removed.add(entry.key);
      this.#remove(original);
    }
    return { removed, gone: this.#forgetBefore(since) };
  }

  #userOf(key: ConversationKey, now: number): User {
    const user = this.#users.get(key) ??
      { key, activeAt: now, uses: new Set() };
    user.activeAt = Math.max(user.activeAt, now);
    this.#users.set(key, user);
    return user;
  }

  #bytesAdded({ entries = [] }: CcrBatch): number {
    const fresh = new Map(
      entries.filter(({ key }) => !this.has(key))
        .map(({ key, original }) => [key, bytesOf(original)]),
    );
    return [...fresh.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** What would go, looked at as if the batch's conversation were noted already. */
  #planRoom(
    { now, conversation, uses = [], entries = [] }: CcrBatch,
    added: number,
  ) {
    const since = now - PROTECTED_MS;
    const used = new Set(
      conversation && [...uses, ...entries.map(({ key }) => key)],
    );
    const victims = new Set<Original>();
    const released = new Set<User>();
    let over = this.#totals.bytes + added - this.#maxBytes;
    const take = (original: Original) => {
      if (used.has(original.entry.key)) return;
      victims.add(original);
      over -= original.bytes;
    };
    for (const original of this.#unused(since)) {
      if (over <= 0) break;
      take(original);
    }
    for (const user of this.#idle(since)) {
      if (over <= 0) break;
      if (user.key === conversation) continue;
      released.add(user);
      for (const original of user.uses) {
        const users = [...original.usedBy];
        if (users.every((one) => released.has(one))) take(original);
      }
    }
    return { victims, released };
  }

  /** Originals that no conversation uses, stored before `since`, the oldest first. */
  #unused(since: number): readonly Original[] {
    return [...this.#originals.values()]
      .filter(({ entry, usedBy }) =>
        usedBy.size === 0 && entry.storedAt < since
      )
      .sort((a, b) => a.entry.storedAt - b.entry.storedAt);
  }

  /** Conversations that hold originals and were last active before `since`, the oldest first. */
  #idle(since: number): readonly User[] {
    return [...this.#users.values()]
      .filter(({ activeAt, uses }) => uses.size > 0 && activeAt < since)
      .sort((a, b) => a.activeAt - b.activeAt);
  }

  #isEvictable(now: number): boolean {
    const since = now - PROTECTED_MS;
    return this.#unused(since).length > 0 ||
      this.#idle(since).some(({ uses }) =>
        [...uses].some((original) => !isBusy(original, since))
      );
  }

  #add(entry: CcrEntry): Original {
    const bytes = bytesOf(entry.original);
    const original = { entry, bytes, lifeMs: 0, usedBy: new Set<User>() };
    this.#originals.set(entry.key, original);
    this.#count(original, 1);
    return original;
  }

  /** What is known of the first form that elides an original replaces what was known while it was whole. */
  #renew(known: Original, entry: CcrEntry, lifeMs: number): void {
    const { entry: before } = known;
    const takesForm = before.keptItems >= before.originalItems &&
      entry.keptItems < entry.originalItems;
    const { original } = before;
    const storedAt = Math.max(before.storedAt, entry.storedAt);
    this.#count(known, -1);
    known.entry = { ...takesForm ? entry : before, original, storedAt };
    known.lifeMs = Math.max(known.lifeMs, lifeMs);
    this.#count(known, 1);
  }

  #count({ entry, bytes }: Original, sign: 1 | -1): void {
    this.#totals.bytes += sign * bytes;
    this.#totals.originalTokens += sign * entry.originalTokens;
    this.#totals.formTokens += sign * entry.formTokens;
  }

  #remove(original: Original): void {
    for (const user of original.usedBy) user.uses.delete(original);
    this.#originals.delete(original.entry.key);
    this.#count(original, -1);
  }

  #forgetBefore(since: number): readonly ConversationKey[] {
    return this.#forget(
      [...this.#users.values()].filter(({ activeAt }) => activeAt < since),
    );
  }

  #forget(gone: readonly User[]): readonly ConversationKey[] {
    for (const user of gone) {
      release(user);
      this.#users.delete(user.key);
    }
    return gone.map(({ key }) => key);
  }
}

function lastUse({ entry, usedBy }: Original): number {
  let last = entry.storedAt;
  for (const { activeAt } of usedBy) last = Math.max(last, activeAt);
  return last;
}

function isBusy({ usedBy }: Original, since: number): boolean {
  return [...usedBy].some(({ activeAt }) => activeAt >= since);
}

function link(user: User, original: Original): void {
  user.uses.add(original);
  original.usedBy.add(user);
}

function release(user: User): void {
  for (const original of user.uses) original.usedBy.delete(user);
  user.uses.clear();
}

function bytesOf(text: string): number {
  return utf8.encode(text).length;
}
