/** Conversations of which a request went out without our tools: they go on without. @module */
import type { BodyScan } from "../core/format.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { RecognisedBlocks } from "./frozen_pass.ts";
import type { Turn } from "./turn.ts";

/** A body of a conversation, and what is known of its blocks. */
interface Recognised {
  readonly key: ConversationKey;
  readonly origin: ConversationKey;
  readonly scan: Pick<BodyScan, "blocks" | "lastModelMessage">;
  readonly recognised: RecognisedBlocks;
  /** What went out before a cold turn is nothing that the tool could break. */
  readonly turn: Pick<Turn, "count">;
}

/** Under which names it is kept that requests with tools went out without ours. */
interface UndeclaredNames {
  /** Any request with this first message. */
  readonly every: ConversationKey;
  /** One before the first result. */
  readonly early: ConversationKey;
  /** One with the same first result, under any session: by its call, and where it is new by its text. */
  readonly own: readonly ConversationKey[];
}

/**
 * Callers that ask each question once send the same first message with other results, maybe under the same call: those
 * are other conversations. One that goes on keeps the call of its first result, though its text may be cleared.
 */
function undeclaredNames(
  { key, origin, scan, recognised: { lookups }, turn }: Recognised,
): UndeclaredNames {
  const every = `${key} undeclared`;
  const now = `${origin} undeclared ${turn.count}`;
  const at = scan.blocks.findIndex(({ isUserText }) => !isUserText);
  const [first, lookup] = [scan.blocks[at], lookups[at]];
  const text = lookup && "key" in lookup ? [`${now} text ${lookup.key}`] : [];
  const own = first === undefined
    ? []
    : first.callId === undefined
    ? text
    : first.messageIndex > scan.lastModelMessage
    ? [...text, `${now} call ${first.callId}`]
    : [`${now} call ${first.callId}`];
  return {
    every: every as ConversationKey,
    early: `${every} early` as ConversationKey,
    own: own as ConversationKey[],
  };
}

/** The names under which a request is kept that goes out without our tools. */
export function namesUndeclared(
  request: Recognised,
): readonly ConversationKey[] {
  const { every, early, own } = undeclaredNames(request);
  return [every, ...own.length === 0 ? [early] : own];
}

/** Whether an earlier request of the conversation, as far as the body shows which it is, went out without our tools. */
export function wentUndeclared(
  { conversations }: Pick<CompressParts, "conversations">,
  request: Recognised & { readonly scan: BodyScan },
): boolean {
  const { scan, turn } = request;
  const isKnown = (name: ConversationKey | undefined) =>
    name !== undefined && conversations.open(name).activeAt !== undefined;
  const { every, early, own } = undeclaredNames(request);
  if (!scan.begun) return isKnown(every);
  return isKnown(own[0]) || (turn.count === 0 && isKnown(early));
}
