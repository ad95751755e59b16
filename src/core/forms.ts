/** What the pipeline asks about blocks and conversations that it has seen before. @module */
import type { AnsweredRetrieval } from "./retrieval.ts";
import type {
  AskedShape,
  BlockKey,
  CcrKey,
  ConversationKey,
  FrozenForm,
  RetrievalEvent,
  WriteTime,
} from "./store.ts";

/** One block, as far as needed to recognise it. */
export interface BlockProbe {
  /** Id of the tool call; `undefined` where the client gives none. */
  readonly callId: string | undefined;
  /** Name of the tool, when known. */
  readonly toolName: string | undefined;
  /** Position among the text parts of the tool result. */
  readonly part: number;
  /** The string literal as it stands in the body. */
  readonly literal: Uint8Array;
  /** Arguments of the call as they stand in the body; `undefined` when it has none. */
  readonly args: Uint8Array | undefined;
  /** Decodes it; `undefined` when it cannot be rewritten. */
  text(): string | undefined;
  /** Stands in for a missing call id: the conversation key. */
  readonly standIn: string;
}

/** A block's identity, found once. */
export interface BlockName {
  /** Empty where the literal is no well-formed text: it is never rewritten. */
  readonly key: BlockKey | "";
  /** Digest of the call's arguments; `undefined` when it has none. */
  readonly call: string | undefined;
}

/** What is known about a block. */
export type BlockLookup =
  /** A form was sent for it before: exactly these bytes go out again. */
  | {
    readonly state: "form";
    readonly key: BlockKey;
    readonly form: FrozenForm;
  }
  /** Seen in an earlier request and left as it is. */
  | {
    readonly state: "alone";
    readonly key: BlockKey;
    /** As of a `new` one. */
    readonly verdict: string;
  }
  /** Never seen here, and the store has no form for it. Its text is not kept: nearly all of them stand in older turns. */
  | {
    readonly state: "new";
    readonly key: BlockKey;
    /** Names the block together with the arguments of its call: what a verdict to leave it alone depends on. */
    readonly verdict: string;
  }
  /** Not decodable: never rewritten. */
  | { readonly state: "unreadable" };

/** Memory of blocks, in front of the store. */
export interface FrozenForms {
  /** Names a block. Decodes only a literal that this process has not seen. */
  name(probe: BlockProbe): BlockName;
  /**
   * Looks blocks up: memory first, then one batch to the store.
   *
   * @param blocks `n` blocks of one request.
   * @returns `n` answers in the same order.
   */
  lookup(blocks: readonly BlockName[]): readonly BlockLookup[];
  /** Notes that these blocks are being sent as they are now known: `new` ones without an adopted form are left alone from now on. */
  settle(lookups: readonly BlockLookup[]): void;
  /** Takes forms that a transaction left in the store. `verdicts`: those of the blocks, which are no longer left alone. */
  adopt(
    forms: ReadonlyMap<BlockKey, FrozenForm>,
    verdicts: readonly string[],
  ): void;
  /** Forgets forms that were committed and never sent. */
  forget(keys: readonly BlockKey[]): void;
}

/** What is known about a conversation, as of now. */
export interface ConversationState {
  /** Definition of the retrieval tool it has declared. */
  readonly definition: string | undefined;
  /** Retrievals the proxy answered in it, oldest first. */
  readonly retrievals: readonly AnsweredRetrieval[];
  /** What its model has asked for so far. */
  readonly asked: readonly AskedShape[];
  /** Milliseconds since the Unix epoch of its last known request; `undefined` for a new conversation. */
  readonly activeAt: number | undefined;
}

/** Which response or conversation a client means: names that are kept for others. */
export interface ResponseIds {
  /** What was noted for `seen`, also by another process; `undefined` when nothing was. */
  find(seen: string): string | undefined;
  /**
   * Notes that `seen` stands for `last`; known to this process at once.
   *
   * @param when `soon`: with others, off the request path; `now` unless given.
   * @returns When it is durable. @throws {Error} If the store refused.
   */
  note(seen: string, last: string, when?: WriteTime): Promise<void>;
}

/** What one response asked for. Either list may be empty. */
export interface Answered {
  /** To be put back on later requests. */
  readonly retrievals: readonly AnsweredRetrieval[];
  /** To be counted. */
  readonly asked: readonly RetrievalEvent[];
}

/** Memory of conversations, in front of the store. */
export interface Conversations {
  /** What is known, also from other processes; empty for a new one. */
  open(key: ConversationKey): ConversationState;
  /**
   * Notes that a request of this conversation declares the tool; the first definition stays.
   * Written off the request path.
   * @returns The definition in force.
   */
  declare(key: ConversationKey, definition: string): string;
  /**
   * Notes a conversation that has no tool, so that it never gets one later. Written once.
   *
   * @param when `soon`: with others, off the request path; unless given.
   */
  seen(key: ConversationKey, when?: WriteTime): void;
  /** The host does not take the tool: the conversation has none from now on. */
  undeclare(key: ConversationKey): void;
  /** Notes a request and the originals whose markers it sends. Written off the request path. Never rejects. */
  active(key: ConversationKey, entries: readonly CcrKey[]): void;
  /** Notes that a transaction at `now` linked these originals to the conversation. */
  linked(key: ConversationKey, entries: readonly CcrKey[], now: number): void;
  /** Which of these originals may be expired or missing, or end soon: they must be stored again before their marker leaves. */
  stale(
    key: ConversationKey,
    entries: readonly CcrKey[],
    now: number,
  ): readonly CcrKey[];
  /** Whether this original was sent in the conversation, by this process or another one. */
  hasSent(key: ConversationKey, entry: CcrKey): boolean;
  /**
   * Takes over answered retrievals of other conversations that belong to turns of this one: a fork or a resumed
   * session goes on with them under another key. What they gave back counts as sent here. Asks once per conversation and process, and never for one that has
   * declared the tool: it began on its own. Known at once; written off the request path.
   *
   * @param names All names of its turns; asked for at most once, and only if there is anything to take over.
   */
  adopt(
    key: ConversationKey,
    names: () => readonly string[],
  ): ConversationState;
  /**
   * Appends answered retrievals and what they gave back; resolves once they are durable.
   * @throws {Error} If the store refused: they are then known to this process only.
   */
  remember(key: ConversationKey, answered: Answered): Promise<void>;
}
