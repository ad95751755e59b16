/** What is noted once a body has left, or was refused. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { BlockLookup } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import { nextTurn } from "../core/next_turn.ts";
import type { CcrKey, ConversationKey } from "../core/store.ts";
import { type Committed, retract } from "./commit_forms.ts";
import type { CompressedBody } from "./compressed_body.ts";
import type { CompressParts } from "./compress_parts.ts";
import { isMidway } from "./declaration.ts";
import {
  firstAnswerName,
  firstResultName,
  noteNewest,
  pinKey,
  sessionPin,
  takenOver,
} from "./conversation_keys.ts";
import type { Plan } from "./plan.ts";
import { noteReasoningSent } from "./reasoning_past.ts";
import { keepRoute } from "./routing.ts";
import { shownTools } from "./tool_habits.ts";
import { namesUndeclared } from "./undeclared.ts";

/** Blocks that are settled at a time: a few milliseconds. */
const STEP = 2000;

/** What is not settled yet is looked at as after a restart. */
async function settleInSteps(
  { forms }: Pick<CompressParts, "forms">,
  lookups: readonly BlockLookup[],
): Promise<void> {
  for (let from = 0; from < lookups.length; from += STEP) {
    if (from > 0) await nextTurn();
    forms.settle(lookups.slice(from, from + STEP));
  }
}

/** What is done when the request leaves, or when the upstream did not take it. Nothing of it holds the body or a text of it. */
export function afterwards(
  parts: CompressParts,
  plan: Plan,
  { inserted, ...made }:
    & Pick<CompressedBody, "elided" | "decided" | "older">
    & Pick<Committed, "inserted">,
): Pick<CompressedBody, "sent" | "answered" | "retract"> {
  const noted = notedOf(parts, plan, made);
  const { session, scan, activity } = noted;
  const { attempt, conversations } = parts;
  return {
    sent: () =>
      attempt.now("note_sent", () => noteSent(parts, noted), undefined),
    ...activity && {
      answered: () =>
        attempt.now(
          "note_answered",
          () => noteActivity(parts, activity),
          undefined,
        ),
    },
    retract: () => {
      // Other conversations of the session would begin with it, too.
      if (session) conversations.undeclare(sessionPin(parts, session, scan));
      return retract(parts, inserted);
    },
  };
}

/** What is kept of a call until it was sent. */
type Noted = ReturnType<typeof notedOf>;

function notedOf(
  parts: CompressParts,
  plan: Plan,
  { older, elided, decided }: Pick<
    CompressedBody,
    "elided" | "decided" | "older"
  >,
) {
  const { key, session, declaration, way, routing, turn } = plan;
  const { client, output } = plan.input;
  const { tools } = plan.scan;
  return {
    ...{ key, session, declaration, way, client, output, older },
    scan: { tools },
    activity: turn.activity,
    route: routing?.isNew ? routing.route : undefined,
    said: output?.isTuned ? newestAsk(plan) : undefined,
    origin: newOrigin(parts, plan),
    undeclared: declaration.by === "nobody" && tools
      ? namesUndeclared(plan)
      : [],
    shown: client === undefined ? undefined : shownTools(plan, decided),
    lookups: plan.recognised.lookups.concat(plan.reasoning.lookups),
    reasoned: plan.reasoning.past?.noteSent,
    isOlderDone: plan.older.scope === "all" || older !== undefined,
    sends: [...elided.keys(), ...takenOverBy(parts, plan)],
  };
}

function noteSent(parts: CompressParts, noted: Noted): void {
  const { key, session, scan, lookups, reasoned, older, sends } = noted;
  const settle = () => settleInSteps(parts, lookups);
  void parts.attempt("settle_blocks", settle, undefined);
  if (reasoned) void noteReasoningSent(parts, reasoned);
  if (noted.isOlderDone) parts.olderTurns.add(key);
  if (older) parts.onOlderDecided(key, older);
  const { declaration: { by, pinned }, way } = noted;
  if (pinned !== undefined) {
    parts.conversations.declare(pinKey(key, scan), pinned);
    if (session && scan.tools) {
      parts.conversations.declare(sessionPin(parts, session, scan), pinned);
    }
  }
  if (by !== "proxy") way.sentWithout(parts, key, noted.undeclared);
  else if (session && sends.length > 0) void noteNewest(parts, session, key);
  const { origin, route, output, said, client, shown, activity } = noted;
  if (origin) void noteOrigin(parts, origin, key);
  if (route) keepRoute(parts, pinKey(key, scan), route);
  if (said !== undefined) parts.shaper.heard(output!, said);
  if (shown) parts.habits.note(client!, key, shown);
  parts.conversations.active(key, sends);
  if (activity) noteActivity(parts, activity);
}

/**
 * Name of the first result of the conversation, in the request that brings it or our tool; of the first answer, as long
 * as there is no result and no other conversation has it. `undefined` in all others.
 */
function newOrigin(
  parts: CompressParts,
  { input, scan, declaration }: Plan,
): string | undefined {
  if (declaration.by !== "proxy") return undefined;
  const { blocks, lastModelMessage } = scan;
  const first = blocks.find(({ callId }) => callId !== undefined);
  if (first === undefined) {
    const name = firstAnswerName(parts, { ...input, scan });
    const isKnown = name && parts.responseIds.find(name) !== undefined;
    return isKnown ? undefined : name;
  }
  const isNew = first.messageIndex > lastModelMessage || isMidway(declaration);
  return isNew ? firstResultName(parts, { ...input, scan }) : undefined;
}

/** Of all conversations that share what the provider holds: written at once, then as often as that of each. */
function noteActivity(
  { conversations }: CompressParts,
  name: ConversationKey,
): void {
  conversations.seen(name);
  conversations.active(name, []);
}

/**
 * Notes it once: a client that rewinds sends it again and again. No request waits for it: a fork under another session
 * follows an answer, and this process knows it at once.
 */
async function noteOrigin(
  { attempt, responseIds }: CompressParts,
  origin: string,
  key: ConversationKey,
): Promise<void> {
  await attempt("note_origin", async () => {
    if (responseIds.find(origin) === key) return;
    await responseIds.note(origin, key, "soon");
  }, undefined);
}

/** Whether results of tools are the newest. */
export function toolsSpoke({ blocks, lastModelMessage }: BodyScan): boolean {
  const last = blocks.findLast(({ isUserText }) => !isUserText);
  return (last?.messageIndex ?? -1) > lastModelMessage;
}

/** What the user has just said, in a conversation that goes on; `undefined` while tools work. */
function newestAsk({ input: { body }, scan }: Plan): string | undefined {
  const { lastUserText, lastModelMessage, messages } = scan;
  const spoken = messages[lastModelMessage]?.end;
  if (lastUserText === undefined || spoken === undefined) return undefined;
  const isNew = lastUserText.start > spoken && !toolsSpoke(scan);
  return isNew ? decodeLiteral(body, lastUserText) : undefined;
}

/** Originals that a new conversation takes over from the one before it in its session. */
function takenOverBy(
  parts: CompressParts,
  { input: { body }, scan, session, declaration, conversation }: Plan,
): readonly CcrKey[] {
  return declaration.by === "proxy" && session &&
      conversation.activeAt === undefined
    ? takenOver(parts, session, { body, scan })
    : [];
}
