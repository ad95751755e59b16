/** Decided and committed blocks → bytes. @module */
import { splice } from "../bytes/splice.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import { type BodyScan, isNewer } from "../core/format.ts";
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
 * Makes the bytes.
 *
 * @throws {Error} If an edit cannot be made; nothing of the commit was sent then.
 */
export function finishBody(
  parts: CompressParts,
  { plan, kept, committed, turns, loaded }: DecidedPlan,
): CompressedBody {
  const { input, scan, key, declaration } = plan;
  const { body } = input;
  noteCommitted(parts, key, { live: kept.live, committed });
  const { lookups } = plan.recognised;
  const all = decidedBlocks(kept.live, declaration, committed);
  const { formed, known, decided } = usedForms(
    { body, scan, lookups, keyOf: parts.keyOf },
    plan.known,
    all.filter(({ block }) => !block.isReasoning),
  );
  const unreasoned = [
    ...plan.unreasoned,
    ...all.filter(({ block }) => block.isReasoning),
  ];
  const decisions = editsOf(parts, { ...plan, unreasoned }, {
    ...{ known, decided },
    older: kept.older,
    turns,
  });
  const breakpoints = breakpointsOf(parts, plan, decisions);
  const edits = breakpoints.length === 0
    ? decisions
    : interleave(decisions, breakpoints);
  const made = new Set(edits);
  const elided = elidedBlocks([...formed, ...unreasoned]);
  const counted = new Set(scan.counted);
  return {
    body,
    bytes: splice(body, edits),
    scan,
    edits,
    conversation: key,
    declaration,
    tools: plan.tools,
    routing: plan.routing,
    shape: shapeOf(plan),
    unloaded: [...plan.tools.definitions].flatMap(([name, { saved }]) =>
      loaded.has(name) ? [] : [saved]
    ),
    formed,
    uncounted: uncountedSpans(scan, plan.recognised, formed),
    usageRequest: edits.find((edit) => edit === scan.usageRequest),
    breakpoints,
    turns: turns.filter((edit) => made.has(edit)),
    unreasoned: formEdits(unreasoned)
      .filter(({ span }) => counted.has(span)),
    formTokensSaved: formed.reduce(
      (sum, { form }) => sum + form.tokensBefore - form.tokensAfter,
      0,
    ),
    strategies: [
      ...new Set([...formed, ...unreasoned].map(({ form }) => form.strategy)),
    ],
    seen: seenBlocks({
      ...withoutReasoned(kept),
      ...blocksInZone(plan),
      left: plan.left,
      decided,
    }),
    older: kept.older,
    ...plan.turn !== FIRST_TURN && { coldTurns: plan.turn.cold },
    hasOlder: hasOlder(scan, plan.recognised),
    decided,
    ...input.extended && { extended: input.extended },
    hasDeclared: plan.conversation.definition !== undefined,
    elided,
    // Replaced by those of the request.
    failures: [],
    ...afterwards(parts, plan, {
      ...{ older: kept.older, elided, decided },
      inserted: committed.inserted,
    }),
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

/**
 * Where a stage may edit. `live`: string literals of blocks after the last thing the model said;
 * `frozen`: string literals of any block; `reasoning`: what the model reasoned; `tools`: inside the tool array;
 * `turns`: inside the conversation, for retrievals that are put back; `said`: an insertion at the end of the first user
 * text; `model`: the name of the model;
 * `continues`: the id of the response that is continued; `usage`: where usage is asked for.
 */
type Zone =
  | "live"
  | "frozen"
  | "reasoning"
  | "tools"
  | "turns"
  | "said"
  | "model"
  | "continues"
  | "usage";

/** What one stage proposes. */
interface Proposal {
  /** Where it may edit. */
  readonly zone: Zone;
  /** Its edits, in any order. */
  readonly edits: readonly Edit[];
}

/** Edits that can be spliced. */
interface MergedEdits {
  /** Ordered by start; disjoint. */
  readonly edits: readonly Edit[];
  /** Edits left out, because they lay outside their zone or met an earlier proposal's. */
  readonly dropped: number;
}

/**
 * Merges proposals; where two meet, the earlier proposal wins.
 *
 * @param scan The scan of the body that all edits are for.
 */
export function mergeEdits(
  scan: BodyScan,
  proposals: readonly Proposal[],
): MergedEdits {
  const some = proposals.filter(({ edits }) => edits.length > 0);
  if (some.length === 0) return { edits: [], dropped: 0 };
  const isAllowed = zoneCheck(scan);
  let edits: readonly Edit[] = [];
  let dropped = 0;
  for (const { zone, edits: proposed } of some) {
    const fitting = proposed.filter((edit) => isAllowed(zone, edit.span));
    dropped += proposed.length - fitting.length;
    const merged = interleave(edits, fitting);
    dropped += edits.length + fitting.length - merged.length;
    edits = merged;
  }
  return { edits, dropped };
}

function zoneCheck(scan: BodyScan): (zone: Zone, span: ByteSpan) => boolean {
  const starts = new Map(scan.blocks.map((block) => [block.span.start, block]));
  const reasoned = new Map(
    scan.reasoning?.map(({ span }) => [span.start, span.end]),
  );
  return (zone, span) => {
    if (zone === "reasoning") return reasoned.get(span.start) === span.end;
    if (zone === "tools") {
      const { start, end } = scan.tools?.span ?? { start: 0, end: 0 };
      return span.start > start && span.end < end;
    }
    if (zone === "turns") {
      return span.start > scan.conversation.start &&
        span.end < scan.conversation.end;
    }
    if (zone === "said") {
      const end = (scan.firstUserText.at(-1)?.end ?? 0) - 1;
      return span.start === end && span.end === end;
    }
    if (zone === "model") return isSame(span, scan.modelLiteral);
    if (zone === "continues") return isSame(span, scan.continues);
    if (zone === "usage") return isSame(span, scan.usageRequest?.span);
    const block = starts.get(span.start);
    return block?.span.end === span.end &&
      (zone === "frozen" || isNewer(scan, block));
  };
}

function isSame(a: ByteSpan, b: ByteSpan | undefined): boolean {
  return a.start === b?.start && a.end === b.end;
}

/** Both lists by start; of two that overlap, the one of `first` stays. */
function interleave(
  first: readonly Edit[],
  second: readonly Edit[],
): readonly Edit[] {
  const tagged = [
    ...first.map((edit) => ({ edit, rank: 0 })),
    ...second.map((edit) => ({ edit, rank: 1 })),
  ];
  tagged.sort((a, b) =>
    a.edit.span.start - b.edit.span.start ||
    a.edit.span.end - b.edit.span.end || a.rank - b.rank
  );
  const kept: typeof tagged = [];
  for (const next of tagged) {
    const last = kept.at(-1);
    if (last === undefined || last.edit.span.end <= next.edit.span.start) {
      kept.push(next);
    } else if (next.rank < last.rank) kept.splice(-1, 1, next);
  }
  return kept.map(({ edit }) => edit);
}
