/** Declaration, answered retrievals, what was asked for and activity of each conversation. @module */
import type { Clock } from "../core/clock.ts";
import type {
  Answered,
  Conversations,
  ConversationState,
} from "../core/forms.ts";
import type { Log } from "../core/log.ts";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  AskedShape,
  CcrBatch,
  CcrKey,
  CcrStore,
  ConversationKey,
  WriteTime,
} from "../core/store.ts";
import {
  askedBy,
  type Kept,
  missingFrom,
  newestEvent,
  notePersisted,
  noteSaved,
  originalsIn,
  unreadConversation,
  withoutRepeats,
} from "./kept_conversation.ts";
import { Lru } from "../bytes/lru.ts";
import { PROTECTED_MS } from "./reads.ts";

/** Conversations kept in memory. */
const MAX_CONVERSATIONS = 10_000;
/** Activity is written at most this often, in milliseconds. */
const ACTIVITY_MS = 60_000;
/** An original this close to its end, in milliseconds, is stored again rather than relied on. */
const MARGIN_MS = 300_000;

/** Bounds and surroundings. */
export interface ConversationsOptions {
  /** Time of writes. */
  readonly clock: Clock;
  /** Seconds that an original lives after its last use. */
  readonly ttlSeconds: number;
  /** Where the first failed write off the request path is noted. */
  readonly log: Log;
}

/** Makes the conversations in front of `store`. */
export function makeConversations(
  store: CcrStore,
  options: ConversationsOptions,
): Conversations {
  return new StoredConversations(store, options);
}

class StoredConversations implements Conversations {
  readonly #store: CcrStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #activityMs: number;
  /** An original lives at least until this long after the activity that the store has. */
  readonly #safeMs: number;
  readonly #kept = new Lru<ConversationKey, Kept>(MAX_CONVERSATIONS);
  #failed = false;

  constructor(store: CcrStore, options: ConversationsOptions) {
    const ttlMs = options.ttlSeconds * 1000;
    this.#store = store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#activityMs = Math.min(ACTIVITY_MS, ttlMs / 4);
    this.#safeMs = ttlMs - Math.min(MARGIN_MS, ttlMs / 4);
  }

