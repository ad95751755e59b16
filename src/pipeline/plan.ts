/** What is known of a body, and what there is to decide in it, before anything is decided. @module */
import type { KnownBody } from "../bytes/scan_cache.ts";
import type { BlockName } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import { nextTurn, turnIfMany } from "../core/next_turn.ts";
import { loadedBy } from "../core/retrieval.ts";
import { NO_TOOL_EDITS, type ToolEdits } from "./added_tools.ts";
import type { CallWay } from "./call_ways.ts";
import type { ConversationFacts } from "./conversation_facts.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import {
  conversationState,
  keyOfConversation,
  keyOfOrigin,
  keyOfSession,
} from "./conversation_keys.ts";
import { type Declaration, mayElide, MIDWAY } from "./declaration.ts";
import { type FormedBlock, formedBlocks, recognise } from "./frozen_pass.ts";
import { type Routing, routingOf } from "./routing.ts";
import {
  type LeftBlock,
  type LiveBlock,
  type LiveZone,
  liveZone,
} from "./live_zone_pass.ts";
import { readPinned } from "./pinned.ts";
import type { OlderPlan } from "./older_blocks.ts";
import { type Reasoning, reasoningIn } from "./reasoning.ts";
import { staleReads } from "./stale_reads.ts";
import { withWholeTexts } from "./whole_texts.ts";

/** One body's plan. */
export interface Plan extends ConversationFacts {
  /** How its steps are done. */
  readonly way: CallWay;
  /** Who gives the model a way back to originals. */
  readonly declaration: Declaration;
  /** Which model is asked instead; `undefined` for none. */
  readonly routing: Routing | undefined;
  /** How the tools are edited for it. */
  readonly tools: ToolEdits;
  /** Reasoning that is left out or shortened. */
  readonly unreasoned: readonly FormedBlock[];
  /** What is known of the reasoning. */
  readonly reasoning: Pick<Reasoning, "lookups" | "past">;
  /** Blocks whose form is sent again. */
  readonly known: readonly FormedBlock[];
  /** What may be done to blocks of older turns. */
  readonly older: OlderPlan;
  /** Blocks that are to be decided. */
  readonly asked: readonly LiveBlock[];
  /** Every other block that is met for the first time. */
  readonly left: readonly LeftBlock[];
}

/**
 * The edits of the tools. A provider's cache is that of one model: one that may not load on demand gets all definitions
 * in a conversation in which another did. So does one for which the provider has refused deferred ones since.
 */
function toolEdits(
  { toolEditor }: CompressParts,
  { input, scan, conversation, way }: ConversationFacts & Pick<Plan, "way">,
  declaration: Declaration,
): ToolEdits {
  if (declaration.by !== "proxy") return NO_TOOL_EDITS;
  const { pinned } = declaration;
  const { model, resident } = readPinned(pinned);
  const isRefused = input.refusesDeferral?.(scan.model) === true;
  const isDeferred = model === undefined || model === scan.model ||
    input.defersTools?.(scan.model) === true;
  const { deferral } = input.format.retrieval;
  const edits = toolEditor.edits(input.body, scan, {
    pinned,
    deferral: isDeferred && !isRefused ? deferral : undefined,
    loaded: new Set(way.retrievals(conversation).flatMap(loadedBy)),
  });
  return isRefused && resident ? { ...edits, isRefused } : edits;
}

/** Bytes that are searched in a few milliseconds. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Before anything is read that another request may change. */
async function lookAhead({ body, format }: CompressInput): Promise<void> {
  if (body.length <= LARGE_BYTES) return;
  await format.promptCache.look?.(body, nextTurn);
}

/** A body as it was scanned. */
export interface ScannedBody {
  /** The call. */
  readonly input: CompressInput;
  /** What was found in its body. */
  readonly scan: BodyScan;
  /** The body beside those before it. */
  readonly known: KnownBody<BlockName>;
}

/**
 * Makes the plan. Nothing is written.
 *
 * @throws {Error} What a lookup in the store throws.
 */
