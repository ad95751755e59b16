/** Which conversation a body belongs to. @module */
import { decodeLiteral, encodeLiteral } from "../bytes/json_string.ts";
import type { ConversationState } from "../core/forms.ts";
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type { CcrKey, ConversationKey } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";

/** How the client names the conversation; `undefined` where it does not. */
export interface SessionNames {
  /** Session header. */
  readonly session: string | undefined;
  /** Agent header. */
  readonly agent: string | undefined;
}

/** A wire format, as far as names of conversations depend on it. */
type Wire = Pick<ProviderFormat, "id">;

/**
 * What is pinned to a conversation is written in the format of its requests: one that goes on in another format is
 * another conversation. Those of the first format have the names that they had before there were others.
 */
function apart({ id }: Wire): { readonly format?: string } {
  return id === "messages" ? {} : { format: id };
}

/** A body that continues a response belongs to that one's conversation: it repeats nothing of it. */
export function keyOfConversation(
  { responseIds, conversationKey }: CompressParts,
  { format, body, session, agent }:
    & { readonly format: Wire; readonly body: Uint8Array }
    & SessionNames,
  { continues, firstUserText }: BodyScan,
): ConversationKey {
  const id = continues && decodeLiteral(body, continues);
  const known = id && responseIds.find(conversationOf(id));
  if (known) return known as ConversationKey;
  return conversationKey({
    ...apart(format),
    session,
    agent,
    firstUserText: textOf(body, firstUserText),
  });
}

function textOf(body: Uint8Array, literals: readonly ByteSpan[]): string {
  return literals.map((span) => decodeLiteral(body, span) ?? "").join("\n");
}

/**
 * Under which name something is pinned to the conversation `key`. Agents ask about the first message of a conversation
 * in requests without tools, for a title: what is pinned to those is not pinned to the conversation.
 */
export function pinKey(
  key: ConversationKey,
  { tools }: Pick<BodyScan, "tools">,
): ConversationKey {
  return tools === undefined ? `${key} without tools` as ConversationKey : key;
}

/** Stands for all conversations of one agent in one session; `undefined` where the client names none. */
export function keyOfSession(
  { conversationKey }: CompressParts,
  { format, session, agent }: { readonly format: Wire } & SessionNames,
): ConversationKey | undefined {
  return session === undefined ? undefined : conversationKey({
    ...apart(format),
    session,
    agent,
    firstUserText: undefined,
  });
}

/**
 * A client that compacts a conversation goes on with another first message and the same tools. So a
 * conversation that was never seen has the tool if its session has declared it; one that was seen
 * without the tool, because the proxy was started in its middle, stays without.
 */
export function pinnedToSession(
  parts: CompressParts,
  session: ConversationKey | undefined,
  { conversation, scan }: {
    readonly conversation: ConversationState;
    readonly scan: Pick<BodyScan, "tools">;
  },
): string | undefined {
  return session === undefined || conversation.activeAt !== undefined
    ? undefined
    : parts.conversations.open(sessionPin(parts, session, scan)).definition;
}

/** Under which name something is pinned to a session: its agents may have other tools each. */
export function sessionPin(
  { keyOf }: CompressParts,
  session: ConversationKey,
  { tools }: Pick<BodyScan, "tools">,
): ConversationKey {
  const names = JSON.stringify(tools?.names ?? []);
  return `${session} with ${keyOf(names)}` as ConversationKey;
}

/** A body and what was found in it. */
export interface Scanned {
  /** Its wire format. */
  readonly format: Wire;
  /** The body. */
  readonly body: Uint8Array;
  /** Its scan. */
  readonly scan: BodyScan;
}

/**
 * What a user's texts of a conversation have in place of a call id. It is the same under every session: a fork sends
 * them again. Without tools nothing may be left out of them, so a request for a title has names of its own.
 */
export function keyOfOrigin(
  parts: Pick<CompressParts, "conversationKey">,
  scanned: Scanned,
): ConversationKey {
  return pinKey(originOf(parts, scanned), scanned.scan);
}

/**
 * Name of the first result of a tool in a conversation, whatever its session: a fork under another one has it too.
 * `undefined` where there is none yet.
 */
export function firstResultName(
  parts: Pick<CompressParts, "conversationKey">,
  scanned: Scanned,
): string | undefined {
  const { blocks } = scanned.scan;
  const first = blocks.find(({ callId }) => callId !== undefined);
  if (first === undefined) return undefined;
  return `${originOf(parts, scanned)} result ${first.callId}`;
}

