/** One request body → the bytes that are sent for it. @module */
import { nextTurn, turnIfMany } from "../core/next_turn.ts";
import { scanInSteps } from "../bytes/scan_steps.ts";
import type { BlockJob, Decision } from "../core/decision.ts";
import type { StageFailure } from "../core/ledger.ts";
import { loadedBy } from "../core/retrieval.ts";
import { noting } from "./attempt.ts";
import { wayOf } from "./call_ways.ts";
import { pinKey } from "./conversation_keys.ts";
import { type CommitInput, type Committed, retract } from "./commit_forms.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import { type CompressedBody, untouched } from "./compressed_body.ts";
import { isMidway, mayElide } from "./declaration.ts";
import { finishBody, type PutBack } from "./finish_body.ts";
import { elideIfItPays, paysByKnown } from "./mid_conversation.ts";
import { type DecidedLive, keepIfItPays } from "./older_blocks.ts";
import { type Plan, planOf, withoutTool } from "./plan.ts";
import { besideTurns } from "./reasoning.ts";
import { referToEarlier } from "./repeated_text.ts";

/**
 * Compresses one body. Never rejects, but for an abort: on any other failure the bytes that came are sent.
 *
 * @throws {DOMException} `AbortError`, if `signal` was aborted before the forms were frozen.
 */
export async function compressBody(
  parts: CompressParts,
  input: CompressInput,
): Promise<CompressedBody> {
  const failures: StageFailure[] = [];
  const attempt = noting(parts.attempt, failures);
  return { ...await compressNoting({ ...parts, attempt }, input), failures };
}

async function compressNoting(
  parts: CompressParts,
  input: CompressInput,
): Promise<CompressedBody> {
  const { format, body, mode } = input;
  const known = parts.bodies.begin(body);
  const scan = await parts.attempt(
    `scan_${format.id}`,
    () => scanInSteps((memory) => format.scan(body, memory), known, nextTurn),
    undefined,
  );
  if (scan === undefined) return untouched(body, undefined, "unscannable");
  if (mode === "passthrough") return untouched(body, scan, "passthrough");
  return await parts.attempt(
    "compress_body",
    async () => {
      const plan = await planOf(parts, wayOf(input), { input, scan, known });
      // What cannot be decided anew goes out as before.
      return await compressPlanned(parts, plan) ??
        await compressNoting(parts, withoutColdTurns(input));
    },
    untouched(body, scan, "failed"),
  );
}

function withoutColdTurns(
  { keepsReasoning: _, ...input }: CompressInput,
): CompressInput {
  return { ...input, recompacts: false };
}

/** A plan and one decision per block that it asks about. */
interface DecidedBlocks {
  readonly plan: Plan;
  readonly decisions: readonly Decision[];
}

/** Decides each block by itself, and then those that repeat earlier text beside what is sent of that. */
async function decideAll(
  parts: CompressParts,
  plan: Plan,
): Promise<DecidedBlocks> {
  const { way, older, asked, input: { signal } } = plan;
  if (asked.length === 0) {
    const isInVain = isMidway(plan.declaration) && !paysByKnown(plan);
    return { plan: isInVain ? withoutTool(plan) : plan, decisions: [] };
  }
  const decide = (jobs: readonly BlockJob[]) =>
    way.decide(parts, jobs, { older, signal });
  const decisions = await decide(asked.map(({ job }) => job));
  const decided = isMidway(plan.declaration)
    ? await decidedMidway(plan, decisions, decide)
    : { plan, decisions };
  if (!parts.dedupe || !mayElide(decided.plan.declaration)) return decided;
  const referring = await parts.attempt(
    "refer_to_earlier",
    () =>
      referToEarlier(parts, decided.plan, {
        decisions: decided.decisions,
        decide,
      }),
    decided.decisions,
  );
  return { ...decided, decisions: referring };
}

