/** Which decisions hold in a request: a conversation is decided anew when the provider has forgotten it. @module */
import type { BlockName } from "../core/forms.ts";
import type { BlockKey, ConversationKey } from "../core/store.ts";

/** Which decisions hold in a request. */
export interface Turn {
  /** Cold turns of the conversation, this one included. */
  readonly cold: number;
  /** Those on which its results were decided anew: its blocks have other forms after each. */
  readonly count: number;
  /** Whether this is a cold turn: something changes that was sent before. */
  readonly isCold: boolean;
  /** Whether results are decided anew on it. */
  readonly isAnew: boolean;
  /** Messages from the start whose plain reasoning is left out. */
  readonly unreasoned: number;
  /** Where the store keeps the count, and what it is now; `undefined` where there is none to keep. */
  readonly note: readonly [name: string, value: string] | undefined;
  /** Under which name it is kept when the provider last read it; `undefined` where that does not matter. */
  readonly activity: ConversationKey | undefined;
}

/** A request by which no conversation is known that could have been decided anew. */
export const FIRST_TURN: Turn = {
  cold: 0,
  count: 0,
  isCold: false,
  isAnew: false,
  unreasoned: 0,
  note: undefined,
  activity: undefined,
};

/** The block as it is called after `count` cold turns: what was decided before them does not hold. */
export function namedAfter(count: number, name: BlockName): BlockName {
  if (count === 0 || name.key === "") return name;
  return { ...name, key: `${name.key} ${count}` as BlockKey };
}
