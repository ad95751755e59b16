/** Decided and committed blocks → bytes. @module */
import { nextTurn, turnIfMany } from "../core/next_turn.ts";
import { interleave, mergeEdits } from "./merge_edits.ts";
import { spliceInSteps } from "../bytes/splice.ts";
import type { Edit } from "../core/block.ts";
import { isNewer } from "../core/format.ts";
import { afterwards, toolsSpoke } from "./after_sending.ts";
import {
  type Committed,
  decidedBlocks,
  noteCommitted,
} from "./commit_forms.ts";
import type { CompressParts } from "./compress_parts.ts";
import {
  type CompressedBody,
  hasOlder,
  uncountedSpans,
} from "./compressed_body.ts";
import { continuedResponse } from "./conversation_keys.ts";
import { type FormedBlock, formEdits } from "./frozen_pass.ts";
import type { DecidedLive } from "./older_blocks.ts";
import { instructionEdits, readPinned, withInsertions } from "./pinned.ts";
import type { Plan } from "./plan.ts";
import { FIRST_TURN } from "./turn.ts";
import { blocksInZone, seenBlocks } from "./seen_blocks.ts";
import { usedForms } from "./whole_texts.ts";

/** Answered retrievals of earlier requests, put back. */
export interface PutBack {
  /** Edits that do it. */
  readonly turns: readonly Edit[];
  /** Deferred tools that they load. */
  readonly loaded: ReadonlySet<string>;
}

/** A plan that was carried out, but for the bytes. */
export interface DecidedPlan extends PutBack {
  /** The plan. */
  readonly plan: Plan;
  /** What was decided. */
  readonly kept: DecidedLive;
  /** What the store holds of it. */
  readonly committed: Committed;
}

/**
 * Makes the bytes; in a body with many blocks others get their turn in between.
 *
 * @throws {Error} If an edit cannot be made; nothing of the commit was sent then.
 */
export async function finishBody(
  parts: CompressParts,
  done: DecidedPlan,
): Promise<CompressedBody> {
  const { plan, kept, committed, turns } = done;
  const { scan, input: { body }, recognised } = plan;
  const count = scan.blocks.length;
  noteCommitted(parts, plan.key, { live: kept.live, committed });
  const used = usedBlocks(parts, done);
  const made = await spliced(parts, done, used);
  await turnIfMany(count);
  const uncounted = await uncountedSpans(scan, recognised, used.formed);
  await turnIfMany(count);
  const { decided } = used;
  const zone = { ...withoutReasoned(kept), ...blocksInZone(plan) };
  const seen = await seenBlocks({ ...zone, left: plan.left, decided });
  await turnIfMany(count);
  const elided = elidedBlocks([...used.formed, ...used.unreasoned]);
  const edits = new Set(made.edits);
  return {
    body,
    ...made,
    ...planFacts(done),
    ...formFacts(scan, used),
    uncounted,
    usageRequest: made.edits.find((edit) => edit === scan.usageRequest),
    turns: turns.filter((edit) => edits.has(edit)),
    seen,
    older: kept.older,
    decided,
    elided,
    // Replaced by those of the request.
    failures: [],
    ...afterwards(parts, plan, {
      ...{ older: kept.older, elided, decided },
      inserted: committed.inserted,
    }),
  };
}

/** Blocks that have a form in what is sent. */
interface UsedBlocks extends ReturnType<typeof usedForms> {
  /** Reasoning. */
  readonly unreasoned: readonly FormedBlock[];
}

function usedBlocks(
  { keyOf }: CompressParts,
  { plan, kept, committed }: DecidedPlan,
): UsedBlocks {
  const { input: { body }, scan, declaration } = plan;
  const { lookups } = plan.recognised;
  const all = decidedBlocks(kept.live, declaration, committed);
  const isReasoning = ({ block }: FormedBlock) => block.isReasoning === true;
  return {
    ...usedForms(
      { body, scan, lookups, keyOf },
      plan.known,
      all.filter((one) => !isReasoning(one)),
    ),
    unreasoned: [...plan.unreasoned, ...all.filter(isReasoning)],
  };
}

/** The bytes, and what was changed in them. */
async function spliced(
  parts: CompressParts,
  { plan, kept, turns }: DecidedPlan,
  { known, decided, unreasoned }: UsedBlocks,
): Promise<Pick<CompressedBody, "bytes" | "edits" | "breakpoints">> {
  const { input: { body }, scan: { blocks } } = plan;
  const decisions = editsOf(parts, { ...plan, unreasoned }, {
    ...{ known, decided, turns },
    older: kept.older,
  });
  await turnIfMany(blocks.length);
  const breakpoints = breakpointsOf(parts, plan, decisions);
  await turnIfMany(blocks.length);
  const edits = breakpoints.length === 0
    ? decisions
    : interleave(decisions, breakpoints);
  return {
    bytes: await spliceInSteps(body, edits, nextTurn),
    edits,
    breakpoints,
  };
}

