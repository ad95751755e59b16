/** Proves of every request that what was sent for its conversation before is sent again. @module */
import { commonPrefix } from "../bytes/common_prefix.ts";
import { JsonReader } from "../bytes/json_difference.ts";
import { Lru } from "../bytes/lru.ts";
import type { PrefixProof } from "../core/ledger.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressedBody } from "./compressed_body.ts";
import {
  comparePrompts,
  elementIndex,
  type MemberComparison,
  type PromptDifference,
} from "./prompt_difference.ts";
import { editAt, reachAt, type SentPrompt, sentPrompt } from "./sent_prompt.ts";

/** What is remembered at most. */
export interface PrefixProofOptions {
  /** Bytes of bodies; default 16 MiB. What was used longest ago is forgotten first. */
  readonly maxBytes?: number;
  /** Conversations; default 1000. */
  readonly maxConversations?: number;
}

/** Compares each request with the one before of its conversation. */
export interface PrefixProofs {
  /**
   * Compares what is sent now, and remembers it. To be called once for each body that leaves, in the order of leaving;
   * not for questions about a conversation, which the provider's cache never sees. Never throws.
   *
   * @returns `undefined` for a body without a conversation.
   */
  prove(call: CompressedBody): PrefixProof | undefined;
  /** The same; compared is only when the result is asked for, which may be in another turn. */
  remember(call: CompressedBody): () => PrefixProof | undefined;
  /**
   * Notes that a further round of `call` was sent with more at the end of its conversation.
   *
   * @param elements All that was added to what `call` sent: JSON values separated by commas.
   */
  wentOn(call: CompressedBody, elements: Uint8Array): void;
  /** Notes that the provider took `call` only as the client had written it. */
  sentAsItCame(call: CompressedBody): void;
}

/** Bytes of bodies that are remembered. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_CONVERSATIONS = 1000;

const FIRST: PrefixProof = {
  verdict: "first",
  previousBytes: 0,
  equalBytes: 0,
  firstDifference: "",
};

/** Makes the memory of what was sent, empty. Bodies are held as they are, not copied. */
export function makePrefixProofs(
  { maxBytes = MAX_BYTES, maxConversations = MAX_CONVERSATIONS }:
    PrefixProofOptions = {},
): PrefixProofs {
  const leastBytes = maxBytes / maxConversations;
  const last = new Lru<ConversationKey, SentPrompt>(
    maxBytes,
    (prompt) => Math.max(leastBytes, bytesHeld(prompt)),
  );
  /** Replaces what is remembered of `call`, unless another one of its conversation has left since. */
  const update = (
    { conversation, bytes }: CompressedBody,
    change: (prompt: SentPrompt) => SentPrompt | undefined,
  ) => {
    const prompt = conversation && last.get(conversation);
    if (prompt?.sent.bytes !== bytes) return;
    const changed = change(prompt);
    if (changed) last.set(conversation!, changed);
  };
  const remember = (call: CompressedBody) => {
    const { conversation } = call;
    const now = conversation && sentPrompt(call);
    if (!now) return () => undefined;
    const before = last.get(conversation);
    last.set(conversation, now);
    return before && isComparable(before, now)
      ? () => proof(before, now)
      : () => FIRST;
  };
  return {
    prove: (call) => remember(call)(),
    remember,
    wentOn(call, added) {
      update(call, (prompt) => ({ ...prompt, added }));
    },
    sentAsItCame(call) {
      update(call, () => sentPrompt(asItCame(call)));
    },
  };
}

function bytesHeld({ sent, received, added }: SentPrompt): number {
  const own = sent === received ? 0 : received.bytes.length;
  return sent.bytes.length + own + added.length;
}

function asItCame(call: CompressedBody): CompressedBody {
  return {
    ...call,
    bytes: call.body,
    edits: [],
    turns: [],
    older: undefined,
    declaration: { by: "nobody", reason: TOOL_REFUSED },
  };
}

/** See {@linkcode declarationOf}. */
const TOOL_REFUSED = "tool_refused";

/** Whether the provider may hold the earlier prompt in a form that the later one repeats. */
function isComparable(before: SentPrompt, now: SentPrompt): boolean {
  const isRefused = (now.undeclared === TOOL_REFUSED &&
    before.declaredBy === "proxy") ||
    (now.isDeferralRefused && !before.isDeferralRefused);
  // What only continued said nothing of what stands before it.
  return !isRefused && (now.continues || !before.continues);
}

/** A difference, and whose it is. */
interface Blamed extends MemberComparison {
  readonly verdict: "client" | "decided" | "ours";
  readonly difference: PromptDifference;
}