  open(key: ConversationKey): ConversationState {
    const kept = this.#load(key);
    const { definition, retrievals } = kept;
    // Another process may have gone on with it.
    const activeAt = kept.activeAt === undefined
      ? undefined
      : Math.max(kept.activeAt, kept.persistedAt ?? 0);
    return { definition, retrievals, asked: this.#asked(key, kept), activeAt };
  }

  declare(key: ConversationKey, definition: string): string {
    const kept = this.#load(key);
    if (kept.definition !== undefined) return kept.definition;
    this.#define(key, kept, definition);
    return definition;
  }

  seen(key: ConversationKey, when: WriteTime = "soon"): void {
    const kept = this.#load(key);
    if (kept.activeAt !== undefined) return;
    const now = this.#clock.now();
    kept.activeAt = now;
    this.#post(kept, { conversation: key, now }, when);
  }

  undeclare(key: ConversationKey): void {
    this.#define(key, this.#load(key), null);
  }

  active(key: ConversationKey, entries: readonly CcrKey[]): void {
    const kept = this.#load(key);
    const now = this.#clock.now();
    this.#forgetExpired(kept, now);
    kept.activeAt = now;
    const uses = [...new Set(entries)].filter((entry) =>
      !kept.linked.has(entry)
    );
    // Nothing to keep alive and nothing known: the store need not hear of it.
    if (uses.length === 0 && kept.persistedAt === undefined) return;
    if (uses.length === 0 && now - kept.postedAt < this.#activityMs) return;
    this.#post(kept, { conversation: key, now, uses }, "soon");
  }

  linked(key: ConversationKey, entries: readonly CcrKey[], now: number): void {
    // It was just written: the next request reads what came with that.
    const kept = this.#kept.get(key) ?? this.#load(key);
    this.#forgetExpired(kept, now);
    kept.activeAt = now;
    for (const entry of entries) kept.linked.add(entry);
    // Others may have asked for them before.
    if (entries.length > 0) kept.askedAs = undefined;
    notePersisted(kept, now);
  }

  stale(
    key: ConversationKey,
    entries: readonly CcrKey[],
    now: number,
  ): readonly CcrKey[] {
    const { persistedAt = -Infinity, linked } = this.#load(key);
    const idle = now - persistedAt;
    const relied = idle <= this.#safeMs;
    // Past half of the protected time the conversation may be evicted before its activity is written again.
    const protectedNow = relied && idle <= PROTECTED_MS / 2;
    return [...new Set(entries)].filter((entry) =>
      !(protectedNow && linked.has(entry)) &&
      !this.#lives(entry, now, relied && linked.has(entry))
    );
  }

  hasSent(key: ConversationKey, entry: CcrKey): boolean {
    return this.#load(key).linked.has(entry) ||
      this.#store.isLinked(key, entry);
  }

  adopt(
    key: ConversationKey,
    names: () => readonly string[],
  ): ConversationState {
    const kept = this.#load(key);
    if (kept.hasAdopted) return this.open(key);
    kept.hasAdopted = true;
    // What is written now is no request.
    const { activeAt } = kept;
    // One that has the tool began on its own. Names cost a walk over the whole body.
    if (kept.definition === undefined && this.#store.hasAnchors()) {
      const found = withoutRepeats(this.#store.anchored(names()));
      const retrievals = missingFrom(kept.retrievals, found);
      kept.retrievals = [...kept.retrievals, ...retrievals];
      const uses = retrievals.flatMap(originalsIn);
      this.#postRetrievals(key, kept, retrievals, uses);
    }
    return { ...this.open(key), activeAt };
  }

  async remember(
    key: ConversationKey,
    { retrievals, asked }: Answered,
  ): Promise<void> {
    if (retrievals.length === 0 && asked.length === 0) return;
    const kept = this.#load(key);
    const now = this.#clock.now();
    kept.retrievals = withoutRepeats([...kept.retrievals, ...retrievals]);
    kept.unsaved = [...kept.unsaved, ...retrievals];
    kept.unsavedAsked = [...kept.unsavedAsked, ...asked];
    kept.askedAs = undefined;
    await this.#store.write({ conversation: key, now, retrievals, asked });
    noteSaved(kept, { retrievals, asked });
    notePersisted(kept, now);
  }

  /** What is active again after a long pause may have lost its originals meanwhile, those that it does not send now too. */
  #forgetExpired(kept: Kept, now: number): void {
    const { persistedAt } = kept;
    if (persistedAt !== undefined && now - persistedAt > this.#safeMs) {
      kept.linked.clear();
    }
  }

  /** Of the store, also what came through other doors since, and what it does not show yet. */
  #asked(key: ConversationKey, kept: Kept): readonly AskedShape[] {
    const newest = newestEvent(this.#store);
    if (kept.askedAs !== newest) {
      kept.asked = askedBy(key, this.#store, kept.unsavedAsked);
      kept.askedAs = newest;
    }
    return kept.asked;
  }

  #lives(entry: CcrKey, now: number, relied: boolean): boolean {
    const found = this.#store.entry(entry, now);
    if ("status" in found) return false;
    return relied || now - found.storedAt <= this.#safeMs;
  }

  #load(key: ConversationKey): Kept {
    const stored = this.#store.conversation(key);
    const known = this.#kept.get(key);
    const kept = known ?? unreadConversation(stored);
    const isGone = stored === undefined && kept.persistedAt !== undefined;
    kept.persistedAt = stored?.activeAt;
    kept.activeAt ??= stored?.activeAt;
    if (known && !isGone && stored?.revision === kept.revision) return kept;
    // First sight, or something was written since, maybe by another process.
    kept.revision = stored?.revision;
    if (kept.defining === 0) kept.definition ??= stored?.definition;
    const lost = this.#readRetrievals(key, kept);
    kept.askedAs = undefined;
    this.#kept.set(key, kept);
    if (isGone || lost.length > 0) this.#restore(key, kept, lost);
    return kept;
  }

  /** Returns those that the store had and has no more. */
  #readRetrievals(
    key: ConversationKey,
    kept: Kept,
  ): readonly AnsweredRetrieval[] {
    const stored = this.#store.retrievals(key);
    const lost = missingFrom([...stored, ...kept.unsaved], kept.retrievals);
    kept.retrievals = withoutRepeats([...lost, ...stored, ...kept.unsaved]);
    return lost;
  }

  /** The store was cleared. What was sent before goes on being sent, also after a restart. */
  #restore(
    key: ConversationKey,
    kept: Kept,
    lost: readonly AnsweredRetrieval[],
  ): void {
    // What was linked may be gone with it.
    kept.linked.clear();
    if (kept.definition !== undefined) {
      this.#define(key, kept, kept.definition);
    }
    this.#postRetrievals(key, kept, lost);
  }

  #postRetrievals(
    key: ConversationKey,
    kept: Kept,
    retrievals: readonly AnsweredRetrieval[],
    uses: readonly CcrKey[] = [],
  ): void {
    if (retrievals.length === 0) return;
    kept.unsaved = [...kept.unsaved, ...retrievals];
    const now = this.#clock.now();
    this.#post(kept, { conversation: key, now, retrievals, uses });
  }

  #define(key: ConversationKey, kept: Kept, definition: string | null): void {
    kept.definition = definition ?? undefined;
    kept.defining++;
    const now = this.#clock.now();
    this.#post(kept, { conversation: key, now, definition })
      .finally(() => kept.defining--);
  }

  /** The promise never rejects. */
  #post(
    kept: Kept,
    batch: CcrBatch,
    when: WriteTime = "surely",
  ): Promise<void> {
    const { uses = [], retrievals = [], now } = batch;
    kept.postedAt = now;
    for (const entry of uses) kept.linked.add(entry);
    return this.#store.write(batch, when).then(
      () => {
        if (uses.length > 0) kept.askedAs = undefined;
        noteSaved(kept, { retrievals, asked: [] });
        notePersisted(kept, now);
      },
      (error: unknown) => {
        for (const entry of uses) kept.linked.delete(entry);
        kept.postedAt = -Infinity;
        if (this.#failed) return;
        this.#failed = true;
        this.#log("warn", "ccr_activity_failed", { reason: String(error) });
      },
    );
  }
}