/** What a plan says of the body that it became. */
function planFacts({ plan, loaded }: DecidedPlan) {
  const { scan, key, declaration, tools, routing, turn, recognised } = plan;
  const { extended } = plan.input;
  return {
    ...{ scan, declaration, tools, routing },
    conversation: key,
    shape: shapeOf(plan),
    unloaded: [...tools.definitions].flatMap(([name, { saved }]) =>
      loaded.has(name) ? [] : [saved]
    ),
    ...turn !== FIRST_TURN && { coldTurns: turn.cold },
    hasOlder: hasOlder(scan, recognised),
    ...extended && { extended },
    hasDeclared: plan.conversation.definition !== undefined,
  };
}

/** What the forms in a body save, and by whom they are. */
function formFacts(
  scan: Plan["scan"],
  { formed, unreasoned }: UsedBlocks,
): Pick<
  CompressedBody,
  "formed" | "unreasoned" | "formTokensSaved" | "strategies"
> {
  const counted = new Set(unreasoned.length > 0 ? scan.counted : []);
  return {
    formed,
    unreasoned: formEdits(unreasoned).filter(({ span }) => counted.has(span)),
    formTokensSaved: formed.reduce(
      (sum, { form }) => sum + form.tokensBefore - form.tokensAfter,
      0,
    ),
    strategies: [
      ...new Set([...formed, ...unreasoned].map(({ form }) => form.strategy)),
    ],
  };
}

/** What was decided about results and texts of users. */
function withoutReasoned({ live, decisions, dropped }: DecidedLive) {
  const isOther = (i: number) => !live[i]!.block.isReasoning;
  return {
    live: live.filter((_, i) => isOther(i)),
    decisions: decisions.filter((_, i) => isOther(i)),
    dropped,
  };
}

/** The originals that a marker stands for, each with its last block. */
function elidedBlocks(
  formed: readonly FormedBlock[],
): CompressedBody["elided"] {
  return new Map(
    formed.flatMap(({ block, form }) =>
      form.entry === undefined ? [] : [[form.entry, block]]
    ),
  );
}

/** Everything that is replaced, in order. */
function editsOf(
  parts: CompressParts,
  { input, scan, tools, declaration, routing, unreasoned }: Plan,
  { known, decided, older, turns }:
    & Pick<Plan, "known">
    & Pick<DecidedPlan, "turns">
    & Pick<DecidedLive, "older">
    & Pick<CompressedBody, "decided">,
): readonly Edit[] {
  const isLive = ({ block }: FormedBlock) => isNewer(scan, block);
  // Only where the older ones were asked about: elsewhere such an edit would be a bug, and is dropped.
  const isOlder = (formed: FormedBlock) =>
    older !== undefined && !isLive(formed);
  const usageRequest = input.asksUsage?.(scan.model)
    ? scan.usageRequest
    : undefined;
  const said = instructionEdits(scan, declaration.pinned);
  const isFormed = ({ span: { start } }: Edit) =>
    [...known, ...decided].some(({ block: { span } }) =>
      span.start < start && start < span.end
    );
  const formed = (blocks: readonly FormedBlock[]) =>
    formEdits(blocks).map((edit) => withInsertions(edit, said));
  const { edits, dropped } = mergeEdits(scan, [
    { zone: "frozen", edits: formed(known) },
    { zone: "frozen", edits: formed(decided.filter(isOlder)) },
    { zone: "live", edits: formed(decided.filter(isLive)) },
    { zone: "reasoning", edits: formEdits(unreasoned) },
    { zone: "tools", edits: tools.edits },
    { zone: "turns", edits: turns },
    { zone: "said", edits: said.filter((edit) => !isFormed(edit)) },
    { zone: "model", edits: routing?.edits ?? [] },
    { zone: "continues", edits: continuedResponse(parts, input.body, scan) },
    { zone: "usage", edits: usageRequest ? [usageRequest] : [] },
  ]);
  if (dropped > 0) {
    parts.attempt.failed("merge_edits", `${dropped} edits outside their zone`);
  }
  return edits;
}

/**
 * Breakpoints for a client that sets none, from the second request of a conversation on: a first one may be the only
 * one, and a write costs more than input.
 */
function breakpointsOf(
  { attempt }: CompressParts,
  { input, scan, conversation, tools }: Plan,
  edits: readonly Edit[],
): readonly Edit[] {
  const { format, body } = input;
  const isGrowing = scan.begun && conversation.activeAt !== undefined;
  if (!isGrowing || !input.setsBreakpoints?.(scan.model)) return [];
  const found = attempt.now(
    "set_breakpoints",
    () =>
      format.breakpoints?.(body, scan, (name) => tools.definitions.has(name)),
    undefined,
  ) ?? [];
  const isReplaced = ({ span: { start } }: Edit) =>
    edits.some(({ span }) => span.start < start && start < span.end);
  return found.filter((edit) => !isReplaced(edit));
}

/** What is asked of the answer. */
function shapeOf({ declaration, scan }: Plan): CompressedBody["shape"] {
  const { instruction, isHeldOut = false } = declaration.pinned === undefined
    ? {}
    : readPinned(declaration.pinned);
  if (instruction === undefined && !isHeldOut) return undefined;
  return { isShaped: !isHeldOut, turn: toolsSpoke(scan) ? "results" : "ask" };
}