function proof(before: SentPrompt, now: SentPrompt): PrefixProof {
  const all = comparePrompts({ before: before.sent, now: now.sent });
  // What the provider keeps is not sent again.
  const members = now.continues ? all.slice(0, -1) : all;
  const previousBytes = sum(members.map(({ span }) => span.end - span.start));
  const equalBytes = equalBytesOf(members);
  const different = blame(before, now, members);
  if (different.length > 0) {
    // One of ours weighs more than what the client changed before it.
    const first = different.find(({ verdict }) => verdict === "ours") ??
      different[0]!;
    const firstDifference = pointerTo(before, first);
    const { verdict } = first;
    return { verdict, previousBytes, equalBytes, firstDifference };
  }
  const proved = { verdict: "extended", previousBytes, equalBytes } as const;
  const conversation = now.continues ? undefined : members.at(-1);
  const added = conversation && addedAgain(before, now, conversation);
  if (!added) return { ...proved, firstDifference: "" };
  const { pointer, equal } = added;
  return {
    // A model's turn that is not found again is one that the client changed or did not keep.
    verdict: pointer === "" ? "extended" : "client",
    previousBytes: previousBytes + before.added.length,
    equalBytes: equalBytes + equal,
    firstDifference: pointer,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function equalBytesOf(members: readonly MemberComparison[]): number {
  const at = members.findIndex(({ difference }) => difference);
  const same = at < 0 ? members : members.slice(0, at);
  const { difference, span } = members[at] ?? {};
  const part = difference && span
    ? Math.max(0, difference.before - span.start)
    : 0;
  return sum(same.map(({ span }) => span.end - span.start)) + part;
}

/** The members that differ, each with who changed it. */
function blame(
  before: SentPrompt,
  now: SentPrompt,
  members: readonly MemberComparison[],
): readonly Blamed[] {
  if (members.every(({ difference }) => difference === undefined)) return [];
  const isSentAsReceived = before.sent === before.received &&
    now.sent === now.received;
  const received = isSentAsReceived
    ? members
    : comparePrompts({ before: before.received, now: now.received });
  // Each model has its own cache, and tools stand before everything else in it.
  const isAnother = before.model !== now.model ||
    received.some(({ name, difference }) =>
      difference && (name === before.tools || name === now.tools)
    );
  // Without a tool there are no forms that need one: whoever takes it away, or brings it, changes them all.
  const isExcused = isAnother ||
    (before.declaredBy !== now.declaredBy && before.noTool !== now.noTool);
  return members.flatMap((member) => {
    const { difference, name } = member;
    if (difference === undefined) return [];
    const own = received.find((one) => one.name === name)?.difference;
    const isClients = isExcused ||
      (own && comesFirst(own, difference, { before, now }));
    const verdict = own && isExtension(now, own)
      ? "decided"
      : isClients
      ? "client"
      : isDecided({ before, now }, member)
      ? "decided"
      : "ours";
    return [{ ...member, difference, verdict }];
  });
}

/** Whether what the client changed explains a difference of the bodies that were sent. */
function comesFirst(
  own: PromptDifference,
  sent: PromptDifference,
  { before, now }: { readonly before: SentPrompt; readonly now: SentPrompt },
): boolean {
  return own.before <= reachAt(before, sent.before) ||
    own.now <= reachAt(now, sent.now) || renamesBlock(own, sent, before);
}

/** Members by which a block is known. They may stand behind it in its element. */
const NAMING = /^(?:role|type|name|id|call_id|tool_call_id|tool_use_id)$/;

/**
 * Whether the client changed by what a block is known, or which members there are, in the element that was sent
 * otherwise: it is another block then, and has another form.
 */
function renamesBlock(
  { element, path }: PromptDifference,
  sent: PromptDifference,
  before: SentPrompt,
): boolean {
  return element !== undefined && sent.element !== undefined &&
    element === reachAt(before, sent.element) &&
    (path.length === 0 || NAMING.test(String(path.at(-1))));
}

/** Whether an extension made the difference. */
function isExtension(
  { extended }: SentPrompt,
  { now: at }: PromptDifference,
): boolean {
  return extended.some(({ start, end }) => start <= at && at < end);
}

/** Whether it was decided with this request, or with one of another session that shares what the provider holds. */
function isDecided(
  { before, now }: { readonly before: SentPrompt; readonly now: SentPrompt },
  { name, difference }: MemberComparison,
): boolean {
  const { coldTurns = 0 } = before;
  if (now.coldTurns !== undefined && now.coldTurns > coldTurns) return true;
  if (now.declaresMidway && name === now.tools) return true;
  const edit = difference && editAt(now.edits, difference.now);
  return edit !== undefined && now.decidedAt.has(edit.from);
}

/** Compares what further rounds added with what stands there now; `undefined` when the conversation does not go on. */
function addedAgain(
  { added }: SentPrompt,
  { sent }: SentPrompt,
  { name, end }: MemberComparison,
): { readonly pointer: string; readonly equal: number } | undefined {
  const reader = new JsonReader({ bytes: sent.bytes, at: end });
  if (added.length === 0 || !reader.element()) return undefined;
  const { at } = reader;
  const equal = commonPrefix(
    { bytes: added, span: { start: 0, end: added.length } },
    { bytes: sent.bytes, span: { start: at, end: sent.bytes.length } },
  );
  const pointer = equal === added.length
    ? ""
    : pointerOf([name, elementIndex(sent, at + equal)]);
  return { pointer, equal };
}

function pointerTo(
  { sent }: SentPrompt,
  { name, difference: { element, path } }: Blamed,
): string {
  return pointerOf(
    element === undefined
      ? [name, ...path]
      : [name, elementIndex(sent, element), ...path],
  );
}

/** Keys like those of the formats. What a model or a user writes may be a key as well, and is not for reports. */
const PLAIN_KEY = /^[a-z_]{1,32}$/;

/** As much of a path as says where, without keys that are anybody's text. */
function pointerOf(path: readonly (string | number)[]): string {
  const end = path.findIndex((key) =>
    typeof key === "string" && !PLAIN_KEY.test(key)
  );
  return path.slice(0, end < 0 ? undefined : end)
    .map((key) => `/${key}`).join("");
}