async function decidedMidway(
  plan: Plan,
  decisions: readonly Decision[],
  decide: (jobs: readonly BlockJob[]) => Promise<readonly Decision[]>,
): Promise<DecidedBlocks> {
  const { pays, asked, decisions: kept } = await elideIfItPays(
    plan,
    { asked: plan.asked, decisions },
    async (live) =>
      live.length === 0 ? [] : await decide(live.map(({ job }) => job)),
  );
  return {
    plan: { ...pays ? plan : withoutTool(plan), asked },
    decisions: kept,
  };
}

/** Decides, commits, splices; `undefined` for a cold turn of which the store keeps nothing. */
async function compressPlanned(
  parts: CompressParts,
  first: Plan,
): Promise<CompressedBody | undefined> {
  const { plan, decisions } = await decideAll(parts, fitting(parts, first));
  const { way, input, asked, declaration, scan } = plan;
  const { body, signal } = input;
  const putBack = turnsOf(parts, plan);
  signal.throwIfAborted();
  const kept = keepIfItPays(plan.older, { live: asked, decisions }, input);
  const committed = await way.commit(parts, {
    key: plan.key,
    // What is pinned to requests without tools must not come along with a form.
    pinned: scan.tools && declaration.pinned,
    begins: declaration.by === "proxy" && declaration.begins &&
      plan.conversation.definition === undefined,
    keepsState: scan.keepsState,
    turn: plan.turn,
    notes: shortenedReasoning(plan, kept),
    live: kept.live,
    decisions: kept.decisions,
    known: [...plan.known, ...plan.unreasoned],
    body,
    signal,
  });
  if (plan.turn.isCold && committed.isRefused) return undefined;
  try {
    await turnIfMany(scan.blocks.length);
    // A refused write leaves nothing that the tool could pay for itself with.
    const isInVain = isMidway(declaration) && committed.forms.size === 0 &&
      (committed.isRefused || !paysByKnown(plan));
    const sent = isInVain ? withoutTool(plan) : plan;
    // A part may have been written with its definition.
    if (isInVain && committed.isRefused) undeclare(parts, plan);
    const made = await finishBody(parts, {
      ...{ plan: sent, kept, committed },
      ...putBack,
    });
    await turnIfMany(scan.blocks.length);
    return made;
  } catch (error) {
    await takeBack(parts, plan, committed);
    throw error;
  }
}

/** A plan without reasoning that what is put back would meet. */
function fitting(parts: CompressParts, plan: Plan): Plan {
  const hasReasoning = plan.unreasoned.length > 0 ||
    plan.asked.some(({ block }) => block.isReasoning);
  return hasReasoning ? besideTurns(plan, turnsOf(parts, plan).turns) : plan;
}

/** What is noted with the forms of reasoning; nothing where there are none. */
function shortenedReasoning(
  { reasoning: { past } }: Plan,
  { live, decisions }: DecidedLive,
): CommitInput["notes"] & object {
  const isShortened = live.some(({ block }, i) =>
    block.isReasoning && decisions[i]?.type === "form"
  );
  return isShortened && past ? [past.noteShortened] : [];
}

/** Edits that put answered retrievals back, but for those that load a tool which this request does not defer. */
function turnsOf(
  parts: CompressParts,
  { way, input: { format, body }, scan, conversation, tools }: Plan,
): PutBack {
  const retrievals = way.retrievals(conversation).filter((record) =>
    loadedBy(record).every((name) => tools.deferred.has(name))
  );
  if (retrievals.length === 0) return { turns: [], loaded: new Set() };
  const turns = parts.attempt.now(
    "splice_back",
    () => format.retrieval.spliceBack(body, scan, retrievals),
    [],
  );
  return { turns, loaded: new Set(retrievals.flatMap(loadedBy)) };
}

/** What was committed and is not sent would be sent next time, the tool included. */
async function takeBack(
  parts: CompressParts,
  plan: Plan,
  { inserted }: Committed,
): Promise<void> {
  await retract(parts, inserted);
  const { declaration, scan } = plan;
  const begins = !scan.begun || isMidway(declaration);
  if (declaration.pinned !== undefined && begins) undeclare(parts, plan);
}

function undeclare(
  { conversations }: CompressParts,
  { key, scan }: Plan,
): void {
  conversations.undeclare(pinKey(key, scan));
}
