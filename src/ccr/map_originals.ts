/** Originals and who uses them, in maps. @module */
import type {
  CcrBatch,
  CcrEntry,
  CcrEntrySummary,
  CcrKey,
  CcrMiss,
  ConversationKey,
} from "../core/store.ts";
import { GRACE_MS } from "./maintenance.ts";
import { FORM_LIFE_MS, PROTECTED_MS } from "./reads.ts";

/** An original and what is kept beside it. */
interface Original {
  entry: CcrEntry;
  /** UTF-8 bytes of its text. */
  readonly bytes: number;
  /** Milliseconds that it lives after its last use. */
  lifeMs: number;
  readonly usedBy: Set<ConversationKey>;
}

/** A conversation, as far as it holds originals. */
interface User {
  activeAt: number;
  readonly uses: Set<CcrKey>;
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
  #bytes = 0;
  #originalTokens = 0;
  #formTokens = 0;

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

  /** Originals that a conversation uses. */
  usedBy(key: ConversationKey): ReadonlySet<CcrKey> {
    return this.#users.get(key)?.uses ?? new Set();
  }

  /** The original; one that has expired is removed by this look-up. */
  entry(key: CcrKey, now: number): CcrEntry | CcrMiss {
    const found = this.#originals.get(key);
    if (found === undefined) return { status: "missing" };
    const ageMs = now - this.#lastUse(found);
    if (ageMs <= found.lifeMs) return found.entry;
    this.#remove(key);
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
    if (added === 0 || this.#bytes + added <= this.#maxBytes) return;
    const { victims, released } = this.#planRoom(batch, added);
    const freed = [...victims].reduce(
      (sum, key) => sum + this.#originals.get(key)!.bytes,
      0,
    );
    const held = this.#bytes - freed;
    if (held >= this.#maxBytes) {
      throw new Error(
        `Cannot keep ${added} bytes: the store holds ${held} of ${this.#maxBytes} bytes and all of it is in use`,
      );
    }
    for (const key of victims) this.#remove(key);
    for (const key of released) this.#release(key);
  }

  /** Notes the activity of the batch's conversation, and what it uses. */
  note(conversation: ConversationKey, { now, uses = [] }: CcrBatch): void {
    const user = this.#users.get(conversation) ??
      { activeAt: now, uses: new Set() };
    user.activeAt = Math.max(user.activeAt, now);
    this.#users.set(conversation, user);
    for (const key of uses) {
      const original = this.#originals.get(key);
      if (original === undefined) continue;
      original.lifeMs = Math.max(original.lifeMs, this.#ttlMs);
      this.#link(conversation, key);
    }
  }

  /** Keeps the batch's originals, and links them to its conversation. */
  keep({ entries = [], conversation, keepsState }: CcrBatch): void {
    const lifeMs = Math.max(keepsState ? FORM_LIFE_MS : 0, this.#ttlMs);
    for (const entry of entries) {
      const known = this.#originals.get(entry.key);
      if (known === undefined) this.#add(entry, lifeMs);
      else this.#renew(known, entry, lifeMs);
      if (conversation !== undefined) this.#link(conversation, entry.key);
    }
  }

  /** Whether nothing new can be kept. */
  isFull(now: number): boolean {
    return this.#bytes >= this.#maxBytes && !this.#isEvictable(now);
  }

  /** Living originals, the last used first. */
  list(limit: number, now: number): Omit<CcrEntrySummary, "retrievals">[] {
    const living = [...this.#originals.values()]
      .map((original) => ({ original, lastUse: this.#lastUse(original) }))
      .filter(({ original, lastUse }) => now - lastUse <= original.lifeMs)
      .reverse();
    living.sort((a, b) =>
      b.lastUse - a.lastUse ||
      b.original.entry.storedAt - a.original.entry.storedAt
    );
    return living.slice(0, Math.max(0, limit)).map(({ original, lastUse }) => {
      const { original: _, ...known } = original.entry;
      return { ...known, bytes: original.bytes, lastUse };
    });
  }

  /** What is held. */
  totals(): {
    entries: number;
    bytes: number;
    originalTokens: number;
    formTokens: number;
  } {
    return {
      entries: this.#originals.size,
      bytes: this.#bytes,
      originalTokens: this.#originalTokens,
      formTokens: this.#formTokens,
    };
  }

  /** The longest time in milliseconds after which something of a conversation may still be wanted. */
  longestLife(): number {
    return Math.max(FORM_LIFE_MS, this.#ttlMs);
  }

  /** Removes what expired some time ago; returns the conversations that are forgotten. */
  sweep(now: number): readonly ConversationKey[] {
    for (const [key, original] of this.#originals) {
      const end = this.#lastUse(original) + original.lifeMs + GRACE_MS;
      if (end < now) this.#remove(key);
    }
    return [
      ...this.#forgetBefore(now - this.longestLife()),
      ...this.#forgetBeyond(MAX_IDLE_USERS),
    ];
  }

  /** Removes everything. */
  clearAll(): void {
    for (const key of this.#originals.keys()) this.#remove(key);
    this.#users.clear();
  }

  /** Removes what belongs to no conversation of the last 30 minutes; says what went. */
  clearIdle(now: number): {
    readonly removed: ReadonlySet<CcrKey>;
    readonly gone: readonly ConversationKey[];
  } {
    const since = now - PROTECTED_MS;
    const removed = new Set<CcrKey>();
    for (const [key, { entry, usedBy }] of this.#originals) {
      const isIdle = usedBy.size === 0
        ? entry.storedAt < since
        : !this.#isBusy(usedBy, since);
      if (isIdle) removed.add(key);
    }
    for (const key of removed) this.#remove(key);
    return { removed, gone: this.#forgetBefore(since) };
  }

  #lastUse({ entry, usedBy }: Original): number {
    let last = entry.storedAt;
    for (const key of usedBy) {
      last = Math.max(last, this.#users.get(key)?.activeAt ?? 0);
    }
    return last;
  }

  #isBusy(users: ReadonlySet<ConversationKey>, since: number): boolean {
    return [...users].some((key) => this.#users.get(key)!.activeAt >= since);
  }

  #bytesAdded({ entries = [] }: CcrBatch): number {
    const fresh = new Map(
      entries.filter(({ key }) => !this.#originals.has(key))
        .map(({ key, original }) => [key, original]),
    );
    return [...fresh.values()].reduce((sum, text) => sum + bytesOf(text), 0);
  }

  /** What would go, looked at as if the batch's conversation were noted already. */
  #planRoom(
    { now, conversation, uses = [], entries = [] }: CcrBatch,
    added: number,
  ) {
    const since = now - PROTECTED_MS;
    const used = new Set(
      conversation === undefined
        ? []
        : [...uses, ...entries.map(({ key }) => key)],
    );
    const victims = new Set<CcrKey>();
    const released = new Set<ConversationKey>();
    let held = this.#bytes;
    const take = (key: CcrKey) => {
      victims.add(key);
      held -= this.#originals.get(key)!.bytes;
    };
    for (const key of this.#loose(since)) {
      if (held + added <= this.#maxBytes) break;
      if (!used.has(key)) take(key);
    }
    for (const key of this.#idle(since)) {
      if (held + added <= this.#maxBytes) break;
      if (key === conversation) continue;
      released.add(key);
      for (const use of this.#users.get(key)!.uses) {
        const users = [...this.#originals.get(use)!.usedBy];
        if (!used.has(use) && users.every((user) => released.has(user))) {
          take(use);
        }
      }
    }
    return { victims, released };
  }

  /** Originals that no conversation uses, stored before `since`, the oldest first. */
  #loose(since: number): readonly CcrKey[] {
    return [...this.#originals.values()]
      .filter(({ entry, usedBy }) =>
        usedBy.size === 0 && entry.storedAt < since
      )
      .sort((a, b) => a.entry.storedAt - b.entry.storedAt)
      .map(({ entry }) => entry.key);
  }

  /** Conversations that hold originals and were last active before `since`, the oldest first. */
  #idle(since: number): readonly ConversationKey[] {
    return [...this.#users]
      .filter(([, { activeAt, uses }]) => uses.size > 0 && activeAt < since)
      .sort(([, a], [, b]) => a.activeAt - b.activeAt)
      .map(([key]) => key);
  }

  #isEvictable(now: number): boolean {
    const since = now - PROTECTED_MS;
    return this.#loose(since).length > 0 ||
      this.#idle(since).some((key) =>
        [...this.#users.get(key)!.uses].some((use) =>
          !this.#isBusy(this.#originals.get(use)!.usedBy, since)
        )
      );
  }

  #add(entry: CcrEntry, lifeMs: number): void {
    const bytes = bytesOf(entry.original);
    this.#originals.set(entry.key, {
      entry,
      bytes,
      lifeMs,
      usedBy: new Set(),
    });
    this.#bytes += bytes;
    this.#count(entry, 1);
  }

  /** What is known of the first form that elides an original replaces what was known while it was whole. */
  #renew(known: Original, entry: CcrEntry, lifeMs: number): void {
    const { entry: before } = known;
    const takesForm = before.keptItems >= before.originalItems &&
      entry.keptItems < entry.originalItems;
    const { original } = before;
    const storedAt = Math.max(before.storedAt, entry.storedAt);
    this.#count(before, -1);
    known.entry = { ...takesForm ? entry : before, original, storedAt };
    known.lifeMs = Math.max(known.lifeMs, lifeMs);
    this.#count(known.entry, 1);
  }

  #count({ originalTokens, formTokens }: CcrEntry, sign: 1 | -1): void {
    this.#originalTokens += sign * originalTokens;
    this.#formTokens += sign * formTokens;
  }

  #link(conversation: ConversationKey, key: CcrKey): void {
    this.#users.get(conversation)!.uses.add(key);
    this.#originals.get(key)!.usedBy.add(conversation);
  }

  #release(conversation: ConversationKey): void {
    const user = this.#users.get(conversation)!;
    for (const key of user.uses) {
      this.#originals.get(key)?.usedBy.delete(conversation);
    }
    user.uses.clear();
  }

  #remove(key: CcrKey): void {
    const original = this.#originals.get(key);
    if (original === undefined) return;
    for (const user of original.usedBy) this.#users.get(user)?.uses.delete(key);
    this.#originals.delete(key);
    this.#bytes -= original.bytes;
    this.#count(original.entry, -1);
  }

  #forgetBefore(since: number): readonly ConversationKey[] {
    return this.#forget(
      [...this.#users]
        .filter(([, { activeAt }]) => activeAt < since)
        .map(([key]) => key),
    );
  }

  /** Of conversations that hold no original, keeps those that were active last. */
  #forgetBeyond(kept: number): readonly ConversationKey[] {
    if (this.#users.size <= kept) return [];
    const idle = [...this.#users]
      .filter(([, { uses }]) => uses.size === 0)
      .sort(([, a], [, b]) => b.activeAt - a.activeAt);
    return this.#forget(idle.slice(kept).map(([key]) => key));
  }

  #forget(gone: readonly ConversationKey[]): readonly ConversationKey[] {
    for (const key of gone) {
      this.#release(key);
      this.#users.delete(key);
    }
    return gone;
  }
}

function bytesOf(text: string): number {
  return utf8.encode(text).length;
}
