/** Decided and committed blocks → bytes, and what is noted once they leave. @module */
import { splice } from "../bytes/splice.ts";
import type { Edit } from "../core/block.ts";
import type { BlockLookup } from "../core/forms.ts";
import type { CcrKey } from "../core/store.ts";
import {
  type Committed,
  decidedBlocks,
  noteCommitted,
  retract,
} from "./commit_forms.ts";
import type { CompressParts } from "./compress_parts.ts";
import {
  type CompressedBody,
  hasOlder,
  uncountedSpans,
} from "./compressed_body.ts";
import {
  continuedResponse,
  noteNewest,
  takenOver,
} from "./conversation_keys.ts";
import { declare } from "./declaration.ts";
import { type FormedBlock, formEdits } from "./frozen_pass.ts";
import { mergeEdits } from "./merge_edits.ts";
import type { DecidedLive } from "./older_blocks.ts";
import type { Plan } from "./plan.ts";
import { blocksInZone, seenBlocks } from "./seen_blocks.ts";

/** A plan that was carried out, but for the bytes. */
export interface DecidedPlan {
  /** The plan. */
  readonly plan: Plan;
  /** What was decided. */
  readonly kept: DecidedLive;
  /** What the store holds of it. */
  readonly committed: Committed;
  /** Edits that put answered retrievals back. */
  readonly turns: readonly Edit[];
}

/**
 * Makes the bytes.
 *
 * @throws {Error} If an edit cannot be made; nothing of the commit was sent then.
 */
export function finishBody(
  parts: CompressParts,
  { plan, kept, committed, turns }: DecidedPlan,
): CompressedBody {
  const { input: { body }, scan, key, declaration, known } = plan;
  noteCommitted(parts, key, { live: kept.live, committed });
  const decided = decidedBlocks(kept.live, declaration, committed);
  const formed = [...known, ...decided];
  const edits = editsOf(parts, plan, { decided, older: kept.older, turns });
  const made = new Set(edits);
  const elided = elidedBlocks(formed);
  return {
    body,
    bytes: splice(body, edits),
    scan,
    edits,
    conversation: key,
    declaration,
    formed,
    uncounted: uncountedSpans(scan, plan.recognised, formed),
    usageRequest: edits.find((edit) => edit === scan.usageRequest),
    turns: turns.filter((edit) => made.has(edit)),
    formTokensSaved: formed.reduce(
      (sum, { form }) => sum + form.tokensBefore - form.tokensAfter,
      0,
    ),
    strategies: [...new Set(formed.map(({ form }) => form.strategy))],
    seen: seenBlocks({
      ...kept,
      ...blocksInZone(plan),
      left: plan.left,
      decided,
    }),
    older: kept.older,
    hasOlder: hasOlder(scan, plan.recognised),
    decided,
    hasDeclared: plan.conversation.definition !== undefined,
    elided,
    // Replaced by those of the request.
    failures: [],
    ...afterwards(parts, plan, { kept, elided, inserted: committed.inserted }),
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
  { input, scan, known, declaration }: Plan,
  { decided, older, turns }:
    & Pick<DecidedPlan, "turns">
    & Pick<DecidedLive, "older">
    & Pick<CompressedBody, "decided">,
): readonly Edit[] {
  const isLive = ({ block }: FormedBlock) =>
    block.messageIndex > scan.lastModelMessage;
  // Only where the older ones were asked about: elsewhere such an edit would be a bug, and is dropped.
  const isOlder = (formed: FormedBlock) =>
    older !== undefined && !isLive(formed);
  const usageRequest = input.asksUsage?.(scan.model)
    ? scan.usageRequest
    : undefined;
  const tools = declaration.by === "proxy"
    ? declare(scan, declaration.definition)
    : [];
  const { edits, dropped } = mergeEdits(scan, [
    { zone: "frozen", edits: formEdits(known) },
    { zone: "frozen", edits: formEdits(decided.filter(isOlder)) },
    { zone: "live", edits: formEdits(decided.filter(isLive)) },
    { zone: "tools", edits: tools },
    { zone: "turns", edits: turns },
    { zone: "continues", edits: continuedResponse(parts, input.body, scan) },
    { zone: "usage", edits: usageRequest ? [usageRequest] : [] },
  ]);
  if (dropped > 0) {
    parts.attempt.failed("merge_edits", `${dropped} edits outside their zone`);
  }
  return edits;
}

/** What is remembered of a call until it was sent needs no texts. */
function withoutText(lookup: BlockLookup): BlockLookup {
  return lookup.state === "new" ? { ...lookup, text: "" } : lookup;
}

/** What is done when the request leaves, or when the upstream did not take it. Nothing of it holds the body or a text of it. */
function afterwards(
  parts: CompressParts,
  plan: Plan,
  { kept: { older }, elided, inserted }:
    & Pick<DecidedPlan, "kept">
    & Pick<CompressedBody, "elided">
    & Pick<Committed, "inserted">,
): Pick<CompressedBody, "sent" | "retract"> {
  const { key, session, declaration, way } = plan;
  const lookups = plan.recognised.lookups.map(withoutText);
  const isOlderDone = plan.older.scope === "all" || older !== undefined;
  const sends = [...elided.keys(), ...takenOverBy(parts, plan)];
  return {
    sent: () =>
      parts.attempt.now("note_sent", () => {
        parts.forms.settle(lookups);
        if (isOlderDone) parts.olderTurns.add(key);
        if (older) parts.onOlderDecided(key, older);
        if (declaration.by === "proxy") {
          parts.conversations.declare(key, declaration.definition);
          if (session) {
            parts.conversations.declare(session, declaration.definition);
            if (sends.length > 0) void noteNewest(parts, session, key);
          }
        } else way.sentWithout(parts, key);
        parts.conversations.active(key, sends);
      }, undefined),
    retract: () => retract(parts, inserted),
  };
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