/** The same of the first answer, where there is no result yet. */
export function firstAnswerName(
  parts: Pick<CompressParts, "conversationKey" | "keyOf">,
  scanned: Scanned,
): string | undefined {
  const { body, scan: { messages, firstUserText, lastModelMessage } } = scanned;
  const asked = firstUserText.at(-1)?.end ?? 0;
  const at = messages.findIndex(({ start }) => start >= asked);
  if (at < 0 || at > lastModelMessage) return undefined;
  const { start, end } = messages[at]!;
  const answer = decoder.decode(body.subarray(start, end));
  return `${originOf(parts, scanned)} answer ${parts.keyOf(answer)}`;
}

const decoder = new TextDecoder();

/** Names a conversation by its first words alone: it is the same under every session and agent, with tools or without. */
export function originOf(
  { conversationKey }: Pick<CompressParts, "conversationKey">,
  { format, body, scan }: Scanned,
): ConversationKey {
  const known = origins.get(scan.firstUserText);
  if (known !== undefined) return known;
  const origin = conversationKey({
    ...apart(format),
    session: undefined,
    agent: undefined,
    firstUserText: textOf(body, scan.firstUserText),
  });
  origins.set(scan.firstUserText, origin);
  return origin;
}

/** By what a scan found: several steps of a request ask, and a first message may be long. */
const origins = new WeakMap<readonly ByteSpan[], ConversationKey>();

/** What is pinned to the conversation that the one of a body is a fork of; `undefined` where none is known. */
export function pinnedToOrigin(
  parts: CompressParts,
  scanned: Scanned,
): string | undefined {
  const name = firstResultName(parts, scanned) ??
    firstAnswerName(parts, scanned);
  const key = name && parts.responseIds.find(name);
  return key
    ? parts.conversations.open(key as ConversationKey).definition
    : undefined;
}

/**
 * What is known of the conversation of a body. One that goes on, and that this process meets for the first time,
 * may be the fork of another: it keeps what was answered before it.
 */
export function conversationState(
  { conversations }: CompressParts,
  { format, body }: {
    readonly format: ProviderFormat;
    readonly body: Uint8Array;
  },
  { key, scan }: { readonly key: ConversationKey; readonly scan: BodyScan },
): ConversationState {
  return scan.begun && scan.tools !== undefined
    ? conversations.adopt(key, () => format.retrieval.turnNames(body, scan))
    : conversations.open(key);
}

/** A client names the response it saw; where the proxy continued that one, the provider knows the last round's. */
export function continuedResponse(
  { responseIds }: CompressParts,
  body: Uint8Array,
  { continues }: BodyScan,
): readonly Edit[] {
  if (continues === undefined) return [];
  const last = responseIds.find(decodeLiteral(body, continues) ?? "");
  return last === undefined
    ? []
    : [{ span: continues, replacement: encodeLiteral(last) }];
}

/** A marker's hash, wherever it is quoted. */
const QUOTED_HASH = /hash=([0-9a-f]{24})(?![0-9a-f])/g;

/**
 * Originals that a new conversation takes over from the one that its session was in before. A client that compacts
 * a conversation begins another one with a summary, and the summary may quote a marker.
 */
export function takenOver(
  { conversations, responseIds }: CompressParts,
  session: ConversationKey,
  { body, scan }: { readonly body: Uint8Array; readonly scan: BodyScan },
): readonly CcrKey[] {
  const before = responseIds.find(newestOf(session));
  if (before === undefined) return [];
  const hashes = scan.firstUserText.flatMap((span) => {
    const text = decodeLiteral(body, span) ?? "";
    return [...text.matchAll(QUOTED_HASH)].map(([, hash]) => hash as CcrKey);
  });
  return [...new Set(hashes)]
    .filter((hash) => conversations.hasSent(before as ConversationKey, hash));
}

/** Notes which conversation of its session was sent markers last. Never rejects. */
export async function noteNewest(
  { responseIds, attempt }: CompressParts,
  session: ConversationKey,
  key: ConversationKey,
): Promise<void> {
  const name = newestOf(session);
  if (responseIds.find(name) === key) return;
  const note = () => responseIds.note(name, key, "surely");
  await attempt("note_newest", note, undefined);
}

/** Name under which the store keeps the newest conversation of `session`. */
function newestOf(session: ConversationKey): string {
  return `newest conversation of ${session}`;
}

/** Name under which the store keeps the conversation of the response `id`. */
export function conversationOf(id: string): string {
  return `conversation of ${id}`;
}