export async function planOf(
  parts: CompressParts,
  way: CallWay,
  scanned: ScannedBody,
): Promise<Plan> {
  await lookAhead(scanned.input);
  const { routing, ...facts } = await factsOf(parts, way, scanned);
  const { input: { body }, scan, recognised: { lookups } } = facts;
  const found = formedBlocks(scan, facts.recognised);
  const declaration = way.declare(parts, facts, found.at(-1)?.form);
  // Without the tool a marker would be a dead end: the original goes out, as it stands in the body.
  const usable = mayElide(declaration) ? found : whole(found);
  const blocks = { body, scan, lookups, keyOf: parts.keyOf };
  const known = withWholeTexts(blocks, usable);
  const reasoning = await reasoningIn(parts, facts, declaration);
  const tools = toolEdits(parts, { ...facts, way }, declaration);
  const older = way.older(parts, facts);
  await turnIfMany(scan.blocks.length);
  const { live, left } = await zoneOf(parts, facts, {
    ...{ known, older },
    mayElide: mayElide(declaration),
  });
  const asked = way.ask([...live, ...reasoning.live], { body, scan });
  return {
    ...{ ...facts, way, declaration, tools },
    ...{ known, older, asked, left, routing, reasoning },
    unreasoned: reasoning.formed,
  };
}

/** What is looked up before anything is declared. */
async function factsOf(
  parts: CompressParts,
  way: CallWay,
  { input: given, scan: found, known }: ScannedBody,
): Promise<ConversationFacts & Pick<Plan, "routing">> {
  const entered = way.enter(given, found);
  const { input } = entered;
  const key = keyOfConversation(parts, input, entered.scan);
  const routing = routingOf(parts, entered, key);
  const scan = routing
    ? { ...entered.scan, model: routing.route.to }
    : entered.scan;
  const session = keyOfSession(parts, input);
  const conversation = conversationState(parts, input, { key, scan });
  const { activeAt } = conversation;
  const turn = way.turn(parts, { input, scan, activeAt });
  const origin = keyOfOrigin(parts, { ...input, scan });
  const recognised = await recognise(parts.forms, {
    ...{ known, scan, turn, origin },
    conversation: key,
  });
  parts.bodies.keep(known);
  return {
    ...{ input, scan, key, origin, session, conversation },
    ...{ recognised, turn, routing },
  };
}

/** The blocks that are to be decided. */
function zoneOf(
  parts: CompressParts,
  { input, scan, recognised, conversation, turn }: ConversationFacts,
  { known, older, mayElide }: Pick<Plan, "known" | "older"> & {
    readonly mayElide: boolean;
  },
): Promise<LiveZone> {
  const { body, library, outlineFrom } = input;
  const { keyOf, toolRules, options } = parts;
  return liveZone({
    ...{ body, scan, recognised, keyOf, toolRules, outlineFrom, options },
    older: older.scope,
    needed: new Set(
      known.flatMap(({ form }) => form.needs ?? []).map(({ text }) => text),
    ),
    elided: new Set(known.flatMap(({ form }) => form.entry ?? [])),
    mayElide: parts.ccr && mayElide && !parts.store.full(),
    asked: conversation.asked,
    // Where it was sent before, it stays as it is.
    ...turn.isAnew && {
      stale: staleReads({ body, blocks: scan.blocks, toolRules }),
    },
    userMessages: library?.userMessages ?? parts.userMessages,
  });
}

/** Those from which nothing is left out. */
function whole(found: readonly FormedBlock[]): readonly FormedBlock[] {
  return found.filter(({ form }) => form.entry === undefined);
}

/** The plan of a conversation that goes on without our tool. */
export function withoutTool(plan: Plan): Plan {
  return {
    ...plan,
    declaration: MIDWAY,
    tools: NO_TOOL_EDITS,
    known: whole(plan.known),
    unreasoned: whole(plan.unreasoned),
  };
}
